/** Corrections that would make the canary set worse: its ham that is nearest to spam, called spam. */

import { readCanary } from '../../../artifact-files/artifact-files.ts'
import { encodeEventFeatures } from '../../features/event-features.ts'
import type { LearnEvent } from '../../learning/learn-event.ts'
import { spamProbability } from '../../learning/spam-learning.ts'
import type { Canary } from '../../models/canary.ts'
import type { Models } from '../../models/models.ts'
import { correction } from './corrections.ts'

/** How many ham messages of the canary below the threshold are slandered. */
const SLANDERED = 20

/** Each slanders two messages, and each message is slandered by ten. */
export const LIARS = 100

/** The canary set, and `lies` in which ten users say of each of its doubtful ham that it is spam. */
export async function liesAboutCanary(
  base: Models,
): Promise<{ canary: Canary; lies: LearnEvent[] }> {
  const canary = await readCanary(base)
  const { balanced } = base.fusion.thresholds
  const slandered = canary
    .filter(({ spam }) => !spam)
    .map((message) => ({ message, probability: spamProbability(base, message) }))
    .filter(({ probability }) => probability <= balanced)
    .sort((a, b) => b.probability - a.probability)
    .slice(0, SLANDERED)
  const lies = Array.from({ length: LIARS * 2 }, (_, i) => {
    const { text, meta } = slandered[i % SLANDERED]!.message
    const id = `lie ${i}`
    return {
      ...correction({ id, user: `liar ${Math.floor(i / 2)}`, domain: `d${i % SLANDERED}.example` }),
      features: encodeEventFeatures(text, meta),
    }
  })
  return { canary, lies }
}
