/** What may be told of a judged message: it is put into words when somebody asks, in the language asked for. */
import { ENGLISH } from '../../mail/verdict/languages/languages.ts'
import { summaryReason, type UntoldReason } from '../../mail/verdict/reason-descriptions.ts'
import { type Judged, sentenceOf, sentenceText } from '../../mail/verdict/sentence.ts'
import type { Texts } from '../../mail/verdict/texts.ts'
import type { MessageSummary } from './schemas.ts'

/** The same for all recipients: of a user it says at most that a rule or corrections decided. */
export interface ToldMessage extends Pick<MessageSummary, 'messageId' | 'senderDomain'> {
  /** The verdict that the sentence is about; undefined where nothing is said of spam, or recipients differ. */
  readonly judged: Judged | undefined
  /** The strongest first. */
  readonly reasons: readonly UntoldReason[]
}

/** The summary in the language of `texts`. */
export function summaryIn(texts: Texts, told: ToldMessage): MessageSummary {
  const { messageId, senderDomain, reasons } = told
  const sentence = sentenceIn(texts, told)
  const inEnglish = texts === ENGLISH ? undefined : sentenceIn(ENGLISH, told)
  return {
    messageId,
    senderDomain,
    ...(sentence !== undefined && { sentence }),
    ...(inEnglish !== undefined && { sentenceInEnglish: inEnglish }),
    reasons: reasons.map((reason) => summaryReason(texts, reason)),
  }
}

/** Undefined where the verdict is. */
export function sentenceIn(
  texts: Texts,
  { judged, reasons, senderDomain }: ToldMessage,
): string | undefined {
  if (judged === undefined) return undefined
  return sentenceText(texts, sentenceOf(texts, judged, reasons, senderDomain))
}
