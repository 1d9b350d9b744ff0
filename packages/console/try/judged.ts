/** The message in Try, its verdict, and what a user says of it. */
import type { MessageClass } from '../../mail/models/prediction.ts'
import { type DeliveryFields, type DiagnosticAnswer, deliveryOf, tamis } from '../api.ts'

/** A message to be judged. */
export interface Given {
  readonly name: string
  readonly message: Blob
  /** Nothing is learned from samples. */
  readonly isSample: boolean
}

export type Correction =
  | { readonly kind: 'spam'; readonly isSpam: boolean }
  | { readonly kind: 'class'; readonly classification: MessageClass }

export interface Corrected {
  readonly correction: Correction
  readonly status: string
  readonly feedbackId: string
}

/** A verdict, what was said of it, and the verdict before that was said. */
export interface Judged {
  readonly answer: DiagnosticAnswer
  readonly before?: DiagnosticAnswer
  readonly corrected?: Corrected
  readonly isWithdrawn?: boolean
}

export async function sendCorrection(
  message: Blob,
  facts: DeliveryFields,
  correction: Correction,
): Promise<Corrected> {
  const delivery = { ...deliveryOf(facts), userId: facts.userId.trim() }
  const { status, feedbackId } =
    correction.kind === 'spam'
      ? await tamis().message('/feedback-stream', message, {
          ...delivery,
          isSpam: correction.isSpam,
        })
      : await tamis().message('/tabs/feedback-stream', message, {
          ...delivery,
          classification: correction.classification,
        })
  return { correction, status, feedbackId }
}
