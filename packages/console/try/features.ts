/** Names of features as sentences. */
import {
  capital,
  isSignal,
  type OwnSymbol,
  type SenderStanding,
  say,
  TEXTS,
} from '../../mail/verdict/texts.ts'
import type { Contribution } from '../api.ts'
import { signalClause } from '../clauses.ts'

/** One thing that spoke for or against spam. */
export interface FeatureName {
  readonly label: string
  /** What the sender wrote of it, in quotation marks: words, or the entry of a list. */
  readonly quoted?: readonly string[]
  /** The name that rules, documents and reports know it by. */
  readonly code?: string
}

/** Words named of the wording. */
const WORDS_SHOWN = 5

const SCAN_TEXTS = { virus: 'one.TAMIS_VIRUS', suspicion: 'one.TAMIS_SCAN_SUSPICION' } as const

/** @param sender what checks say of whom the message claims to be from. */
export function featureName(term: Contribution, sender?: SenderStanding): FeatureName {
  switch (term.kind) {
    case 'baseline':
      return { label: ownLabel('TAMIS_BASE') }
    case 'prior':
      return { label: withoutStop(TEXTS.prior) }
    case 'reading':
      return { label: withoutStop(say('reading', { reading: TEXTS[`reading.${term.reading}`] })) }
    case 'sender':
      return {
        label: withoutStop(TEXTS[`checks.${term.result}.${term.fromDomain}`]),
      }
    case 'allowance':
      return { label: ownLabel(`TAMIS_${term.reason}`) }
    case 'gtube':
      return { label: ownLabel('TAMIS_GTUBE') }
    case 'personal':
      return { label: ownLabel('TAMIS_USER_LEARNED') }
    case 'correspondent':
      return { label: withoutStop(TEXTS[`tie.${term.tie}`]) }
    case 'list':
      return {
        label: withoutStop(say('one.TAMIS_LIST', { list: term.list, meaning: term.meaning })),
        quoted: [term.listed],
      }
    case 'rule':
      return { label: withoutStop(say('reason.TAMIS_RULE', { name: term.name })) }
    case 'scan':
      return { label: withoutStop(say(SCAN_TEXTS[term.result], { signature: term.signature })) }
    case 'rest':
      return { label: ownLabel('TAMIS_OTHER') }
    case 'wording':
      return { label: ownLabel('TAMIS_TEXT'), quoted: wordsNamed(term) }
    case 'meta':
      return metaFeature(term.name, sender)
  }
}

/** As other places have it, without the full stop. */
function ownLabel(name: OwnSymbol): string {
  return withoutStop(TEXTS[`reason.${name}`])
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}

/** The same for the same feature. */
export function featureKey(term: Contribution): string {
  if (term.kind === 'list') return `list ${term.list}`
  if (term.kind === 'rule') return `rule ${term.name}`
  return term.kind === 'meta' ? `meta ${term.name}` : term.kind
}

/** The words that speak as all of them do together. */
function wordsNamed({ words, logit }: Extract<Contribution, { kind: 'wording' }>): string[] {
  return words
    .filter((word) => word.logit > 0 === logit > 0)
    .slice(0, WORDS_SHOWN)
    .map(({ span }) => span.text)
}

function metaFeature(name: string, sender?: SenderStanding): FeatureName {
  if (isSignal(name)) return { label: signalSentence(name, sender), code: name }
  const [count = '', ...range] = name.split(' ')
  const words = count.replace(/([A-Z])/g, ' $1').toLowerCase()
  const isShare = words.endsWith(' share')
  const amount = range.join(' ').replace('-', '–').replace('>=', '≥')
  return { label: `${capital(words)}: ${amount}${isShare ? ' %' : ''}` }
}

/** What is true of a message with this signal. */
export function signalSentence(name: string, sender?: SenderStanding): string {
  return capital(signalClause(name, sender) ?? name)
}

/** True for what is no signal but a measurement: a share, a count, a length. */
export function isMeasurement(term: Contribution): boolean {
  return term.kind === 'meta' && !isSignal(term.name)
}
