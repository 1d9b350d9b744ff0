/**
 * GTUBE, the text that an operator sends to see whether a filter is in the way of mail: a message with it is
 * spam, whatever the models say (SpamAssassin's Generic Test for Unsolicited Bulk Email).
 */
import type { Message } from '../message/message.ts'

const GTUBE = 'XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'

/** What it adds to the log-odds of spam: beyond every threshold, for any other text beside it. */
const GTUBE_LOGIT = 40

/** What GTUBE in a visible text of `message` adds to the log-odds of spam; 0 without it. */
export function gtubeLogit({ texts }: Message): number {
  return texts.some(({ visible }) => visible.includes(GTUBE)) ? GTUBE_LOGIT : 0
}
