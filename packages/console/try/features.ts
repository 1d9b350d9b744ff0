/** Names of features as sentences. */
import type { Span } from '../../mail/features/accumulator.ts'
import type { Contribution } from '../api.ts'
import { senderClause } from './sender-clause.ts'
import { isSignal, signalClause } from './signal-clauses.ts'

/** One thing that spoke for or against spam. */
export interface FeatureName {
  readonly model: 'text' | 'meta' | 'both'
  readonly label: string
  /** The words of the message in it, in quotation marks; they are the sender's. */
  readonly quoted?: string
  /** The name that rules, documents and reports know it by. */
  readonly code?: string
}

const VIEWS: Readonly<Record<string, string>> = {
  'message word': 'in the text',
  'message pair': 'in the text',
  'subject word': 'in the subject',
  'from word': 'in the name of the sender',
  'anchor word': 'as the text of a link',
}

/** How the sender is known to the user. */
const TIES: Readonly<Record<Extract<Contribution, { kind: 'correspondent' }>['tie'], string>> = {
  written_to: 'This user has written to the sender',
  reply: 'It replies to a message of this user',
  received: 'This user has long received mail from the sender',
}

export function featureName(term: Contribution): FeatureName {
  switch (term.kind) {
    case 'baseline':
      return { model: 'both', label: 'Where every message starts' }
    case 'prior':
      return { model: 'both', label: 'The expected share of spam' }
    case 'reading':
      return { model: 'both', label: 'Only part of the message was judged' }
    case 'reader':
      return { model: 'both', label: 'What the text means, on the second reading' }
    case 'sender':
      return { model: 'both', label: capital(senderClause(term)) }
    case 'gtube':
      return { model: 'both', label: 'The test text for spam filters (GTUBE)' }
    case 'personal':
      return { model: 'both', label: "This user's corrections" }
    case 'correspondent':
      return { model: 'both', label: TIES[term.tie] }
    case 'list':
      return {
        model: 'both',
        label: `In the list ${term.list}: ${term.meaning}`,
        quoted: term.listed,
      }
    case 'rest':
      return { model: 'both', label: 'All weaker reasons together' }
    case 'text':
      return { model: 'text', ...textFeature(term.span) }
    case 'meta':
      return { model: 'meta', ...metaFeature(term.name) }
  }
}

/** The same for the same feature. */
export function featureKey(term: Contribution): string {
  if (term.kind === 'text') return `text ${spanKind(term.span)} ${term.span.text}`
  if (term.kind === 'list') return `list ${term.list}`
  return term.kind === 'meta' ? `meta ${term.name}` : term.kind
}

/** Digits are all the same to the model. */
function textFeature(span: Span): Omit<FeatureName, 'model'> {
  const kind = spanKind(span)
  const quoted = span.text
    .replaceAll('\u0001link', '[link]')
    .replaceAll('\u0001address', '[address]')
    .replaceAll('0', '#')
  return { label: VIEWS[kind] ?? kind, quoted }
}

function spanKind({ view, kind }: Span): string {
  return `${view} ${kind}`
}

function metaFeature(name: string): Omit<FeatureName, 'model'> {
  if (isSignal(name)) return { label: signalSentence(name), code: name }
  const [count = '', ...range] = name.split(' ')
  const words = count.replace(/([A-Z])/g, ' $1').toLowerCase()
  const isShare = words.endsWith(' share')
  const amount = range.join(' ').replace('-', '–').replace('>=', '≥')
  return { label: `${capital(words)}: ${amount}${isShare ? ' %' : ''}` }
}

/** What is true of a message with this signal. */
export function signalSentence(name: string): string {
  return capital(signalClause(name))
}

/** True for what is no signal and no word but a measurement: a share, a count, a length. */
export function isMeasurement(term: Contribution): boolean {
  return term.kind === 'meta' && !isSignal(term.name)
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
