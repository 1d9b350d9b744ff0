/** What a crowd has taught goes to work only if the canary set is judged no worse by it. */
import type { CanaryErrors } from '../models/canary.ts'

/**
 * By how much more may be wrong than by the shipped models: of the canary's ham that is lost, its spam
 * that is missed, its messages in the wrong class, a hundredth of each. Honest corrections of other
 * mail move a message over the threshold now and then (packages/lab/reports/learning).
 */
const WORSE_MAX = 0.01

/** Whether any of `errors` is more than that of the shipped models allows; they are in step. */
export function isWorse(
  errors: readonly CanaryErrors[],
  shipped: readonly CanaryErrors[],
): boolean {
  return errors.some(({ wrong, of }, i) => wrong - shipped[i]!.wrong > WORSE_MAX * of)
}
