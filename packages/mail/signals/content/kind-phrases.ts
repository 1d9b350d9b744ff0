/**
 * Phrases by which kinds of honest mail are told from the fraud in the same dress. No signal is raised from them: they
 * are conditions of the verdict's allowances (verdict/allowances.ts) and of the class of a security notice
 * (verdict/security-notice.ts). Rows as in purpose-phrases.ts.
 */
import type { Message } from '../../message/message.ts'
import { originOf } from '../origin.ts'
import { perMessage } from '../per-message.ts'
import { phrases } from './phrase-rows.ts'
import { phraseScanner } from './phrase-scanner.ts'
import { contentOf } from './phrases-found.ts'

const KIND_PHRASES = {
  /** A service asks a new user to confirm the address or the account. */
  confirmAddress: phrases(`
    confirm your · confirm email · confirm e-mail · confirm the email · confirm that this
    confirm my · confirm account · confirm registration · verify your · verify email · verify e-mail
    verify my · verify account · verify the email · verify that this · activate your · activate account
    activate my · email verification · e-mail verification · account verification
    verification link · account activation · email confirmation
    e-mail-adresse bestätigen · e-mail bestätigen · email bestätigen · adresse bestätigen
    e-mail-adresse zu bestätigen · bestätigen sie ihre e-mail · bestätigen sie ihre adresse
    bestätige deine e-mail · bestätige deine adresse · bestätigen sie ihre registrierung
    bestätigen sie ihre anmeldung · bestätige deine anmeldung · registrierung bestätigen
    anmeldung bestätigen · konto aktivieren · konto zu aktivieren · konto bestätigen
    aktivierung deines · aktivierung ihres · aktiviere dein · aktivieren sie ihr
    confirmez votre adresse · confirmer votre adresse · confirmer mon adresse · confirmez votre e-mail
    confirmez votre email · confirmez votre inscription · confirmer mon inscription
    confirmez votre compte · confirmer mon compte · activez votre compte · activer mon compte
    activer votre compte · vérifiez votre adresse · vérifier mon adresse · vérifiez votre e-mail
    verifica tu correo · verificar correo · verifique su correo · confirma tu correo
    confirme su correo · confirma tu dirección · confirme su dirección · confirmar correo
    confirma tu cuenta · confirma tu registro · activa tu cuenta · activar cuenta · activar mi cuenta
    activar tu cuenta · active su cuenta · verifica tu cuenta
    confirme seu e-mail · confirme o seu e-mail · confirme seu email · verifique seu e-mail
    confirmar e-mail · confirme o seu endereço · ative sua conta · ativar conta · confirme seu cadastro
    conferma il tuo indirizzo · conferma la tua email · conferma l'indirizzo · conferma email
    conferma indirizzo · verifica la tua email · verifica il tuo indirizzo · attiva il tuo account
    attiva account · conferma la registrazione · conferma la tua registrazione
    bevestig je e-mail · bevestig uw e-mail · e-mailadres bevestigen · bevestig je account
    bevestig je registratie · activeer je account · activeer uw account · account activeren
    bevestig je inschrijving · verifieer je e-mail
    potwierdź swój adres · potwierdź adres · potwierdź e-mail · potwierdź rejestrację · aktywuj konto
    aktywuj swoje konto · potwierdź swoje konto · weryfikacja adresu
    подтвердите адрес · подтвердите ваш адрес · подтвердите свой адрес · подтвердите почту
    подтвердите регистрацию · подтвердить адрес · подтвердить почту · подтвердить регистрацию
    подтвердите email · подтвердите e-mail · активировать аккаунт · активируйте аккаунт
    підтвердіть адресу · підтвердіть реєстрацію · підтвердити адресу
    e-posta adresinizi onaylayın · e-posta adresinizi doğrulayın · hesabınızı etkinleştirin
    hesabınızı doğrulayın · hesabı etkinleştir
    bekräfta din e-post · bekräfta e-post · aktivera ditt konto · bekræft din e-mail
    bekræft e-mail · aktivér din konto · bekreft e-post · bekreft din e-post · aktiver kontoen
    vahvista sähköposti · aktivoi tili · potvrďte svůj e-mail · potvrďte e-mail
    potvrďte registraci · aktivujte svůj účet · erősítse meg e-mail · erősítsd meg az e-mail
    confirmă adresa · confirmați adresa · activează contul · activați contul
    επιβεβαιώστε τη διεύθυνση · επιβεβαίωση email · ενεργοποιήστε τον λογαριασμό
    xác nhận email · xác minh email · xác nhận địa chỉ email · kích hoạt tài khoản
    konfirmasi email · verifikasi email · aktifkan akun
    验证您的邮箱 · 验证邮箱 · 验证您的电子邮件 · 确认您的邮箱 · 激活账号 · 激活您的 · 驗證您的電子郵件
    メールアドレスの確認 · メールアドレスを確認 · メールアドレスの認証 · メールアドレスを認証 · アカウントの有効化
    アカウントを有効 · 이메일 인증 · 이메일 주소 확인 · 이메일 확인 · 계정 활성화
    تأكيد بريدك · تأكيد البريد · تفعيل حسابك · تفعيل الحساب
  `),
  /** The reader has just signed up, or changed the address: what a confirmation answers. */
  signedUp: phrases(`
    signing up · signed up · sign up · sign-up · signup · registering · registered · your registration
    thanks for joining · thank you for joining · thanks for creating · thank you for creating
    creating an account · account was created · account has been created
    created a · created an · created your · just created · account with this · new account · joined
    registration
    create an account · creating your account · create your account · finish setting up
    complete your sign · finish creating · completing your registration · complete registration
    complete your registration · added a new email · change the email · change of email
    changed the email · changed your email · welcome to · just one step · one quick step
    one more step · one last step · almost done · almost there · one step left
    registrierung · registriert · angemeldet haben · anmeldung bei · konto angelegt · konto erstellt
    konto eröffnet · neues konto · willkommen bei · willkommen im · nur noch ein schritt · fast geschafft
    votre inscription · inscrit · inscrite · créé un compte · création de votre compte · compte a été créé
    bienvenue sur · bienvenue chez · bienvenue à · plus qu'une étape · dernière étape
    por registrarte · por registrarse · te has registrado · se ha registrado · tu registro · su registro
    creado una cuenta · crear una cuenta · cuenta nueva · bienvenido a · bienvenida a · último paso
    seu cadastro · se cadastrar · se registrar · seu registo · criou uma conta · conta foi criada
    bem-vindo · boas-vindas
    la registrazione · tua registrazione · esserti registrat · ti sei registrat · ti sei iscritt
    creato un account · benvenuto · benvenuta · ultimo passaggio
    je registratie · je aanmelding · uw registratie · je hebt aangemeld · account aangemaakt · welkom bij
    nog één stap · bijna klaar
    za rejestrację · rejestracji · zarejestrowa · zakładanie konta · założenie konta · utworzy
    witamy w · ostatni krok
    за регистрацию · регистрации · зарегистрировались · создали аккаунт · создан аккаунт
    добро пожаловать · за реєстрацію · зареєструвалися · реєстрації · ласкаво просимо
    kaydolduğunuz · kayıt olduğunuz · üye olduğunuz · hesap oluştur · hoş geldiniz
    för att du registrer · har registrerat · skapat ett konto · välkommen till · har oprettet · tilmeldt dig
    velkommen til · har registrert · opprettet en konto · rekisteröity · loit tilin · tervetuloa
    za registraci · registraci · vytvořili účet · vítejte · regisztrál · regisztráció · üdvözöl
    înregistrare · înregistrat · creat un cont · bine ai venit · εγγραφή · καλώς ήρθατε
    đăng ký · tạo tài khoản · chào mừng · mendaftar · pendaftaran · selamat datang
    注册 · 註冊 · 欢迎加入 · ご登録 · 会員登録 · 新規登録 · アカウント作成 · 가입 · 환영합니다
    بتسجيل · التسجيل · مرحبا بك
  `),
  /** Pressure that a fraud puts on whoever has an account. Whoever has just signed up has nothing to lose yet. */
  accountThreat: phrases(`
    suspend · suspension · restricted · deactivat · terminat · has been limited · been locked · is locked
    will be closed · will be deleted · will be disabled · on hold · unusual · suspicious · unauthori
    mailbox · webmail · quota · storage · migration · incoming mail · incoming messages · mail server
    recovery phrase · seed phrase · wallet · kyc| · update your payment · billing · payment details
    avoid · restore access · restore your · keep your account active · prevent · last warning · final notice
    about to expire · has expired · keep receiving · continue receiving · continue using · pending messages
    undelivered · lose your · lose access · 24 hours or · your data · administrator · help desk · helpdesk
    it support · it department · account team · email support · mail team · mail support · congratulations
    prize · bonus · reward · refund · have been selected · has been selected
    läuft ab · abgelaufen · verlieren · gewonnen · gewinn · erstattung · bonus
    gesperrt · sperrung · eingeschränkt · postfach · speicher · ungewöhnlich · verdächtig
    expire bientôt · a expiré · perdre · gagné · remboursement
    suspendu · bloqué · inhabituelle · suspecte · boîte mail · boîte de réception
    caduca · caducad · perder · premio · reembolso
    suspendid · bloquead · inusual · sospechos · buzón · suspens · caixa de correio
    sospes · bloccat · insolit · casella · geblokkeerd · opgeschort · ongebruikelijk · postvak
    zablokowan · zawiesz · skrzynk · заблокирован · приостановлен · ограничен · почтовый ящик
    askıya · engellen · spärrat · spærret · sperret · lukittu · zablokov · pozastaven · felfüggeszt · suspendat
    bị khóa · đình chỉ · diblokir · 冻结 · 凍結 · 停用 · 異常 · 异常 · 利用停止 · 制限 · 정지 · 제한
    تعليق · تجميد · إيقاف
  `),
  /** What an appeal to supporters says beside the call to give: who pays for it, and for what cause. */
  appeal: phrases(`
    donate · donation · donations · chip in · pitch in · your gift · make a gift · give today · give now
    will you rush · paid for by · grassroots · registered charity · charity no · nonprofit · non-profit
    fundrais
    spende · spenden · spendenkonto · gemeinnützig
    votre don · faire un don · faites un don · un don| · chaque don| · don de · donnez · vous offrez · je donne · reçu fiscal · vos dons
    donativo · donación · dona ahora · donar · hazte socio · haz una donación
    doação · doar · dona ora · una donazione · donazione · 5x1000
    doneer · donatie · jouw gift · uw gift · je gift
    wesprzyj · wpłać · darowizn · zbiórk · пожертв · сбор средств
    bağış · gåva · skänk · stöd oss · støt os · støtt oss · lahjoit
    darujte · přispějte · adomány · adományoz · donează · donați
    δωρεά · quyên góp · donasi · 捐款 · 捐赠 · ご寄付 · 寄付 · 募金 · 기부 · 후원 · تبرع
  `),
  /** Ways to pay that leave no trace: no charity that sends newsletters asks for them. */
  untraceablePayment: phrases(`
    bitcoin · btc| · wallet · ethereum · eth| · usdt| · crypto · биткоин · gift card · gift cards · giftcard
    itunes card · steam card · western union · moneygram · money gram · mtcn · bank details · prepaid card
    geschenkkarte · gutscheinkarte · carte cadeau · cartes cadeaux · tarjeta regalo · tarjetas regalo
    beneficiary · next of kin · inheritance · widow · my private email · shipping
  `),
  /** How a reader signs in or proves who they are. */
  credential: phrases(`
    multi-factor · multifactor · two-factor · 2-factor · two-step · 2-step · 2fa| · mfa| · passkey
    authenticator · backup code · backup codes · recovery code · recovery phone · recovery email
    security key · api key · access token · access key · your password · new password · ssh key
    sign-in method · signed in to your account · sign-in to your account · login to your account
    zwei-faktor · 2-faktor · multi-faktor · bestätigung in zwei · zwei-schritt · ihr passwort
    dein passwort · ihr kennwort · zugangsschlüssel · api-schlüssel
    double authentification · authentification à deux · deux facteurs · multifacteur · deux étapes
    votre mot de passe · clé d'api
    dos pasos · dos factores · doble factor · multifactor · su contraseña · tu contraseña · clave de api
    dois fatores · duas etapas · dois passos · sua senha · a sua palavra-passe
    due fattori · due passaggi · la tua password · la sua password
    tweestapsverificatie · twee-factor · tweefactor · je wachtwoord · uw wachtwoord
    dwuskładnikow · dwuetapow · twoje hasło · двухфакторн · двухэтапн · ваш пароль · двофакторн
    iki adımlı · iki faktörlü · şifreniz · tvåfaktor · tvåsteg · ditt lösenord · tofaktor · to-trins
    totrinn · kaksivaihei · salasanasi · dvoufázov · dvoufaktor · vaše heslo · kétlépcsős · kétfaktor
    doi factori · doi pași · δύο παραγόντων · δύο βημάτων · hai yếu tố · hai bước · dua langkah · dua faktor
    双重验证 · 两步验证 · 双因素 · 兩步驟 · 雙重驗證 · 二段階認証 · 2段階認証 · 多要素認証 · 二要素認証
    2단계 인증 · 이중 인증 · 다단계 인증 · المصادقة الثنائية · خطوتين
  `),
  /** The reader has to do something about it, by a day or at once. */
  mustAct: phrases(`
    action required · action needed · requires your action · immediate action · you must · you need to
    must use · must be enabled · must enable · required for · will be required · becomes mandatory
    mandatory · before that day · before then · turn on · turn it on · set it up · set up · enrol · enable
    will not be able to · won't be able to · lose access · locked out · keep your access
    as soon as possible · expires in · will expire · about to expire · revoke · rotate · secure your account
    change your password · change it · reset your password now · if this was not you · if this wasn't you
    if it was not you · wasn't you
    handlungsbedarf · erforderlich · müssen sie · musst du · bitte richten · richten sie · richte
    aktivieren sie · aktiviere · läuft ab · läuft in · bitte ändern · ändern sie · nicht mehr anmelden
    sofort · umgehend · nur noch mit · verpflichtend · waren sie das nicht · warst du das nicht
    action requise · obligatoire · activez · vous devez · avant cette date · ne pourrez plus · expire dans
    modifiez votre · dès que possible · ce n'était pas vous · si ce n'est pas vous
    acción necesaria · acción requerida · obligatori · actívela · actívalo · active la · activa la · debe
    no podrá · no podrás · antes de esa fecha · caduca · cámbiala · si no fuiste tú
    ação necessária · obrigatóri · ative · não poderá · antes dessa data · expira em · se não foi você
    azione richiesta · azione necessaria · obbligatori · attiva la · attivala · non potrai · non potrà
    scade · se non sei stato tu
    actie vereist · verplicht · stel in · schakel · niet meer inloggen · verloopt · was jij dit niet
    wymagane działanie · wymagan · obowiązkow · włącz · nie będziesz · nie będzie można · wygasa
    требуется действие · обязательн · включите · не сможете · истекает · если это были не вы
    потрібна дія · обов'язков · увімкніть · işlem gerekli · zorunlu · etkinleştirin · giriş yapamaz
    åtgärd krävs · obligatorisk · aktivera · handling påkrævet · påkrevd · slå til · aktiver
    toimia vaaditaan · pakollinen · ota käyttöön · vyžadována akce · povinn · zapněte · nebudete moci
    teendő · kötelező · kapcsolja be · acțiune necesară · obligatori · activați
    απαιτείται ενέργεια · υποχρεωτικ · cần thực hiện · bắt buộc · bật · tindakan diperlukan · wajib · aktifkan
    需要采取 · 必须 · 請立即 · 请立即 · 启用 · 需要操作 · 対応が必要 · 必須 · 有効にして · 設定してください
    조치 필요 · 필수 · 설정해 · 활성화 · مطلوب · إلزامي · فعّل
  `),
} satisfies Readonly<Record<string, readonly string[]>>

type KindPhraseGroup = keyof typeof KIND_PHRASES

const findKindPhrases = phraseScanner(KIND_PHRASES)

/** The groups of which a phrase is in the sender's name, the subject or the visible text. Asked only of messages that are built like one of the kinds. */
export const kindPhrasesIn = perMessage(
  (message: Message): ReadonlySet<KindPhraseGroup> =>
    new Set(
      findKindPhrases(
        `${originOf(message).mailbox?.displayName ?? ''}\n${contentOf(message).text}`,
      ).keys(),
    ),
)
