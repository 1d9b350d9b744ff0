import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { detectLanguage } from '../../signals/language.ts'

/** One sentence each, as a neighbour would write it. */
const SENTENCES: Readonly<Record<string, string>> = {
  en: 'We are having a small party in the garden on Friday and you are welcome to join us with your family.',
  de: 'Wir feiern am Freitag ein kleines Fest im Garten, und ihr seid mit der ganzen Familie herzlich eingeladen.',
  fr: 'Nous faisons une petite fête dans le jardin vendredi et vous êtes les bienvenus avec votre famille.',
  es: 'El viernes hacemos una pequeña fiesta en el jardín y están todos invitados con la familia.',
  it: 'Venerdì facciamo una piccola festa nel giardino e siete tutti invitati con la vostra famiglia.',
  pt: 'Na sexta-feira vamos fazer uma pequena festa no jardim e vocês estão convidados com a família.',
  nl: 'Wij geven vrijdag een klein feest in de tuin en jullie zijn met het hele gezin van harte welkom.',
  sv: 'Vi har en liten fest i trädgården på fredag och ni är välkomna att komma med hela familjen.',
  da: 'Vi holder en lille fest i haven på fredag, og I er velkomne til at komme med hele familien og dine venner.',
  fi: 'Meillä on pienet juhlat puutarhassa perjantaina ja olet tervetullut, mutta kerro jos et voi tulla.',
  pl: 'W piątek robimy małe przyjęcie w ogrodzie i zapraszamy was z całą rodziną, ale nie jest to obowiązek.',
  cs: 'V pátek pořádáme malou oslavu na zahradě a jste zváni s celou rodinou, ale není to povinné.',
  ro: 'Vineri facem o mică petrecere în grădină și sunteți invitați cu toată familia, dar nu este obligatoriu să veniți.',
  hu: 'Pénteken egy kis ünnepség lesz a kertben, és az egész család jöhet, de nem kell ajándékot hozni, csak ha van.',
  tr: 'Cuma günü bahçede küçük bir parti var ve siz de aileniz ile bu akşam için davetlisiniz, daha sonra müzik olacak.',
  vi: 'Thứ sáu chúng tôi có một bữa tiệc nhỏ trong vườn và bạn được mời đến với gia đình của bạn.',
  id: 'Hari Jumat kami akan mengadakan pesta kecil di kebun dan anda bisa datang dengan keluarga atau teman.',
  ru: 'В пятницу у нас будет небольшой праздник в саду, и мы приглашаем вас с семьёй, но это не обязательно.',
  uk: 'У пʼятницю ми святкуємо в саду, і ви запрошені з родиною, але це не обовʼязково, якщо вже є інші плани.',
  bg: 'В петък ще има малък празник в градината и вие сте поканени с цялото семейство, но това не е задължително.',
  el: 'Την Παρασκευή κάνουμε μια μικρή γιορτή στον κήπο.',
  he: 'ביום שישי אנחנו עושים מסיבה קטנה בגינה.',
  ar: 'سنقيم حفلة صغيرة في الحديقة يوم الجمعة.',
  hi: 'शुक्रवार को हम बगीचे में एक छोटी सी पार्टी कर रहे हैं।',
  th: 'วันศุกร์เราจะจัดงานเลี้ยงเล็กๆ ในสวน',
  ka: 'პარასკევს ბაღში პატარა წვეულება გვაქვს.',
  hy: 'Ուրբաթ օրը մենք պարտեզում փոքրիկ տոն ունենք։',
  ja: '金曜日に庭で小さなパーティーをしますので、ご家族でお越しください。',
  ko: '금요일에 정원에서 작은 파티를 합니다.',
  zh: '星期五我们在花园里举办一个小聚会，欢迎您全家光临。',
}

describe('detectLanguage', () => {
  for (const [language, sentence] of Object.entries(SENTENCES)) {
    it(`knows ${language}`, () => assert.equal(detectLanguage(sentence), language))
  }

  it('does not guess from a list of names', () => {
    assert.equal(detectLanguage('Anna Berg, Carlo Rossi, Maria Lopez'), 'und')
  })

  it('does not guess from numbers, or from nothing', () => {
    assert.equal(detectLanguage('4829 1377 20.00'), 'und')
    assert.equal(detectLanguage(''), 'und')
  })

  it('looks no further than 1,000 characters', () => {
    assert.equal(detectLanguage(`${'x'.repeat(1_000)} ${SENTENCES.en}`), 'und')
  })
})
