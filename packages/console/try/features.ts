/** Names of features as sentences. */
import { CATALOGUE, type SignalName } from '../../mail/signals/catalogue.ts'

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
  'message word': 'the word',
  'message pair': 'the words',
  'subject word': 'in the subject',
  'from word': 'in the name of the sender',
  'anchor word': 'as the text of a link',
}

const TEXT_FEATURE = /^text: (\w+ \w+) "(.*)"$/s

export function featureName(feature: string): FeatureName {
  if (feature === 'bias') return { model: 'both', label: 'Where every message begins' }
  if (feature === 'prior') return { model: 'both', label: 'The share of spam that is expected' }
  if (feature === 'all others') return { model: 'both', label: 'All the weaker ones together' }
  const text = TEXT_FEATURE.exec(feature)
  if (text !== null) return textFeature(text[1] ?? '', text[2] ?? '')
  const name = feature.replace(/^meta: /, '')
  return { model: 'meta', ...metaFeature(name) }
}

function textFeature(view: string, words: string): FeatureName {
  const quoted = words.replaceAll('\u0001link', '[link]').replaceAll('\u0001address', '[address]')
  return { model: 'text', label: VIEWS[view] ?? view, quoted }
}

function metaFeature(name: string): Omit<FeatureName, 'model'> {
  if (isSignal(name)) return { label: withoutStop(CATALOGUE[name].description), code: name }
  const [count = '', ...range] = name.split(' ')
  const words = count.replace(/([A-Z])/g, ' $1').toLowerCase()
  const isShare = words.endsWith(' share')
  const amount = range.join(' ').replace('-', '–').replace('>=', '≥')
  return { label: `${capital(words)}: ${amount}${isShare ? ' %' : ''}` }
}

function isSignal(name: string): name is SignalName {
  return Object.hasOwn(CATALOGUE, name)
}

/** What is true of a message with this signal. */
export function signalSentence(name: string): string {
  return isSignal(name) ? withoutStop(CATALOGUE[name].description) : name
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '')
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
