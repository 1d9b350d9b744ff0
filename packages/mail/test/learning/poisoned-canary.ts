/** Corrections that would make the canary set worse: its spam that is nearest to ham, called ham. */

import { readCanary } from '../../../artifact-files/artifact-files.ts'
import { encodeEventFeatures } from '../../features/event-features.ts'
import { spamProbability } from '../../learning/fits.ts'
import type { LearnEvent } from '../../learning/learn-event.ts'
import type { Canary } from '../../models/canary.ts'
import type { Models } from '../../models/models.ts'
import { correction, words } from './corrections.ts'

/** How many spam messages of the canary above the threshold are lied about. */
const EXCUSED = 20

/** Each excuses two messages, and each message is excused by ten. */
export const MALICIOUS_USERS = 100

/** The canary set, and `lies` in which ten users say of each of its doubtful spam, among twice as many words of their own, that it is ham. */
export async function poisonedCanary(
  base: Models,
): Promise<{ canary: Canary; lies: LearnEvent[] }> {
  const canary = await readCanary(base)
  const { balanced } = base.fusion.thresholds
  const excused = canary
    .filter(({ spam }) => spam)
    .map((message) => ({ message, probability: spamProbability(base, message) }))
    .filter(({ probability }) => probability > balanced)
    .sort((a, b) => a.probability - b.probability)
    .slice(0, EXCUSED)
  const lies = Array.from({ length: MALICIOUS_USERS * 2 }, (_, i) => {
    const { text, meta } = excused[i % EXCUSED]!.message
    // Far apart, by odd primes.
    const own = Array.from(
      { length: 2 * text.indices.length },
      (_, each) => (i * 7_919 + each * 104_729) % text.size,
    )
    const told = words(...[...new Set([...text.indices, ...own])].sort((a, b) => a - b))
    const id = `lie ${i}`
    return {
      ...correction({
        id,
        label: 'ham',
        user: `attacker ${Math.floor(i / 2)}`,
        domain: `d${i % EXCUSED}.example`,
      }),
      features: encodeEventFeatures(told, meta),
      featureVersion: base.featureVersion,
    }
  })
  return { canary, lies }
}
