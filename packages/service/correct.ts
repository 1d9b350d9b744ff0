/** The journey of a correction or a rule as far as it needs the message: receive -> analyse. */
import { embedElsewhere } from '../mail/personalization/personal-analysis.ts'
import { type Analysing, analyseBody, type Incoming, refuseIfFull } from './analyse-body.ts'
import type { LearnableMessage } from './users/correction.ts'

/** What a corrected message is compared by, and what is learned from it. */
export async function learnableMessage(
  service: Analysing,
  incoming: Incoming,
): Promise<LearnableMessage> {
  refuseIfFull(service, incoming)
  await using body = await service.receiver.receive(incoming)
  const options = { personal: true, eventFeatures: true, subjectWords: true }
  const { analysis, sender } = await analyseBody(service, incoming, body, options)
  const { personal, eventFeatures, featureVersion, subjectWords = '' } = analysis
  if (personal === undefined || eventFeatures === undefined || featureVersion === undefined) {
    throw new TypeError('The analysis was made without what a correction needs')
  }
  return {
    ...(await embedElsewhere(personal, service.embedding)),
    eventFeatures,
    featureVersion,
    subjectWords,
    ...(sender.result === 'pass' && { authenticatedDomain: sender.domain }),
  }
}
