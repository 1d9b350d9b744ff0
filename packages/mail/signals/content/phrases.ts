/** Phrases of mail, by what they show, in the languages that mail comes in most (phrase-rows.ts). */
import { phrases } from './phrase-rows.ts'
import { PURPOSE_PHRASES } from './purpose-phrases.ts'

/** Words that greet a reader whose name the sender does not know. */
const NOBODY =
  'customer client user member sir madam friend beneficiary account email e-mail webmail winner subscriber beloved seller partner employee colleague valued esteemed applicant investor taxpayer'

export const PHRASES = {
  ...PURPOSE_PHRASES,
  currencySign: phrases('$ · £ · € · ¥ · ₹ · ₽ · ₩ · ₺ · ₪'),
  currencyWord: phrases(`
    usd| · eur| · euro| · euros| · gbp| · chf| · cad| · aud| · inr| · brl| · rs| · kr| · zł| · руб|
    рублей| · 円 · 元 · us dollars · dollars|
  `),
  fortune: phrases(`
    million dollars · millions of dollars · million us dollars · million united states dollars
    million usd · million euro · million pounds · billion dollars
  `),
  discount: phrases(`
    % off · %off · % discount
    % rabatt · % de descuento · % de réduction · % de remise · % di sconto · % korting · % скид
    % desconto · % de desconto · % rabais · % reduziert · % günstiger · % sparen · % zniżki
    % rabatu · % slev · % indirim · %オフ · % alennus · % reducere · % kedvezmény
  `),
  coupon: phrases(`
    promo code · promotional code · coupon code · voucher code · discount code · use code
    with code
    gutscheincode · gutschein-code · rabattcode · rabatt-code
    code promo · código promocional · código de descuento · cupón · cupom · codice sconto
    kortingscode
    промокод · kod rabatowy · rabattkod · rabatkode · slevový kód · indirim kodu · クーポン
  `),
  order: phrases(`
    order · bestellung · bestellnummer · auftrag · auftragsnummer · commande · pedido · ordine
    bestelling · заказ · заказа · zamówienie · zamówienia · encomenda
    booking · reservation · buchung · buchungsnummer · confirmation · réservation · reserva
    prenotazione · reservering · bokning · objednávka · objednávky · sipariş · beställning
    ordrenummer · tilaus · comanda · rendelés · 注文番号 · 订单 · 주문번호
  `),
  invoice: phrases(`
    invoice · rechnung · rechnungsnummer · facture · factura · fattura · factuur · fatura
    receipt · quittung · statement · счет · счёт · faktura · faktury · lasku · számla · 請求書
  `),
  tracking: phrases(`
    tracking · trackingnumber · sendung · sendungsnummer · sendungsverfolgung
    sendungsverfolgungsnummer · shipment · consignment
    suivi · colis · seguimiento · spedizione · waybill · paket · paketnummer · rastreio
    track & trace · zending · parcel · package · numer przesyłki · zásilky · kargo takip · 追跡番号
    运单号
  `),
  codeWord: phrases(`
    code| · otp| · pin| · passcode| · kod| · kode| · kód| · koodi| · código| · codice| · codigo|
    sicherheitscode| · bestätigungscode| · verificatiecode|
    код| · kodu| · kodunuz| · mã| · 验证码 · 驗證碼 · 認証コード · 確認コード · 인증번호 · รหัส
  `),
  codePurpose: phrases(`
    verif · sign in · sign-in · signing in · log in · log-in · login · security code · one-time
    one time · passcode · authenticat · two-factor · 2fa| · otp| · confirm
    bestätig · anmeld · einmal · sicherheitscode
    connexion · vérif · iniciar sesión · inicio de sesión · accesso · inloggen
    подтвержд · вход · 验证 · 驗證 · 認証 · 確認 · 인증
    doğrulama · expires in · valid for · xác · weryfik · ověř · ยืนยัน
  `),
  cryptocurrency: phrases('bitcoin · btc| · wallet · ethereum · eth| · usdt| · crypto · биткоин'),
  unsubscribe: phrases(`
    unsubscribe · opt out · opt-out · manage preferences · manage your preferences
    email preferences · manage your email · update your preferences · manage subscription
    manage your subscription · stop receiving · no longer wish to receive
    abmelden · abbestellen · abbestellung
    désabonner · désinscri
    darse de baja · darte de baja · cancelar suscripción · cancelar la suscripción
    cancelar su suscripción
    disiscri · annulla iscrizione · annulla l'iscrizione · cancella iscrizione
    uitschrijven · afmelden · avregistrera · avsluta prenumeration · afmeld · meld deg av · avmeld
    peruuta tilaus · wypisz · zrezygnuj · odhlásit · dezabon · leiratkoz · abonelikten çık
    отписаться · отписка · відписатися · отпиш · 退订 · 取消订阅 · 取消訂閱 · 配信停止 · 수신거부
    cancelar inscrição · cancelar subscrição · descadastr · deixar de receber
    berhenti berlangganan · hủy đăng ký · ยกเลิกการสมัคร
  `),
  copyright: phrases(`
    © · (c) 20 · copyright 20 · all rights reserved
    alle rechte vorbehalten · tous droits réservés · todos los derechos · todos os direitos
    tutti i diritti · все права защищены · alle rechten voorbehouden · alla rättigheter
    wszelkie prawa
  `),
  viewInBrowser: phrases(`
    view in browser · view in your browser · view this email in · view this message in
    view email in · view it in your browser · view online · view it online · view this email online
    web version · view as a web page · webversion
    im browser ansehen · im browser öffnen · im browser anzeigen · im browser lesen · online ansehen
    dans votre navigateur · dans le navigateur · dans un navigateur · version en ligne
    en su navegador · en tu navegador · en el navegador · nel browser · nel tuo browser
    online versie · bekijk online · in je browser · в браузере · w przeglądarce · no navegador
    no seu navegador · i webbläsaren · i din browser · v prohlížeči · ブラウザで
  `),
  genericGreeting: [
    ...NOBODY.split(' ').map((noun) => `dear ${noun}|`),
    ...phrases(`
      dear our · hello dear · hello friend · hello customer · hi customer · hello user · hi user
      greetings dear · attention: beneficiary · my dear| · dearest
      sehr geehrter kunde · sehr geehrte kund · sehr geehrte damen · sehr geehrte nutzer
      lieber kunde · liebe kund
      cher client · cher(e) client · chère cliente · cher utilisateur
      estimado cliente · estimado/a cliente · estimado(a) cliente · estimado usuario
      apreciado cliente
      gentile cliente · gentile utente · geachte klant · geachte heer · beste klant
      prezado cliente · prezado(a) cliente · caro cliente
      уважаемый клиент · уважаемый пользователь · уважаемые клиенты · szanowny kliencie
      szanowni państwo · vážený zákazníku · sayın müşterimiz
      bästa kund · kära kund · kære kunde · kjære kunde · hyvä asiakas · 尊敬的客户 · 尊敬的用户 · 尊敬的 · お客様各位
    `),
  ],
  accountConfirmation: phrases(`
    verify your account · verify your email · verify your identity · verify your information
    verify your mailbox · confirm your account · confirm your identity · confirm your information
    confirm your password · confirm your details · update your account · update your payment
    update your billing · update your information · validate your · restore your account
    restore access · reactivate your · unlock your account · account has been suspended
    account has been limited · account has been locked · account will be closed
    account will be suspended · unusual activity · suspicious activity · password expire
    password will expire · password is about to expire · mailbox is full · mailbox is almost full
    storage is full · storage is almost full
    konto verifizieren · konto bestätigen · konto aktualisieren · daten bestätigen · konto gesperrt
    konto wurde gesperrt
    confirmer votre compte · vérifier votre compte · confirmer votre identité · mettre à jour vos
    verificar su cuenta · verifique su cuenta · verificar tu cuenta · confirmar su identidad
    actualizar sus datos · cuenta ha sido
    verifica il tuo account · verificare il suo · conto è stato · bevestig uw · verifieer uw
    подтвердите ваш · подтвердить учетную · zweryfikuj · confirme seus dados · confirme sua
    atualize seus
  `),
  sentFromPhone: phrases(`
    sent from my · sent from yahoo · sent from outlook · sent from mail for · sent from proton
    von meinem iphone · von meinem ipad · von meinem handy · von meinem samsung
    von meinem smartphone · gesendet von · gesendet mit der
    envoyé de mon · envoyé depuis mon · envoyé à partir · enviado desde mi · enviado do meu
    inviato da · verstuurd vanaf · verzonden vanaf
    отправлено с · skickat från min · sendt fra min · wysłane z · odesláno z · iphoneから送信
  `),
  wrote: phrases(`
    wrote: · writes: · schrieb: · a écrit : · a écrit: · ha scritto: · escribió: · escreveu:
    schreef: · skrev: · napisał: · napisał(a): · написал: · пишет: · kirjoitti: · napsal: · yazdı:
    写道: · 写道： · のメール:
  `),
  forwarded: phrases(`
    original message · ursprüngliche nachricht · message d'origine · message original
    mensaje original · messaggio originale · mensagem original · oorspronkelijk bericht
    forwarded message · forwarded by · weitergeleitete nachricht · message transféré
    mensaje reenviado · messaggio inoltrato · doorgestuurd bericht · пересылаемое сообщение · 原始邮件
  `),
  sentLine: phrases(`
    _sent:_ · _gesendet:_ · _envoyé :_ · _enviado:_ · _enviado el:_ · _inviato:_ · _verzonden:_
    _skickat:_ · _отправлено:_
  `),
} satisfies Readonly<Record<string, readonly string[]>>

export type PhraseGroup = keyof typeof PHRASES
