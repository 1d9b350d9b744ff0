/** What was learned from a crowd is promoted only if it judges the canary set no worse. */
import type { CanaryErrors } from '../models/canary.ts'

/**
 * How many more errors than the shipped models make are allowed, as a share: a hundredth each of the
 * canary's ham that is lost, its spam that is missed, and its messages in the wrong class. Honest
 * corrections of other mail push a message over the threshold now and then (packages/lab/reports/learning).
 */
const WORSE_MAX = 0.01

/** Whether any of `errors` exceeds what is allowed, given `shipped` in the same order. */
export function isWorse(
  errors: readonly CanaryErrors[],
  shipped: readonly CanaryErrors[],
): boolean {
  return errors.some(({ wrong, of }, i) => wrong - shipped[i]!.wrong > WORSE_MAX * of)
}
