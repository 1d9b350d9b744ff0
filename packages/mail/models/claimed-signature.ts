/**
 * What the claim of a signature counts for. The models see that a message carries a signature of the
 * domain in From, and most ham does. Whether it holds is checked elsewhere, if at all; where it does not,
 * the message is to be judged as if nobody had signed it, so that a field that anybody can write gains
 * a forger nothing.
 */
import type { SparseVector } from '../features/sparse-vector.ts'
import type { SignalName } from '../signals/signals.ts'
import { weigher } from './logistic.ts'
import type { Models } from './models.ts'

/** Each signal that rests on a signature of the domain in From, with the one that is raised without any. */
const UNSIGNED: readonly (readonly [signed: SignalName, unsigned: SignalName])[] = [
  ['DKIM_ALIGNED', 'DKIM_NONE'],
  ['KNOWN_FROM_SIGNED', 'KNOWN_FROM_UNSIGNED'],
]

/**
 * How much more like spam the message of `meta` were without a signature of its own: log-odds, at
 * least 0; 0 for a message that claims none.
 */
export function unsignedShift(
  { meta, metaNumbering, fusion }: Models,
  vector: SparseVector,
): number {
  const weightOf = weigher(meta)
  let shift = 0
  for (const [signed, unsigned] of UNSIGNED) {
    const claimed = metaNumbering.signals.get(signed)
    const instead = metaNumbering.signals.get(unsigned)
    if (claimed === undefined || instead === undefined) continue
    if (vector.indices.includes(claimed)) shift += weightOf(instead) - weightOf(claimed)
  }
  return Math.max(0, fusion.metaWeight * meta.calibration.slope * shift)
}
