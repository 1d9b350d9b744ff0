/** What a caller knows about a message beside its bytes: who sent it and to whom it goes. */
import type { ArrivalFallback, Facts } from '../mail/signals/signal.ts'

export interface Metadata {
  /** Canonical text form. */
  readonly senderIp?: string
  /** Domain in lower case; '' is the null sender. */
  readonly mailFrom?: string
  /** Compared byte for byte, so passed on as it came. */
  readonly userId?: string
  /** What a message without a readable Received date is judged at; now when absent. */
  readonly arrivalFallback?: ArrivalFallback
}

/** What of `metadata` concerns the message and not the recipient. */
export function factsFrom({ senderIp, mailFrom, arrivalFallback }: Metadata, now: Date): Facts {
  return {
    now,
    ...(arrivalFallback === undefined ? {} : { arrivalFallback }),
    ...(senderIp === undefined ? {} : { senderIp }),
    ...(mailFrom === undefined ? {} : { mailFrom }),
  }
}
