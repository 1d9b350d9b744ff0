/** The journey of a correction or a rule as far as it needs the message: receive -> analyse. */

import { memoryItemOf } from '../mail/personalization/personal-analysis.ts'
import { analyseBody, receiveBody } from './analyse-body.ts'
import { embeddingOf } from './encoder/embedder.ts'
import type { Request, Service } from './request.ts'
import type { LearnableMessage } from './users/correction.ts'

/** How long a correction waits for its embedding, in milliseconds: the first of a service waits for the encoder to open. */
const EMBEDDING_MS_MAX = 10_000

/** What a corrected message is compared by, and what is learned from it. */
export async function learnableMessage(
  service: Service,
  incoming: Request,
): Promise<LearnableMessage> {
  await using body = await receiveBody(service, incoming)
  const options = { personal: true, eventFeatures: true }
  const { analysis, sender } = await analyseBody(service, incoming, body, options)
  const { personal, eventFeatures } = analysis
  if (eventFeatures === undefined) {
    throw new TypeError('The analysis was made without what a correction needs')
  }
  const { patterns, identity, embeddedText } = personal
  const embedding = await embeddingOf(service, incoming, embeddedText, EMBEDDING_MS_MAX)
  return {
    ...{ patterns, identity, item: memoryItemOf(personal, embedding) },
    eventFeatures,
    ...(sender.result === 'pass' && { authenticatedDomain: sender.domain }),
  }
}
