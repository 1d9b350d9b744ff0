/** The message in Try, and what became of it. */
import type { DiagnosticAnswer } from '../api.ts'
import type { Taught } from './correction.ts'

/** A message to be judged. */
export interface Given {
  readonly name: string
  readonly message: Blob
  /** Samples teach nobody. */
  readonly isSample: boolean
}

/** A verdict, what was said of it, and the verdict before that was said. */
export interface Judged {
  readonly answer: DiagnosticAnswer
  readonly before?: DiagnosticAnswer
  readonly taught?: Taught
  readonly takenBack?: boolean
}
