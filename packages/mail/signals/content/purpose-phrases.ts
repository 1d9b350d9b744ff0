/**
 * Phrases by which a message says what it is for, in the languages that mail comes in most: in each
 * group English, German, French and so on, as far as there are any (phrase-rows.ts).
 *
 * They are set phrases of the trade, which stand in the mail of any sender: buttons, small print,
 * first and last sentences. Words that are only frequent in one class are left to the text model.
 */
import { phrases } from './phrase-rows.ts'

export const PURPOSE_PHRASES = {
  buyCall: phrases(`
    shop now · shop the · shop all · buy now · order now · order today · add to cart · add to basket
    book now · get yours · grab yours · get the deal · claim your · redeem now
    jetzt kaufen · jetzt bestellen · jetzt shoppen · jetzt sichern · jetzt buchen · jetzt entdecken
    zum angebot · zum shop · in den warenkorb
    j'en profite · je profite · profitez · acheter · commandez · réservez
    compra ahora · comprar ahora · cómpralo · reserva ahora · aprovecha · compre agora
    comprar agora · compre já · reserve já · aproveite · aproveita
    acquista ora · acquista subito · compra ora · ordina ora · prenota ora · approfitta
    scopri le offerte
    shop nu · koop nu · bestel nu · boek nu
    kup teraz · zamów teraz · sprawdź ofertę · купить · заказать сейчас · забронировать · купити
    hemen al · alışverişe başla · satın al|
    köp nu · handla nu · beställ nu · boka nu · køb nu · bestil nu · kjøp nå · bestill nå
    osta nyt · tilaa nyt
    koupit · objednejte · nakupte · vásároljon · rendelje meg · megveszem · cumpără acum
    comandă acum · αγόρασε · αγοράστε
    mua ngay · đặt ngay · beli sekarang · belanja sekarang · pesan sekarang
    立即购买 · 立即抢购 · 立即選購 · 立即訂購 · 今すぐ購入 · ご購入はこちら · ご予約はこちら · 구매하기 · 지금 구매
    تسوق الآن · اشتر الآن · اطلب الآن
  `),
  saleText: phrases(`
    limited time · last chance · ends tonight · ends soon · ends today · ends sunday · only today
    while supplies last · while stocks last · free shipping · free delivery · sale ends · flash sale
    special offer · exclusive offer · early bird · save up to · best price · gift with purchase
    money-back
    nur heute · nur noch heute · nur für kurze zeit · letzte chance · solange der vorrat
    gratis versand · versandkostenfrei · sonderangebot · schnäppchen · angebote der woche
    frühbucher
    dernière chance · derniers jours · livraison gratuite · livraison offerte · offre spéciale
    offre exclusive · bon plan · jusqu'à épuisement
    última oportunidad · últimos días · envío gratis · oferta especial · solo hoy · rebajas
    última chance · últimos dias · frete grátis · portes grátis · só hoje · somente hoje
    ultima occasione · ultimi giorni · spedizione gratuita · offerta speciale · solo oggi · saldi|
    laatste kans · gratis verzending · alleen vandaag · op=op · aanbieding
    ostatnia szansa · darmowa dostawa · tylko dziś · wyprzedaż · promocja · только сегодня
    бесплатная доставка · распродаж · успейте · безкоштовна доставка · розпродаж
    son şans · ücretsiz kargo · fırsat · kampanya
    sista chansen · fri frakt · erbjudande · endast idag · sidste chance · fri fragt · tilbud
    kun i dag · siste sjanse
    viimeinen tilaisuus · ilmainen toimitus · tarjous · poslední šance · doprava zdarma · výprodej
    utolsó esély · ingyenes szállítás · akció · ultima șansă · livrare gratuită · reduceri
    δωρεάν αποστολή · προσφορά · miễn phí vận chuyển · khuyến mãi · ưu đãi · gratis ongkir · diskon
    限时 · 優惠 · 优惠 · 包邮 · 促销 · 期間限定 · 送料無料 · セール · お得 · 할인 · 무료배송 · 특가
    شحن مجاني · عرض خاص · خصم
  `),
  donationCall: phrases(`
    donate · chip in · make a gift · make a donation · your gift · your donation
    your contribution today · pitch in
    jetzt spenden · ihre spende · deine spende · spenden sie
    faire un don · je donne · je fais un don · votre don|
    haz una donación · donar ahora · dona ahora · tu donativo · doar agora · faça uma doação
    sua doação · faça um donativo
    dona ora · fai una donazione · la tua donazione
    doneer · geef nu · jouw gift
    wesprzyj · wpłać · przekaż darowiznę · пожертв · поддержать проект
    bağış yap · ge en gåva · skänk · støt os · gi en gave
    lahjoita · darujte · přispějte · adományoz · donează
    κάντε μια δωρεά · quyên góp · donasi
    捐款 · 捐赠 · ご寄付 · 寄付する · 기부하기 · تبرع
  `),
  subscribeCall: phrases(`
    free trial · start your trial · try it free · try for free · upgrade now · upgrade today
    upgrade to · subscribe now · subscribe today · join now · sign up now · sign up today
    enroll now · enrol now · register now · register today · save your seat · reserve your spot
    save your spot · get started · become a member · come back · we miss you · get a quote
    book a demo · schedule a call · schedule a demo
    kostenlos testen · gratis testen · jetzt anmelden · jetzt registrieren · jetzt upgraden
    jetzt abonnieren · jetzt teilnehmen · jetzt mitglied · unverbindlich · wir vermissen
    essai gratuit · essayez gratuitement · inscrivez-vous · abonnez-vous · je m'inscris
    je m'abonne
    prueba gratis · prueba gratuita · suscríbete · inscríbete · regístrate
    teste grátis · experimente grátis · inscreva-se · assine agora · assine já
    prova gratuita · iscriviti · abbonati
    probeer gratis · gratis proberen · schrijf je in · meld je aan
    wypróbuj · zapisz się · dołącz do · бесплатный период · попробуйте бесплатно · зарегистрируйтесь
    оформить подписку · спробуйте безкоштовно
    ücretsiz dene · hemen katıl · abone ol|
    prova gratis · anmäl dig · bli medlem · prøv gratis · tilmeld dig · meld deg på
    kokeile ilmaiseksi · ilmoittaudu · liity nyt · vyzkoušejte · zaregistrujte se · próbálja ki
    regisztráljon · înscrie-te · încearcă gratuit
    δοκιμάστε δωρεάν · dùng thử · đăng ký ngay · coba gratis · daftar sekarang
    免费试用 · 免費試用 · 立即报名 · 立即註冊 · 立即注册 · 無料体験 · 無料トライアル · お申し込みはこちら · 무료 체험 · 지금 가입
    جرب مجانا · سجل الآن · اشترك الآن
  `),
  readCall: phrases(`
    read more · read on| · continue reading · keep reading · read the full · read the rest
    read this story · full story · listen now · watch now · listen to the · minute read · min read
    mehr lesen · weiterlesen · zum artikel · jetzt lesen · lesen sie
    lire la suite · lire plus · lire l'article · lire aussi
    leer más · seguir leyendo · leer artículo
    ler mais · leia mais · saiba mais · continue lendo
    leggi tutto · leggi di più · leggi l'articolo · continua a leggere
    lees meer · lees verder
    czytaj więcej · czytaj dalej · przeczytaj · читать далее · читать дальше · подробнее
    читати далі
    devamını oku · läs mer · läs vidare · læs mere · læs videre · les mer · les videre
    lue lisää · číst dál · více zde · přečtěte si · tovább olvasom · bővebben · citește mai mult
    citiți mai mult
    διαβάστε περισσότερα · xem thêm · đọc tiếp · baca selengkapnya
    阅读全文 · 查看全文 · 閱讀更多 · 続きを読む · 記事を読む · 詳しくはこちら · 더 읽기 · 자세히 보기 · اقرأ المزيد
  `),
  newsletter: phrases(`
    newsletter · digest · this week in · roundup · round-up · briefing · in today's · in this issue
    in this edition · today in · weekly| · top stories · headlines
    in dieser ausgabe · presseschau · rundbrief · wochenrückblick
    dans ce numéro · lettre d'information · infolettre
    boletín · en esta edición · resumen semanal · boletim · nesta edição · resumo semanal
    notiziario · in questo numero · nieuwsbrief · in deze editie
    biuletyn · w tym numerze · рассылк · дайджест · в этом выпуске · розсилк
    bülten · nyhetsbrev · nyhedsbrev · veckobrev · uutiskirje
    zpravodaj · hírlevél · buletin · ενημερωτικό δελτίο · bản tin
    周刊 · 简报 · 電子報 · メールマガジン · メルマガ · ニュースレター · 뉴스레터 · النشرة
  `),
  password: phrases(`
    password · passcode
    passwort · kennwort · mot de passe · contraseña · palavra-passe · senha|
    wachtwoord · hasło · hasła · парол · şifre · parola · lösenord · adgangskode · passord
    salasana
    heslo · hesla · jelszó · jelszav · κωδικό πρόσβασης · κωδικού πρόσβασης · mật khẩu · kata sandi
    password anda
    密码 · 密碼 · パスワード · 비밀번호 · كلمة المرور · كلمة السر
  `),
  notYou: phrases(`
    if you did not · if you didn't · if this wasn't you · if this was not you · wasn't you
    if you have not requested · did not request · didn't request · did not make this
    ignore this email · ignore this message · ignore this mail · disregard this
    wenn sie dies nicht · nicht angefordert · wenn sie diese anfrage nicht · falls sie dies
    falls du das nicht · waren sie das nicht · diese e-mail ignorieren · ignorieren sie diese
    ignoriere diese
    si vous n'avez pas · si vous n'êtes pas à l'origine · si ce n'est pas vous · n'avez pas demandé
    ignorez ce · ignorer ce · ignorez cet · ignorer cet
    si no has · si no ha solicitado · si no fuiste tú · si usted no · ignore este · ignora este
    ignorar este
    se não foi você · se você não · se não solicitou · se não pediu
    se non sei stato tu · se non hai · se non ha richiesto · ignora questa · ignori questa
    ignorare questa
    als u dit niet · als je dit niet · niet aangevraagd · negeer dit · negeer deze
    dit bericht negeren · deze e-mail negeren
    jeśli to nie ty · jeśli nie prosi · jeżeli nie · zignoruj
    если это были не вы · если вы не · если это не вы · проигнорируйте · якщо ви не · якщо це не ви
    проігноруйте
    siz değilseniz · talep etmediyseniz · yapmadıysanız · dikkate almayın
    om du inte · om det inte var du · ignorera det · hvis du ikke · hvis det ikke var dig
    ignorer denne · se bort fra · se bort ifra
    jos et_ · jättää tämän viestin huomiotta · jätä tämä viesti
    pokud jste to nebyli · pokud jste nežádali · pokud jste o · ignorujte
    ha nem ön · ha nem te · hagyja figyelmen kívül · hagyd figyelmen kívül · dacă nu ați
    dacă nu ai · ignorați acest · ignoră acest
    αν δεν · εάν δεν · αγνοήστε · nếu bạn không · bỏ qua email · jika anda tidak · jika bukan anda
    abaikan email
    如果您没有 · 如果您沒有 · 非本人操作 · 请忽略 · 請忽略 · お心当たりがない · 心当たりのない · 身に覚えのない
    본인이 아니 · 요청하지 않 · إذا لم تكن · إذا لم تقم · إذا لم تطلب · تجاهل هذ
  `),
  confirmCall: phrases(`
    confirm your email · confirm your e-mail · confirm your subscription · confirm your registration
    confirm your address · activate your account · click the link below · click on the link below
    click the following link · follow this link to · link below to · link expires · link will expire
    link is valid · reset your password · set a new password · choose a new password
    bestätigen sie ihre · bestätige deine · konto aktivieren · aktivieren sie ihr
    klicken sie auf den folgenden · klicken sie auf diesen link · auf den folgenden link
    passwort zurücksetzen · zurückzusetzen · link ist gültig
    confirmez votre · confirmer votre · activer votre compte · activez votre compte
    cliquez sur le lien · cliquer sur le lien · lien ci-dessous · lien suivant
    réinitialiser votre mot de passe
    confirma tu · confirme su · confirmar tu · confirmar su · activar tu cuenta · activar su cuenta
    active su cuenta · haz clic en el siguiente · haga clic en el siguiente · siguiente enlace
    restablecer tu contraseña · restablecer su contraseña
    confirme o seu · confirme seu · confirmar seu · confirmar o seu · ativar sua conta
    ativar a sua conta · link abaixo · clique no link · redefinir sua senha
    conferma il tuo · confermare il tuo · conferma la tua · attivare il tuo account
    clicca sul link · clicca sul seguente · seguente link · reimposta · reimpostare
    bevestig je · bevestig uw · account activeren · activeer je · klik op de link
    klik op de volgende · onderstaande link · wachtwoord opnieuw
    potwierdź · potwierdzić · aktywuj · aktywować · kliknij w link · kliknij poniższy
    poniższy link · zresetować
    подтвердите · подтвердить · активировать · активируйте · перейдите по ссылке
    по следующей ссылке · сбросить пароль · підтвердіть · підтвердити · активувати
    перейдіть за посиланням
    onaylayın · onaylamak için · etkinleştir · bağlantıya tıkla · sıfırla
    bekräfta din · aktivera ditt · klicka på länken · länken nedan · återställ
    bekræft din · aktivér din · klik på linket · linket nedenfor · nulstil · bekreft
    klikk på lenken · klikk på linken · lenken nedenfor · tilbakestill
    vahvista · aktivoi · klikkaa linkkiä · alla olevaa linkkiä · palauttaaksesi
    potvrďte · potvrdit · aktivujte · klikněte na · následující odkaz · obnovení hesla
    erősítse meg · erősítsd meg · megerősít · aktivál · kattintson · kattints
    confirmați · confirmă · activați · activa contul · linkul de mai jos · următorul link
    επιβεβαιώ · ενεργοποι · παρακάτω σύνδεσμο
    xác nhận · kích hoạt · liên kết dưới đây · liên kết sau · konfirmasi · aktifkan · klik tautan
    tautan berikut
    点击以下链接 · 點擊以下連結 · 点击下面的链接 · 激活 · 重置密码 · 重設密碼 · 以下のリンク · 以下のurl · 下記のurl · 下記のリンク · 再設定 · 有効化
    아래 링크 · 다음 링크 · 활성화 · 재설정 · الرابط التالي · الرابط أدناه · تأكيد · تفعيل
  `),
  signIn: phrases(`
    new sign-in · new sign in · new login · sign-in attempt · login attempt · new device · signed in
    logged in · unrecognized · unrecognised · ip address
    neue anmeldung · neues gerät · neuen gerät · angemeldet · ip-adresse
    nouvelle connexion · nouvel appareil · adresse ip
    nuevo inicio de sesión · nuevo dispositivo · dirección ip · novo acesso · novo login
    novo dispositivo · endereço ip
    nuovo accesso · nuovo dispositivo · indirizzo ip
    nieuwe aanmelding · nieuw apparaat · ingelogd · ip-adres
    nowe logowanie · nowego urządzenia · adres ip · новый вход · выполнен вход · нового устройства
    ip-адрес · новий вхід · нового пристрою
    yeni giriş · yeni bir cihaz · yeni cihaz · ip adresi
    ny inloggning · ny enhet · ip-adress · nyt login · ny enhed · ny pålogging
    uusi kirjautuminen · uudelta laitteelta · ip-osoite · nové přihlášení · nového zařízení
    ip adresa
    új bejelentkezés · új eszköz · ip-cím · conectare nouă · dispozitiv nou · adresa ip
    νέα σύνδεση · νέα συσκευή · đăng nhập mới · thiết bị mới · địa chỉ ip · login baru
    perangkat baru · alamat ip
    新设备 · 新裝置 · 异地登录 · 登录地点 · 新しいデバイス · 新しい端末 · ログインがありました · ログインされました · ipアドレス
    새로운 기기 · 새 기기 · 로그인 알림 · تسجيل دخول جديد · جهاز جديد
  `),
  invitation: phrases(`
    invited you · has invited · have invited · invites you · been invited · you are invited
    you're invited · accept invitation · accept the invitation · accept invite · shared with you
    shared a file · shared a folder · shared a document · requests your signature
    sign the document
    eingeladen · einladung annehmen · lädt sie ein · lädt dich ein · freigegeben
    vous invite · vous a invité · été invité · accepter l'invitation · partagé avec vous
    te ha invitado · le ha invitado · te invita · has sido invitado · ha sido invitado
    aceptar invitación · aceptar la invitación · ha compartido
    convidou você · convidou-o · foi convidado · aceitar convite · aceitar o convite · compartilhou
    partilhou
    ti ha invitato · la invita · sei stato invitato · accetta l'invito · ha condiviso
    nodigt je uit · nodigt u uit · heeft je uitgenodigd · heeft u uitgenodigd · uitgenodigd
    uitnodiging accepteren · gedeeld met
    zaprasza · zaprosił · zaproszenie · приглашает · пригласил · приглашение · приглашены · запрошує
    запросив · запрошення
    davet etti · davet edildiniz · daveti kabul · sizinle paylaş
    bjudit in · inbjuden · inbjudan · inviteret · invitation til · invitert · kutsunut · kutsuttu
    kutsu_
    pozval · pozvánk · sdílel · meghívta · meghívót · meghívás · invitat · invitația
    προσκάλεσε · πρόσκληση · προσκληθεί · mời bạn · lời mời · mengundang · undangan
    邀请您 · 邀请你 · 邀請您 · 邀請你 · 招待されました · ご招待 · 招待して
    초대했 · 초대받 · 초대장 · دعاك · دعوة · دعوتك
  `),
  paymentDue: phrases(`
    amount due · due date · payment due · balance due · due by · due on · past due · overdue
    payable by · net 30 · please pay · minimum payment · total due · remit
    fällig · zahlbar · zahlungsziel · zu zahlen · offener betrag · zahlungserinnerung · mahnung
    bitte überweisen
    échéance · montant dû · à régler · à payer · solde dû
    vencimiento · importe a pagar · total a pagar · fecha límite de pago · vencimento
    valor a pagar
    scadenza · importo da pagare · totale da pagare · da saldare
    te betalen · vervaldatum · uiterlijk betalen · openstaand
    termin płatności · do zapłaty · срок оплаты · к оплате · оплатить до · до сплати · термін оплати
    son ödeme · ödenecek tutar
    förfallodatum · förfallodag · att betala · forfaldsdato · betalingsfrist · til betaling
    forfallsdato · å betale · eräpäivä · maksettava
    datum splatnosti · splatnost · k úhradě · fizetési határidő · fizetendő · scadent · de plată
    ημερομηνία λήξης · πληρωτέο · hạn thanh toán · jatuh tempo
    付款期限 · 应付 · 繳費期限 · 应还 · お支払い期限 · 支払期限 · ご請求金額 · お支払期日
    결제 예정 · 납부기한 · 청구금액 · تاريخ الاستحقاق · المبلغ المستحق
  `),
  total: phrases(`
    total · subtotal · sub-total · amount
    gesamt · summe · betrag · rechnungsbetrag · zwischensumme · montant · sous-total
    importe · valor| · importo · totale · totaal · bedrag
    razem · suma| · kwota · итого · сумма · всего · сума · разом
    toplam · tutar · summa · belopp · i alt · beløb · beløp · totalt · yhteensä
    celkem · částka · összesen · összeg · σύνολο · ποσό · tổng · số tiền · jumlah
    合计 · 总计 · 金额 · 合計 · 金額 · 総計 · 합계 · 금액 · الإجمالي · المبلغ · المجموع
  `),
  purchase: phrases(`
    your order · your purchase · your payment · your booking · your reservation · your receipt
    your invoice · your bill · your statement · your refund · payment received
    payment confirmation · order confirmation · order confirmed · booking confirmation
    purchase order · has shipped · out for delivery · was delivered · has been delivered
    has been charged · was charged · refunded · e-statement · estatement · paid
    ihre bestellung · deine bestellung · ihre buchung · deine buchung · ihre zahlung · ihre rechnung
    deine rechnung · bestellbestätigung · zahlungsbestätigung · buchungsbestätigung
    auftragsbestätigung · kontoauszug · zahlungseingang · rückerstattung · erstattet · zugestellt
    versandt · abgebucht
    votre commande · votre réservation · votre paiement · votre facture · votre achat
    relevé de compte · confirmation de commande · confirmation de paiement · bon de commande
    remboursement
    tu pedido · su pedido · tu reserva · su reserva · su pago · tu pago · tu compra · su compra
    su factura · tu factura · estado de cuenta · extracto · reembolso · orden de compra
    seu pedido · sua encomenda · sua compra · sua reserva · seu pagamento · sua fatura · extrato
    il tuo ordine · suo ordine · la tua prenotazione · il tuo pagamento · la tua fattura
    il tuo acquisto · conferma ordine · conferma d'ordine · estratto conto · rimborso
    je bestelling · uw bestelling · je boeking · uw boeking · uw betaling · je betaling · uw factuur
    je factuur · rekeningafschrift · terugbetaling · bezorgd
    twoje zamówienie · twojego zamówienia · potwierdzenie zamówienia · potwierdzenie płatności
    twoja rezerwacja · wyciąg · zwrot środków
    ваш заказ · вашего заказа · ваша бронь · ваш платеж · ваш платёж · оплата прошла
    платеж получен · выписка · возврат средств · списано · ваше замовлення · вашого замовлення
    siparişiniz · rezervasyonunuz · ödemeniz · faturanız · hesap özeti · ekstre · iade
    din beställning · din bokning · din betalning · din faktura · orderbekräftelse · kontoutdrag
    återbetalning · din ordre · din bestilling · din betaling · ordrebekræftelse · ordrebekreftelse
    kontoudtog · refusion
    tilauksesi · tilausvahvistus · varauksesi · maksusi · laskusi · hyvitys
    vaše objednávka · vaší objednávky · potvrzení objednávky · vaše rezervace · vaše platba
    výpis z účtu · vrácení peněz
    rendelésed · rendelése · rendelésének · foglalása · foglalásod · befizetés · számlakivonat
    comanda ta · comanda dvs · comanda dumneavoastră · rezervarea · plata dvs · plata ta
    extras de cont · rambursare
    παραγγελία σας · κράτησή σας · πληρωμή σας · đơn hàng · thanh toán của bạn · hóa đơn · sao kê
    hoàn tiền · pesanan anda · pembayaran anda · tagihan anda · faktur
    您的订单 · 您的訂單 · 账单 · 帳單 · 对账单 · 已发货 · 退款 · 已支付
    ご注文 · ご予約内容 · ご利用明細 · お支払いが完了 · 発送しました · 発送いたしました · 領収書 · 返金
    주문이 · 주문하신 · 주문 내역 · 결제가 · 영수증 · 환불 · 배송이
    طلبك · حجزك · دفعتك · فاتورتك · الفاتورة · كشف الحساب
  `),
  activity: phrases(`
    commented on · new comment · replied to · mentioned you · assigned to you · new post · new topic
    new reply · new message from · new follower · following you · started following · liked your
    reacted to · posted in · posted a · status changed · status has changed · has been updated
    new version
    hat kommentiert · neuer kommentar · neuen kommentar · hat geantwortet · neue antwort
    neuer beitrag · neues thema · hat dich erwähnt · folgt dir
    a commenté · nouveau commentaire · a répondu · nouvelle réponse · nouveau sujet
    nouveau message de · vous a mentionné
    ha comentado · nuevo comentario · ha respondido · nueva respuesta · nuevo tema
    te ha mencionado
    comentou · novo comentário · respondeu · nova resposta · novo tópico · mencionou você
    ha commentato · nuovo commento · ha risposto · nuova risposta · nuova discussione
    ti ha menzionato
    heeft gereageerd · nieuwe reactie · nieuw bericht van · nieuw onderwerp · heeft je genoemd
    skomentował · nowy komentarz · odpowiedział · nowy temat · wspomniał
    прокомментировал · новый комментарий · ответил · новая тема · упомянул · прокоментував
    новий коментар · відповів
    yorum yaptı · yeni bir yorum · yeni yorum · yanıt verdi · yanıtladı · yeni konu
    kommenterade · ny kommentar · svarade · nytt svar · nytt ämne · kommenterede · svarede
    nyt svar · nyt emne · kommenterte · svarte · nytt emne
    kommentoi · uusi kommentti · vastasi · uusi aihe
    okomentoval · nový komentář · odpověděl · nové téma
    hozzászólt · új hozzászólás · válaszolt · új téma · a comentat · comentariu nou · a răspuns
    subiect nou
    σχολίασε · νέο σχόλιο · απάντησε
    đã bình luận · bình luận mới · đã trả lời · chủ đề mới · mengomentari · komentar baru · membalas
    topik baru
    评论了 · 新评论 · 回复了 · 新回复 · 新主题 · 留言 · コメントしました · 新しいコメント · 返信しました · 新しい投稿 · メンション
    댓글 · 답글 · 새 글 · علق على · تعليق جديد · رد على
  `),
  serviceNotice: phrases(`
    terms of service · terms of use · terms and conditions · privacy policy · privacy notice
    we are updating our · we're updating our · we have updated our · scheduled maintenance
    planned maintenance · maintenance window · service interruption · outage
    nutzungsbedingungen · datenschutzerklärung · agb| · wartungsarbeiten · wartungsfenster · störung
    conditions d'utilisation · conditions générales · politique de confidentialité
    maintenance programmée · interruption de service
    términos y condiciones · términos de servicio · política de privacidad
    mantenimiento programado · corte de suministro
    termos de uso · termos de serviço · política de privacidade · manutenção programada
    condizioni d'uso · termini e condizioni · informativa sulla privacy · manutenzione programmata
    algemene voorwaarden · gebruiksvoorwaarden · privacybeleid · onderhoud · storing
    regulamin · polityka prywatności · polityki prywatności · prace konserwacyjne
    przerwa techniczna
    пользовательское соглашение · политик · технические работы · технических работ
    умови використання · технічні роботи
    kullanım koşulları · gizlilik politikası · planlı bakım
    användarvillkor · integritetspolicy · driftstörning · underhåll · vilkår · privatlivspolitik
    vedligeholdelse · personvern · vedlikehold
    käyttöehdot · tietosuojaseloste · huoltokatko
    obchodní podmínky · zásady ochrany · odstávka
    felhasználási feltételek · adatvédelmi · karbantartás · termeni și condiții
    politica de confidențialitate · mentenanță
    όροι χρήσης · πολιτική απορρήτου · điều khoản · chính sách bảo mật · bảo trì · ketentuan layanan
    kebijakan privasi · pemeliharaan
    服务条款 · 隐私政策 · 隱私權政策 · 系统维护 · 停机 · 利用規約 · プライバシーポリシー · メンテナンス · 障害
    이용약관 · 개인정보 · 점검 · شروط الخدمة · سياسة الخصوصية · صيانة
  `),
  noReply: phrases(`
    do not reply · don't reply · please do not respond · cannot be answered · not monitored
    unmonitored · automatically generated · automated message · automated email · automatic message
    auto-generated
    nicht auf diese · antworten sie nicht · antworten sie bitte nicht · bitte nicht antworten
    automatisch erzeugt · automatisch generiert · automatisch erstellt · automatische nachricht
    ne pas répondre · ne répondez pas · envoyé automatiquement · généré automatiquement
    message automatique
    no responda · no respondas · no responder · mensaje automático · generado automáticamente
    não responda · não responder · mensagem automática · gerada automaticamente
    gerado automaticamente · enviado automaticamente
    non rispondere · non rispondete · si prega di non · messaggio automatico
    generato automaticamente · generata automaticamente
    niet beantwoorden · niet op deze · niet te beantwoorden · automatisch verzonden
    automatisch gegenereerd
    nie odpowiadaj · prosimy nie odpowiadać · wygenerowana automatycznie
    wygenerowany automatycznie · wiadomość automatyczna
    не отвечайте · отправлено автоматически · сформировано автоматически · автоматическое
    не відповідайте · автоматично
    yanıtlamayın · cevaplamayın · otomatik olarak
    svara inte · går inte att svara · automatiskt · svar ikke · ikke besvares · ikke svare på
    automatisk
    älä vastaa · automaattinen · automaattisesti · neodpovídejte · automaticky
    ne válaszoljon · ne válaszolj · automatikus · nu răspundeți · nu răspunde · generat automat
    mesaj automat
    μην απαντήσετε · αυτόματο μήνυμα · không trả lời · tự động · jangan membalas · otomatis
    请勿回复 · 請勿回覆 · 请不要回复 · 系统自动 · 系統自動 · 自动发送 · 返信いただいても · 返信しないで · 返信はできません · 自動送信 · 自動配信 · 送信専用
    配信専用
    발신전용 · 발신 전용 · 회신되지 · الرد على هذ · تلقائي
  `),
  receivedBecause: phrases(`
    you are receiving this · you're receiving this · you received this · you have received this
    you are getting this · you're getting this · this email was sent to · this message was sent to
    this e-mail was sent to · because you are subscribed · because you signed up
    sie erhalten diese · sie erhalten dieses · du erhältst diese · du bekommst diese
    diese e-mail wurde an · diese nachricht wurde an
    vous recevez ce · vous recevez cet · vous avez reçu ce · a été envoyé à
    recibes este · recibe este · has recibido este · ha recibido este · fue enviado a
    se ha enviado a
    você está recebendo · você recebeu · recebeu este · recebe este · foi enviado para
    foi enviada para
    ricevi questa · hai ricevuto questa · ha ricevuto questa · stai ricevendo · è stata inviata a
    je ontvangt deze · u ontvangt deze · je ontvangt dit · u ontvangt dit · is verzonden aan
    is verstuurd naar
    otrzymujesz tę · otrzymujesz ten · otrzymałeś t · została wysłana
    вы получили это · вы получаете это · это письмо отправлено · ви отримали це · ви отримуєте
    bu e-postayı · bu iletiyi · bu mesajı
    du får det här · du får detta · du har fått detta · skickades till · du modtager denne
    du har modtaget denne · sendt til · du mottar denne · du har mottatt denne
    sait tämän · saat tämän · lähetettiin · tento e-mail · tuto zprávu · dostáváte
    ezt az e-mail · ezt a levelet · azért kapta · azért kaptad · primiți acest · primești acest
    ați primit acest · ai primit acest
    λαμβάνετε αυτό · λάβατε αυτό · bạn nhận được email · bạn nhận được thư · gửi tới bạn
    gửi đến bạn · anda menerima email · anda menerima pesan · dikirim ke
    您收到此 · 您收到这 · 此邮件 · 此郵件 · このメールは · 本メールは
    이 메일은 · 이 이메일은 · 본 메일은 · تلقيت هذ · تتلقى هذ · هذه الرسالة
  `),
  caseReference: phrases(`
    our ref · your ref · our reference · your reference · case no · case number · file no
    file number · reference: · ref: · ref.: · docket · claim number · policy number
    aktenzeichen · geschäftszeichen · unser zeichen · ihr zeichen · vorgangsnummer · az.:
    nos réf · vos réf · n/réf · v/réf · numéro de dossier · dossier n
    expediente · n/ref · nº de caso · processo n
    protocollo · prot. n · pratica n
    ons kenmerk · uw kenmerk · dossiernummer · zaaknummer
    sygn. · sygnatura · znak sprawy · numer sprawy · номер дела · дело № · исх. · справа №
    dosya no · diarienummer · ärendenummer · sagsnummer · j.nr · saksnummer · diaarinumero
    asianumero · č.j. · spisová značka
    ügyszám · iktatószám · dosar nr · nr. dosar · αρ. πρωτ
    案号 · 受付番号 · お問い合わせ番号 · 접수번호
  `),
  absence: phrases(`
    out of office · out of the office · on annual leave · on leave until · on vacation until
    away from my desk · limited access to email · will respond when i return
    nicht im büro · nicht im haus · abwesend · abwesenheit · ausser haus · außer haus · im urlaub
    in den ferien
    absent du bureau · absente du bureau · je suis absent · je suis en congé
    fuera de la oficina · estoy de vacaciones · ausente · de férias · fora do escritório
    fuori ufficio · fuori sede · in ferie · sono assente
    afwezig · niet op kantoor · op vakantie
    nieobecn · na urlopie · poza biurem · в отпуске · отсутству · у відпустці
    ofis dışında · ofiste değilim · izindeyim
    på semester · inte på kontoret · ikke på kontoret · på ferie · poissa · lomalla · mimo kancelář
    na dovolené
    nem vagyok az irodában · szabadságon · în concediu
    εκτός γραφείου · cuti · 休假 · 外出 · 不在 · 休暇 · 부재 · خارج المكتب
  `),
  closing: phrases(`
    kind regards · best regards · warm regards · regards, · best wishes · best, · yours sincerely
    sincerely · yours faithfully · yours truly · cheers · many thanks · thanks, · thank you, · love,
    take care
    mit freundlichen grüßen · mit freundlichen grüssen · freundliche grüße · freundliche grüsse
    viele grüße · viele grüsse · liebe grüße · liebe grüsse · beste grüße · herzliche grüße
    schöne grüße · lg| · vg| · mfg|
    cordialement · bien à vous · bien à toi · à bientôt · bises · bisous · veuillez agréer
    je vous prie d'agréer · amicalement
    saludos · un saludo · atentamente · un abrazo · besos · cordialmente · abraços · abraço
    atenciosamente · com os melhores cumprimentos · cumprimentos · beijos
    cordiali saluti · distinti saluti · un saluto · saluti · un abbraccio · baci
    met vriendelijke groet · vriendelijke groet · groetjes · groet, · groeten · mvg|
    z poważaniem · pozdrawiam · pozdrowienia · serdecznie pozdrawiam · с уважением · всего доброго
    целую · з повагою
    saygılarımla · sevgiler · selamlar · iyi çalışmalar
    med vänlig hälsning · vänliga hälsningar · hälsningar · mvh| · kram| · med venlig hilsen
    venlig hilsen · kærlig hilsen · hilsen · vennlig hilsen
    ystävällisin terveisin · terveisin · terv. · s pozdravem · s úctou · üdvözlettel · tisztelettel
    üdv, · cu stimă · cu respect
    με εκτίμηση · trân trọng · thân ái · hormat kami · salam,
    此致 · 敬上 · 祝好 · よろしくお願い · 宜しくお願い · 敬具
    드림 · 올림 · مع أطيب التحيات · مع التحية · تحياتي
  `),
} satisfies Readonly<Record<string, readonly string[]>>
