/** The message in Try, and what became of it. */
import type { DiagnosticAnswer } from '../api.ts'
import type { Corrected } from './correction.ts'

/** A message to be judged. */
export interface Given {
  readonly name: string
  readonly message: Blob
  /** Nothing is learned from samples. */
  readonly isSample: boolean
}

/** A verdict, what was said of it, and the verdict before that was said. */
export interface Judged {
  readonly answer: DiagnosticAnswer
  readonly before?: DiagnosticAnswer
  readonly corrected?: Corrected
  readonly takenBack?: boolean
}
