/** A labelled message of a corpus, before anything is read from it. */
import type { MessageClass } from '../../mail/models/prediction.ts'

export interface Sample {
  /** The set it comes from: 'spamassassin', 'written'. Whole sources are left out in evaluation. */
  readonly source: string
  /** Path inside the set, or the id of a written message: names it in reports. */
  readonly id: string
  readonly bytes: Uint8Array
  /** Undefined where the set does not say. */
  readonly spam: boolean | undefined
  readonly messageClass: MessageClass | undefined
  /** A second class that a reader could also accept; only where the set says so. */
  readonly alsoAcceptable?: MessageClass
  /** ISO 639-1 where the set says so. */
  readonly language?: string
  /** For written mail, the kind of message: a split must not share one. */
  readonly kind?: string
  /** For written mail, the contrast pair that it belongs to: a split must not part its members. */
  readonly pair?: string
  /** True for written ham that one person typed to another in a few words. */
  readonly shortLetter?: boolean
  /** Where in its set it was collected, for a set of several: a split must not share one. */
  readonly collection?: string
}

export type Report = (line: string) => void

export function reportOnStderr(line: string): void {
  process.stderr.write(`${line}\n`)
}
