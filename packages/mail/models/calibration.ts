/**
 * Affine calibration in the logit, Platt scaling with a slope of its own: a model trained on
 * few samples is surer than it has the right to be, and this puts that right without changing
 * the order of any two messages. Platt, Probabilistic Outputs for Support Vector Machines (1999).
 */
export interface Calibration {
  /** Positive, so that the order is kept. */
  readonly slope: number
  readonly intercept: number
}

export function calibrate(calibration: Calibration, logit: number): number {
  return calibration.slope * logit + calibration.intercept
}
