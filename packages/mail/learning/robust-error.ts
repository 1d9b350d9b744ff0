/**
 * How strongly a lesson pulls at the weights, by its error e: the probability given to its label,
 * less 1, or the other way round. 4 e (1 - |e|), the gradient of the probability's squared error
 * (Brier, 1950) but for the factor, which makes it e itself where the model is undecided.
 *
 * The gradient of the likelihood, e, pulls hardest where the model is surest of the opposite: at
 * mail that somebody lied about. This lets go there, and learns an honest stream as well
 * (packages/lab/reports/stream, packages/lab/reports/learning).
 */

/**
 * No pull when the label is this near to certain: what is known already changes nothing. Sculley
 * and Wachman, Relaxed Online SVMs for Spam Filtering (SIGIR 2007), call such a margin thick.
 * The strictest threshold that ships is a probability of 0.993.
 */
const ERROR_MIN = 0.01

/** `error` in [-1, 1]. */
export function robustError(error: number): number {
  const size = Math.abs(error)
  return size < ERROR_MIN ? 0 : 4 * error * (1 - size)
}
