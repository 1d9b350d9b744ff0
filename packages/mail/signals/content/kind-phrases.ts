/**
 * Phrases by which kinds of honest mail are told from the fraud in the same dress. No signal is raised from them: they
 * are conditions of the verdict's allowances (verdict/allowances.ts) and of the class of a security notice
 * (verdict/class-term.ts).
 */
import type { Message } from '../../message/message.ts'
import { originOf } from '../origin.ts'
import { perMessage } from '../per-message.ts'
import { phraseScanner } from './phrase-scanner.ts'
import { contentOf, readPhrases } from './phrases.ts'

/** The groups of kind-phrases.tsv. */
const KINDS = [
  'confirmAddress',
  'signedUp',
  'accountThreat',
  'appeal',
  'untraceablePayment',
  'credential',
  'mustAct',
] as const

type KindPhraseGroup = (typeof KINDS)[number]

/** Made when first needed, since few messages are asked. */
let scanner: ReturnType<typeof phraseScanner<KindPhraseGroup>> | undefined

function findKindPhrases(text: string) {
  scanner ??= phraseScanner(readPhrases(new URL('kind-phrases.tsv', import.meta.url), KINDS))
  return scanner(text)
}

/** The groups of which a phrase is in the sender's name, the subject or the visible text. Asked only of messages that are built like one of the kinds. */
export const kindPhrasesIn = perMessage(
  (message: Message): ReadonlySet<KindPhraseGroup> =>
    new Set(
      findKindPhrases(
        `${originOf(message).mailbox?.displayName ?? ''}\n${contentOf(message).text}`,
      ).keys(),
    ),
)
