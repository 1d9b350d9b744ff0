/**
 * How strongly a sample pulls at the weights, by its error e: the probability given to its label less 1,
 * or 1 less that probability. The pull is 4 e (1 - |e|), the gradient of the probability's squared error
 * (Brier, 1950) with a factor that makes it e itself where the model is undecided.
 *
 * The gradient of the likelihood, e, pulls hardest where the model is surest of the opposite, which is
 * at mail that somebody lied about. This one lets go there, and learns from an honest stream as well
 * (packages/lab/reports/stream, packages/lab/reports/learning).
 */

/**
 * An error below this has no pull: what the model knows already changes nothing. Sculley and Wachman,
 * Relaxed Online SVMs for Spam Filtering (SIGIR 2007), call such a margin thick. The strictest
 * shipped threshold is a probability of 0.993.
 */
const ERROR_MIN = 0.01

/** The pull for `error` in [-1, 1]. */
export function robustError(error: number): number {
  const size = Math.abs(error)
  return size < ERROR_MIN ? 0 : 4 * error * (1 - size)
}
