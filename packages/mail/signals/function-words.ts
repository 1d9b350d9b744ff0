/**
 * Words that every sentence of a language is full of, and that tell it from its neighbours.
 *
 * Our own lists of common articles, pronouns, prepositions and verbs. A word may stand under
 * several languages; it then counts for each. Codes are ISO 639-1.
 */
export const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  en: 'the and of to in is you that it for on are with as your this have from or be was will can our we not by all please if at an has been',
  de: 'der die das und ist nicht ein eine einen mit für auf von sie wir ihre ihr ihren ich zu den dem des im bei auch wird sich oder haben sind werden können bitte uns als nach noch wenn über',
  fr: 'le la les des et est un une pour dans que qui vous votre vos nous sur avec pas au aux ce cette du par plus sont être avez notre si ou mais ne',
  es: 'el la los las de y que en un una por para con su sus es se no del al lo tu como más este esta pero si nos ha son usted muy está o',
  it: 'il la gli le di e che un una per con non è sono del della nel alla dei più ti tuo tua suo questo questa come ma si ci da anche ha se delle',
  pt: 'o a os as de e que em um uma para com não do da dos das no na por mais seu sua você se é são como este esta foi ao pelo nós muito está',
  nl: 'de het een en van is dat niet je jouw uw voor met op zijn te aan wij we ook of door bij naar deze dit worden kunt hebt als heeft maar nog onze',
  sv: 'och att det som en är för på med av den till inte har du ditt din vi kan om från ett eller så detta dina här oss vara ska',
  da: 'og at det som en er for på med af den til ikke har du dit din vi kan om fra et eller så dette dine her os være skal din blev',
  no: 'og at det som en er for på med av den til ikke har du ditt din vi kan om fra et eller så dette dine her oss være skal ble deg',
  fi: 'ja on ei että se hän oli mutta tai kun niin ovat voit myös sinun jos mitä tämä tämän olet kanssa mukaan meidän ole saat',
  pl: 'i w na z do nie się to jest że o dla od po jak przez co ale za oraz są twoje możesz można tego jego był być które które przy',
  cs: 'a v na se je že to s z do pro jsou jako ale si nebo které který jsme vám vás při také od po jste bude byla aby vaše podle',
  ro: 'și în de la cu pe un o nu este pentru din că sunt care mai ai ale fi dumneavoastră sau ce am va acest această prin',
  hu: 'a az és hogy nem is egy van ez meg csak de ha már mint vagy kell ön önnek azt volt amely minden lehet után',
  tr: 've bir bu için ile da de olarak çok daha ne gibi var olan en size siz değil kadar sonra her veya ancak ise bize',
  vi: 'và của là có cho không được các trong một người với này khi đã những để bạn tôi từ đến vào cũng như',
  id: 'yang dan di ini itu dengan untuk tidak dari anda pada ke adalah kami akan atau juga bisa sudah saya kita oleh lebih',
  ru: 'и в не на что с по это для как вы мы от из вас ваш или все но если за вам его так будет при можно только уже',
  uk: 'і в не на що з та це для як ви ми від із вас ваш або все але якщо за вам його так буде при можна тільки вже є',
  bg: 'и в не на че с по това за как вие ние от из вас ваш или всички но ако са ви се да ще е при може само вече',
}
