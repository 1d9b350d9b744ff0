/**
 * Affine calibration of the logit (Platt scaling): a model trained on few samples is too sure, and this
 * corrects it without changing the order of any two messages.
 * Platt, Probabilistic Outputs for Support Vector Machines (1999).
 */
export interface Calibration {
  /** Positive, so that the order is kept. */
  readonly slope: number
  readonly intercept: number
}

export function calibrate(calibration: Calibration, logit: number): number {
  return calibration.slope * logit + calibration.intercept
}
