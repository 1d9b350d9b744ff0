/** Names of features as sentences. */
import { isSignal, type SenderStanding } from '../../mail/signals/clauses.ts'
import {
  listWords,
  OWN_REASONS,
  type OwnSymbol,
  readingWords,
  scanWords,
  weightedWords,
} from '../../mail/verdict/own-reasons.ts'
import type { Contribution } from '../api.ts'
import { senderClause } from './sender-clause.ts'
import { signalClause } from './signal-sentences.ts'

/** One thing that spoke for or against spam. */
export interface FeatureName {
  readonly model: 'text' | 'meta' | 'both'
  readonly label: string
  /** What the sender wrote of it, in quotation marks: words, or the entry of a list. */
  readonly quoted?: readonly string[]
  /** The name that rules, documents and reports know it by. */
  readonly code?: string
}

/** Words named of the wording. */
const WORDS_SHOWN = 5

/** How the sender is known to the recipient. */
const TIES: Readonly<Record<Extract<Contribution, { kind: 'correspondent' }>['tie'], string>> = {
  written_to: 'The recipient has written to the sender',
  reply: 'It replies to a message of the recipient',
  received: 'The recipient has long received mail from the sender',
}

/** @param sender what checks say of whom the message claims to be from. */
export function featureName(term: Contribution, sender?: SenderStanding): FeatureName {
  switch (term.kind) {
    case 'baseline':
      return { model: 'both', label: ownLabel('TAMIS_BASE') }
    case 'prior':
      return { model: 'both', label: 'The expected share of spam' }
    case 'reading':
      return { model: 'both', label: readingWords(term.reading) }
    case 'reader':
      return { model: 'both', label: ownLabel('TAMIS_READER') }
    case 'sender':
      return { model: 'both', label: capital(senderClause(term)) }
    case 'gtube':
      return { model: 'both', label: ownLabel('TAMIS_GTUBE') }
    case 'personal':
      return { model: 'both', label: ownLabel('TAMIS_USER_LEARNED') }
    case 'correspondent':
      return { model: 'both', label: TIES[term.tie] }
    case 'list':
      return { model: 'both', label: listWords(term.list, term.meaning), quoted: [term.listed] }
    case 'rule':
      return { model: 'both', label: weightedWords(term.name) }
    case 'scan':
      return { model: 'both', label: scanWords(term.result, term.signature) }
    case 'rest':
      return { model: 'both', label: ownLabel('TAMIS_OTHER') }
    case 'wording':
      return { model: 'text', label: ownLabel('TAMIS_TEXT'), quoted: wordsNamed(term) }
    case 'meta':
      return { model: 'meta', ...metaFeature(term.name, sender) }
  }
}

/** As other places have it, without the full stop. */
function ownLabel(name: OwnSymbol): string {
  return OWN_REASONS[name].replace(/\.$/, '')
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

function metaFeature(name: string, sender?: SenderStanding): Omit<FeatureName, 'model'> {
  if (isSignal(name)) return { label: signalSentence(name, sender), code: name }
  const [count = '', ...range] = name.split(' ')
  const words = count.replace(/([A-Z])/g, ' $1').toLowerCase()
  const isShare = words.endsWith(' share')
  const amount = range.join(' ').replace('-', '–').replace('>=', '≥')
  return { label: `${capital(words)}: ${amount}${isShare ? ' %' : ''}` }
}

/** What is true of a message with this signal. */
export function signalSentence(name: string, sender?: SenderStanding): string {
  return capital(signalClause(name, sender))
}

/** True for what is no signal but a measurement: a share, a count, a length. */
export function isMeasurement(term: Contribution): boolean {
  return term.kind === 'meta' && !isSignal(term.name)
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
