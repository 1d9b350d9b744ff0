/** What a caller knows about a message besides its bytes: who sent it and to whom it goes. */
import type { ArrivalFallback, Facts } from '../mail/signals/signal.ts'

export interface Metadata {
  /** The client's IP address in canonical text form. */
  readonly senderIp?: string
  /** MAIL FROM with its domain in lower case; '' is the null sender. */
  readonly mailFrom?: string
  /** The user's id, passed on unchanged, since ids are compared byte for byte. */
  readonly userId?: string
  /** The time at which to judge a message without a readable Received date; now when absent. */
  readonly arrivalFallback?: ArrivalFallback
}

/** The part of `metadata` that concerns the message and not the recipient. */
export function factsFrom({ senderIp, mailFrom, arrivalFallback }: Metadata, now: Date): Facts {
  return {
    now,
    ...(arrivalFallback === undefined ? {} : { arrivalFallback }),
    ...(senderIp === undefined ? {} : { senderIp }),
    ...(mailFrom === undefined ? {} : { mailFrom }),
  }
}
