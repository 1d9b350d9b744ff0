/** What `tamis classify` shows a person: a heading, a row a message, and how many there were of each. */
import type { FullResult } from '../../client/client.ts'

/** What became of one message. */
export type Line = { readonly name: string } & (
  | {
      readonly verdict: FullResult
      readonly confidence?: number
      /** Why, in words. */
      readonly sentence?: string | undefined
    }
  | { readonly error: string; readonly code: string }
)

/** Characters of a message's name in the table. */
export const NAME_WIDTH = 48

/** Between columns: as much as sets words apart from names with spaces. */
export const COLUMN_GAP = '  '

export const HEADING = [
  'message'.padEnd(NAME_WIDTH),
  '    ',
  'spam ',
  'class'.padEnd(12),
  'sure',
].join(COLUMN_GAP)

/** One message; the class's confidence where it is known, `look` where a person should, and below it the sentence. */
export function rowOf(line: Line): string {
  const name = shortened(line.name).padEnd(NAME_WIDTH)
  if ('error' in line) return [name, `error ${line.code}: ${line.error}`].join(COLUMN_GAP)
  const { isSpam, spamProbability, classification, shouldEscalate } = line.verdict
  const row = [
    name,
    isSpam ? 'SPAM' : 'ham ',
    spamProbability.toFixed(3),
    classification.padEnd(12),
    line.confidence?.toFixed(2) ?? '    ',
    shouldEscalate ? 'look' : '',
  ].join(COLUMN_GAP)
  return line.sentence === undefined ? row : `${row}\n${COLUMN_GAP}${line.sentence}`
}

/** Counts messages as they are judged. */
export class Summary {
  #spam = 0
  #ham = 0
  #look = 0
  #errors = 0

  add(line: Line): void {
    if ('error' in line) this.#errors++
    else {
      if (line.verdict.isSpam) this.#spam++
      else this.#ham++
      if (line.verdict.shouldEscalate) this.#look++
    }
  }

  /** '3 messages: 1 spam, 2 ham; 1 to look at'. */
  toString(): string {
    const messages = this.#spam + this.#ham + this.#errors
    const look = this.#look > 0 ? `; ${this.#look} to look at` : ''
    const errors = this.#errors > 0 ? `; ${this.#errors} not classified` : ''
    const noun = messages === 1 ? 'message' : 'messages'
    return `${messages} ${noun}: ${this.#spam} spam, ${this.#ham} ham${look}${errors}`
  }
}

/** At most NAME_WIDTH characters of `name`, the last ones. */
export function shortened(name: string): string {
  return name.length <= NAME_WIDTH ? name : `…${name.slice(1 - NAME_WIDTH)}`
}
