/** Innocent text for tricks: what people wrote to lists, without what they quoted. */
import { createHash } from 'node:crypto'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { readerText } from '../../../mail/signals/text.ts'
import type { Sample } from '../../corpora/sample.ts'

/** A shorter line is a greeting, a signature, or code. */
const LINE_LENGTH_MIN = 40

/** Where there are no lists: enough to run the tricks. */
const FALLBACK =
  'Thank you for your notes on the draft, they are with the committee until Thursday.'

export class InnocentText {
  readonly #text: string

  constructor(samples: readonly Sample[]) {
    const lines = samples.flatMap(({ bytes }) =>
      readerText(parseMessage(memoryOctets(bytes)))
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line.length >= LINE_LENGTH_MIN && /^[A-Z][^<>{};=|\\]*$/i.test(line)),
    )
    this.#text = `${(lines.length > 0 ? lines : [FALLBACK]).join('\n')}\n`
  }

  /** Text from a place of its own for each `name`, the same for the same name. */
  from(name: string): (length: number) => string {
    const place = createHash('sha256').update(name).digest().readUInt32LE() % this.#text.length
    const start = this.#text.indexOf('\n', place) + 1
    return (length) => {
      let text = this.#text.slice(start, start + length)
      while (text.length < length) text += this.#text.slice(0, length - text.length)
      const end = text.lastIndexOf('\n')
      return end > 0 ? text.slice(0, end) : text
    }
  }
}
