/** What may be told of a judged message: it is put into words when somebody asks. */
import { summaryReason, type UntoldReason } from '../../mail/verdict/reason-descriptions.ts'
import { type Judged, sentenceOf, sentenceText } from '../../mail/verdict/sentence.ts'
import type { MessageSummary } from './schemas.ts'

/** The same for all recipients: of a user it says at most that a rule or corrections decided. */
export interface ToldMessage extends Pick<MessageSummary, 'messageId' | 'senderDomain'> {
  /** The verdict that the sentence is about; undefined where nothing is said of spam, or recipients differ. */
  readonly judged: Judged | undefined
  /** The strongest first. */
  readonly reasons: readonly UntoldReason[]
}

/** The summary of `told`. */
export function summaryOf(told: ToldMessage): MessageSummary {
  const { messageId, senderDomain, reasons } = told
  const sentence = sentenceFor(told)
  return {
    messageId,
    senderDomain,
    ...(sentence !== undefined && { sentence }),
    reasons: reasons.map((reason) => summaryReason(reason)),
  }
}

/** Undefined where the verdict is. */
export function sentenceFor({ judged, reasons, senderDomain }: ToldMessage): string | undefined {
  if (judged === undefined) return undefined
  return sentenceText(sentenceOf(judged, reasons, senderDomain))
}
