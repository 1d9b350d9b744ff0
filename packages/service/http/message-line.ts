/**
 * What is said of a judged message in a log line and in `X-Tamis-Reasons`: the same by the service, the
 * milter, spamd and Rspamd's endpoints.
 *
 * A log line names no user and no address: of the sender only the domain. The field goes to all recipients,
 * and to the sender of a bounce, so its reasons are those of the message and of the site. Of a user's it says that a rule
 * or corrections decided, and nothing else.
 */
import type { FullResult, MessageSummary, TabsResult } from '../../client/client.ts'
import { asciiHeaderValue } from './header-value.ts'

/** The verdicts on a message for its recipients, as one. */
export interface JudgedAs {
  /** `mixed`: spam for some of them. */
  readonly verdict: 'spam' | 'ham' | 'mixed'
  /** Spam probability, in [0, 1], the least of all. */
  readonly probability: number
  /** The class, that of the models where the recipients differ. */
  readonly class: FullResult['classification']
  /** What overrode the models for all of them. */
  readonly reason: NonNullable<FullResult['bypassReason']> | undefined
  /** True when a person should look. */
  readonly escalate: boolean
}

export interface MessageLine extends Partial<JudgedAs> {
  readonly messageId: string
  readonly senderDomain: string
  /** 'Probably spam: a link leads to a bare IP address.' Log lines are in English. */
  readonly sentence: string | undefined
  /** '+2.1 LINK_IP_HOST', the strongest first. */
  readonly reasons: readonly string[]
}

export const REASONS_FIELD = 'X-Tamis-Reasons'

/** Characters of a line, RFC 5322 §2.1.1. */
const LINE_LENGTH_MAX = 78

/** Characters of the sentence, and of one reason, in the field: with five of them it fits into one line of 998, where it is not folded. */
const SENTENCE_LENGTH_MAX = 240
const REASON_LENGTH_MAX = 145

/** Digits of a probability, enough to tell whether it is above a threshold. */
const DIGITS = 4

/** The verdicts on a message, at least one, as one; `shared` is that for a user without corrections. */
export function judgedAs(
  verdicts: readonly FullResult[],
  shared: Pick<FullResult, 'classification'>,
): JudgedAs {
  const spam = verdicts.filter(({ isSpam }) => isSpam).length
  const [onlyClass, ...classes] = new Set(verdicts.map(({ classification }) => classification))
  const [onlyReason, ...reasons] = new Set(verdicts.map(({ bypassReason }) => bypassReason))
  return {
    verdict: spam === verdicts.length ? 'spam' : spam === 0 ? 'ham' : 'mixed',
    probability: Math.min(...verdicts.map(({ spamProbability }) => spamProbability)),
    class: classes.length > 0 || onlyClass === undefined ? shared.classification : onlyClass,
    reason: reasons.length > 0 ? undefined : (onlyReason ?? undefined),
    escalate: verdicts.some(({ shouldEscalate }) => shouldEscalate),
  }
}

/** The fields of a log line about a message, of which perhaps the class alone was asked for. */
export function messageLine(
  { messageId, senderDomain, sentence, reasons }: MessageSummary,
  judged: JudgedAs | Pick<TabsResult, 'classification'>,
): MessageLine {
  return {
    messageId,
    senderDomain,
    ...('verdict' in judged ? verdictLine(judged) : { class: judged.classification }),
    sentence,
    reasons: reasons.map(({ name, points }) => `${pointsText(points)} ${name}`),
  }
}

function verdictLine({ verdict, probability, class: name, reason, escalate }: JudgedAs): JudgedAs {
  const rounded = Number(probabilityText(probability))
  return { verdict, probability: rounded, class: name, reason, escalate }
}

/**
 * The body of X-Tamis-Reasons, the sentence and then the reasons, in ASCII (rules of Sieve compare plain text), in lines of at most 78 characters where its words
 * allow that: each of them begins a line, and each line after the first begins with the space at which it was
 * folded. Empty when there is neither.
 */
export function reasonsLines({
  sentence,
  reasons,
}: Pick<MessageSummary, 'sentence' | 'reasons'>): string[] {
  const told = reasons.map(({ name, points, description }) => {
    const words = `${pointsText(points)} ${name} (${withoutStop(description)})`
    return asciiHeaderValue(words).slice(0, REASON_LENGTH_MAX)
  })
  const said = asciiHeaderValue(withoutStop(sentence ?? '')).slice(0, SENTENCE_LENGTH_MAX)
  const texts = said === '' ? told : [said, ...told]
  return texts.flatMap((text, at) => {
    const end = at < texts.length - 1 ? ';' : ''
    if (at > 0) return folded(` ${text}${end}`, LINE_LENGTH_MAX)
    return folded(`${text}${end}`, LINE_LENGTH_MAX - `${REASONS_FIELD}: `.length)
  })
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}

/** `text` in lines, the first of at most `width` characters. */
function folded(text: string, width: number): string[] {
  const space = text.lastIndexOf(' ', width)
  if (text.length <= width || space <= 0) return [text]
  return [text.slice(0, space), ...folded(text.slice(space), LINE_LENGTH_MAX)]
}

export interface Field {
  readonly name: string
  /** In ASCII, folded with LF and white space. */
  readonly body: string
}

/**
 * The fields that say what was found, the topmost first. Of what overrode the models only what lies in the message itself: a field
 * goes to all recipients, and to the sender of a bounce.
 *
 * @param more words for X-Tamis-Verdict
 */
export function tamisFields(
  { verdict, probability, class: name, reason, escalate }: JudgedAs,
  summary: MessageSummary,
  more: readonly string[] = [],
): Field[] {
  const isOfMessage = reason === 'phishtank_match' || reason === 'parse_error'
  const words = [
    verdict,
    `probability=${probabilityText(probability)}`,
    ...(isOfMessage ? [`reason=${reason}`] : []),
    ...(escalate ? ['escalate=yes'] : []),
    ...more,
  ]
  const reasons = reasonsLines(summary).join('\n')
  return [
    verdictField(words),
    { name: 'X-Tamis-Class', body: asciiHeaderValue(name) },
    ...(reasons === '' ? [] : [{ name: REASONS_FIELD, body: reasons }]),
  ]
}

export function verdictField(words: readonly string[]): Field {
  const ended = words.map((word, at) => (at < words.length - 1 ? `${word};` : word))
  return wordsField('X-Tamis-Verdict', ended)
}

/** `words` in lines of at most 78 characters where they allow that. What a comma ends, but for the first word, has no space behind it. */
export function wordsField(name: string, words: readonly string[]): Field {
  const [first = '', ...others] = words
  const lines = [`${name}: ${first}`]
  for (const word of others) {
    const line = lines.at(-1)!
    const glue = line.endsWith(',') && !line.endsWith(` ${first}`) ? '' : ' '
    if (line.length + glue.length + word.length <= LINE_LENGTH_MAX) {
      lines[lines.length - 1] = line + glue + word
    } else lines.push(`\t${word}`)
  }
  return { name, body: lines.join('\n').slice(`${name}: `.length) }
}

/** The body of a field in one line. */
export function unfolded(body: string): string {
  return body.replaceAll('\n\t', ' ').replaceAll('\n', '')
}

/** A probability in four digits, rounded down: one below a threshold must not look as if it reached it. */
function probabilityText(probability: number): string {
  const unit = 10 ** DIGITS
  return (Math.floor(probability * unit) / unit).toFixed(DIGITS)
}

/** '+2.1' speaks for spam, '-0.3' against it. */
function pointsText(points: number): string {
  return points > 0 ? `+${points.toFixed(1)}` : points.toFixed(1)
}
