/**
 * What programs add by themselves, in the language of the message: the small print of mailings and
 * the line a telephone puts under what is written on it.
 */

export interface Phrases {
  readonly unsubscribe: string
  readonly viewInBrowser: string
  /** Why the reader has this. */
  readonly reason: string
  readonly rights: string
  readonly privacy: string
  /** Holds {device}. */
  readonly sentFrom: string
}

const ENGLISH: Phrases = {
  unsubscribe: 'Unsubscribe',
  viewInBrowser: 'View in browser',
  reason: 'This email was sent to {address}.',
  rights: 'All rights reserved.',
  privacy: 'Privacy policy',
  sentFrom: 'Sent from my {device}',
}

const PHRASES: Readonly<Record<string, Phrases>> = {
  en: ENGLISH,
  de: {
    unsubscribe: 'Abmelden',
    viewInBrowser: 'Im Browser ansehen',
    reason: 'Diese E-Mail wurde an {address} gesendet.',
    rights: 'Alle Rechte vorbehalten.',
    privacy: 'Datenschutz',
    sentFrom: 'Von meinem {device} gesendet',
  },
  es: {
    unsubscribe: 'Darse de baja',
    viewInBrowser: 'Ver en el navegador',
    reason: 'Este correo se ha enviado a {address}.',
    rights: 'Todos los derechos reservados.',
    privacy: 'Política de privacidad',
    sentFrom: 'Enviado desde mi {device}',
  },
  fr: {
    unsubscribe: 'Se désabonner',
    viewInBrowser: 'Voir dans le navigateur',
    reason: 'Cet e-mail a été envoyé à {address}.',
    rights: 'Tous droits réservés.',
    privacy: 'Politique de confidentialité',
    sentFrom: 'Envoyé de mon {device}',
  },
  pt: {
    unsubscribe: 'Descadastrar',
    viewInBrowser: 'Ver no navegador',
    reason: 'Este e-mail foi enviado para {address}.',
    rights: 'Todos os direitos reservados.',
    privacy: 'Política de privacidade',
    sentFrom: 'Enviado do meu {device}',
  },
  it: {
    unsubscribe: 'Disiscriviti',
    viewInBrowser: 'Visualizza nel browser',
    reason: 'Questa email è stata inviata a {address}.',
    rights: 'Tutti i diritti riservati.',
    privacy: 'Informativa sulla privacy',
    sentFrom: 'Inviato da {device}',
  },
  nl: {
    unsubscribe: 'Afmelden',
    viewInBrowser: 'Bekijk in browser',
    reason: 'Deze e-mail is verstuurd aan {address}.',
    rights: 'Alle rechten voorbehouden.',
    privacy: 'Privacybeleid',
    sentFrom: 'Verstuurd vanaf mijn {device}',
  },
  pl: {
    unsubscribe: 'Wypisz się',
    viewInBrowser: 'Zobacz w przeglądarce',
    reason: 'Ta wiadomość została wysłana na adres {address}.',
    rights: 'Wszelkie prawa zastrzeżone.',
    privacy: 'Polityka prywatności',
    sentFrom: 'Wysłane z {device}',
  },
  ru: {
    unsubscribe: 'Отписаться',
    viewInBrowser: 'Открыть в браузере',
    reason: 'Это письмо отправлено на {address}.',
    rights: 'Все права защищены.',
    privacy: 'Политика конфиденциальности',
    sentFrom: 'Отправлено с {device}',
  },
  ja: {
    unsubscribe: '配信停止',
    viewInBrowser: 'ブラウザで表示',
    reason: 'このメールは {address} 宛に送信されました。',
    rights: '無断転載を禁じます。',
    privacy: 'プライバシーポリシー',
    sentFrom: '{device}から送信',
  },
  zh: {
    unsubscribe: '退订',
    viewInBrowser: '在浏览器中查看',
    reason: '此邮件发送至 {address}。',
    rights: '版权所有。',
    privacy: '隐私政策',
    sentFrom: '发自我的{device}',
  },
  tr: {
    unsubscribe: 'Abonelikten çık',
    viewInBrowser: 'Tarayıcıda görüntüle',
    reason: 'Bu e-posta {address} adresine gönderildi.',
    rights: 'Tüm hakları saklıdır.',
    privacy: 'Gizlilik politikası',
    sentFrom: "{device}'umdan gönderildi",
  },
  sv: {
    unsubscribe: 'Avregistrera',
    viewInBrowser: 'Visa i webbläsaren',
    reason: 'Detta mejl skickades till {address}.',
    rights: 'Med ensamrätt.',
    privacy: 'Integritetspolicy',
    sentFrom: 'Skickat från min {device}',
  },
  ar: {
    unsubscribe: 'إلغاء الاشتراك',
    viewInBrowser: 'عرض في المتصفح',
    reason: 'تم إرسال هذه الرسالة إلى {address}.',
    rights: 'جميع الحقوق محفوظة.',
    privacy: 'سياسة الخصوصية',
    sentFrom: 'أُرسلت من {device}',
  },
}

/** The phrases of `language`, ISO 639-1; English ones if we have none. */
export function phrasesOf(language: string): Phrases {
  return PHRASES[language] ?? ENGLISH
}
