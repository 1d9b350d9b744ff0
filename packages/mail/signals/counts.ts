/**
 * Numbers about a message, for models. None tells who received it, or when. Shares lie in [0, 1] and have names that end in
 * `Share`; all others are whole numbers from 0.
 */
import type { Message } from '../message/message.ts'
import { linkTargets, webTargets } from './link-targets.ts'
import { linkDomains } from './links.ts'
import { hops } from './received.ts'
import { recipientsCount } from './recipients.ts'
import { subjectTally, textTally } from './text.ts'

/** Each count and what it counts. The order is that of COUNT_NAMES. */
export const COUNTS = {
  links: 'Links to the web.',
  linkDomains: 'Registrable domains that links to the web lead to.',
  linkHosts: 'Hosts that links to the web lead to.',
  linkLongest: 'Characters of the longest link to the web.',
  mailLinks: 'Links that start an email.',
  images: 'Pictures in HTML bodies.',
  imagesWithoutText: 'Pictures in HTML bodies that have no alternative text.',
  attachments: 'Attachments.',
  attachmentKilobytes: 'Size of all attachments, in units of 1,024 bytes.',
  parts: 'MIME parts, the message itself among them.',
  depth: 'Depth of the deepest MIME part.',
  recipients: 'Mailboxes in To and Cc, at most RECIPIENTS_MAX.',
  hops: 'Received fields, at most HOPS_COUNTED_MAX.',
  subjectCharacters: 'Characters of the Subject.',
  subjectWords: 'Words of the Subject.',
  subjectUpperShare: 'Share of capitals among the letters of the Subject.',
  visibleCharacters: 'Characters of visible text, at most TEXT_LENGTH_MAX.',
  words: 'Words of visible text.',
  hiddenCharacters: 'Characters of hidden text in HTML bodies.',
  hiddenShare: 'Share of hidden text in all text of HTML bodies.',
  upperShare: 'Share of capitals among the letters of visible text.',
  digitsShare: 'Share of digits among the characters of visible text.',
  spacesShare: 'Share of white space among the characters of visible text.',
  exclamations: 'Exclamation marks in visible text.',
  questions: 'Question marks in visible text.',
  currencySigns: 'Currency symbols in visible text.',
  emoji: 'Emoji and other pictographs in visible text.',
  htmlTags: 'Start tags in HTML bodies.',
  htmlTables: 'Tables in HTML bodies.',
  htmlComments: 'Comments in HTML bodies.',
  htmlKilobytes: 'Characters of markup, in units of 1,024.',
  styleCharacters: 'Characters of style in HTML bodies.',
  markupPerVisible: 'Characters of markup for each visible one.',
} as const

export type CountName = keyof typeof COUNTS

/** All names, in the order of COUNTS. */
export const COUNT_NAMES = Object.keys(COUNTS) as readonly CountName[]

/** Beyond this many recipients more say nothing new. */
const RECIPIENTS_MAX = 20

/** Beyond this many hops the receiving side's own make the difference. */
const HOPS_COUNTED_MAX = 4

const KILOBYTE = 1024

/** The numbers of `message`, each 0 or more. */
export function counts(message: Message): Record<CountName, number> {
  return { ...structureCounts(message), ...textCounts(message) }
}

/** The numbers of one reading of a message whose own are `whole`: what its text does not change stays. */
export function countsOfReading(
  reading: Message,
  whole: Record<CountName, number>,
): Record<CountName, number> {
  return { ...whole, ...textCounts(reading) }
}

function structureCounts(message: Message) {
  const targets = webTargets(message)
  // A text that is shown is no attachment to its reader, whatever name it has.
  const attachments = message.attachments.filter(({ shown }) => !shown)
  return {
    links: targets.length,
    linkDomains: linkDomains(message).size,
    linkHosts: new Set(targets.map(({ host }) => host)).size,
    linkLongest: Math.max(0, ...targets.map(({ href }) => href.length)),
    mailLinks: linkTargets(message).filter(({ scheme }) => scheme === 'mailto').length,
    attachments: attachments.length,
    attachmentKilobytes: Math.ceil(sum(attachments, ({ bytes }) => bytes) / KILOBYTE),
    parts: message.parts.length,
    depth: message.parts.reduce((most, { depth }) => Math.max(most, depth), 0),
    recipients: Math.min(recipientsCount(message), RECIPIENTS_MAX),
    hops: Math.min(hops(message), HOPS_COUNTED_MAX),
  }
}

function textCounts(message: Message) {
  const subject = subjectTally(message)
  const text = textTally(message)
  const documents = message.texts.flatMap(({ html }) => html ?? [])
  const images = documents.flatMap((html) => html.images)
  const hidden = sum(documents, ({ hiddenText }) => hiddenText.length)
  const visible = sum(documents, ({ visibleText }) => visibleText.length)
  const source = sum(message.texts, (body) => (body.kind === 'html' ? body.source.length : 0))
  return {
    subjectCharacters: subject.length,
    subjectWords: subject.words,
    subjectUpperShare: share(subject.upper, subject.letters),
    visibleCharacters: text.length,
    words: text.words,
    upperShare: share(text.upper, text.letters),
    digitsShare: share(text.digits, text.length),
    spacesShare: share(text.spaces, text.length),
    exclamations: text.exclamations,
    questions: text.questions,
    currencySigns: text.currencySigns,
    emoji: text.pictographs,
    images: images.length,
    imagesWithoutText: images.filter(({ alt }) => alt.trim() === '').length,
    hiddenCharacters: hidden,
    hiddenShare: share(hidden, hidden + visible),
    htmlTags: sum(documents, ({ tagCounts }) => sum([...tagCounts.values()], (count) => count)),
    htmlTables: sum(documents, ({ tagCounts }) => tagCounts.get('table') ?? 0),
    htmlComments: sum(documents, ({ comments }) => comments),
    htmlKilobytes: Math.ceil(source / KILOBYTE),
    styleCharacters: sum(documents, ({ styleCharacters }) => styleCharacters),
    markupPerVisible: visible === 0 ? 0 : Math.floor((source - visible) / visible),
  }
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0)
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole
}
