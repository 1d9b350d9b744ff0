/** What a user says of a message in the console, and its way back. */
import type { MessageClass } from '../../mail/models/prediction.ts'
import { type DeliveryFields, deliveryOf, tamis } from '../api.ts'

export type Correction =
  | { readonly kind: 'spam'; readonly isSpam: boolean }
  | { readonly kind: 'class'; readonly classification: MessageClass }

export interface Corrected {
  readonly correction: Correction
  readonly status: string
  readonly feedbackId: string
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

export async function takeBack({ feedbackId }: Corrected): Promise<void> {
  await tamis().delete('/feedback/{feedbackId}', { params: { path: { feedbackId } } })
}

export function saidOf(correction: Correction): string {
  if (correction.kind === 'class') return correction.classification
  return correction.isSpam ? 'spam' : 'not spam'
}
