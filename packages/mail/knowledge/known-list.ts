/**
 * Reads an operator's list of known domains: one a line, or as Tranco ships it `rank,domain`.
 *
 * Names are hashed as they come, so that of a million lines four megabytes stay.
 */
import { TamisError } from '../../errors/errors.ts'
import { asciiDomain, isPublicSuffix } from '../message/domain.ts'
import { domainHash } from './domain-table.ts'

/** Twice Tranco's million. Stops a list that fills the memory. */
const LINES_MAX = 2_000_000

/** A name has 253 characters at most, four bytes each, and a rank before it. Stops a file that is one line. */
const LINE_BYTES_MAX = 1_100

const NEWLINE = 0x0a

/** Room for the hashes at first, doubled when it is full. */
const ROOM_MIN = 2 ** 16

/** A domain, with or without its rank; names in DNS may have underscores. A last label of digits is an address'. */
const LINE = /^(?:\d{1,9},)?"?((?:[a-z0-9_-]{1,63}\.)*(?:[a-z][a-z0-9-]{1,62}))\.?"?$/

export class KnownListReader {
  readonly #name: string
  #hashes = new Uint32Array(ROOM_MIN)
  #count = 0
  #lines = 0
  /** What came since the last line end. */
  #rest: Buffer = Buffer.alloc(0)

  /** @param name of the list, for errors. */
  constructor(name: string) {
    this.#name = name
  }

  /** @throws TamisError CONFIG_INVALID naming the line. */
  write(chunk: Buffer): void {
    const end = chunk.lastIndexOf(NEWLINE)
    const rest = end < 0 ? Buffer.concat([this.#rest, chunk]) : chunk.subarray(end + 1)
    if (end >= 0) {
      const whole = Buffer.concat([this.#rest, chunk.subarray(0, end)])
      for (const line of whole.toString('utf8').split('\n')) this.#readLine(line)
    }
    if (rest.length > LINE_BYTES_MAX) {
      this.#lines += 1
      this.#refuse('is too long for a domain')
    }
    this.#rest = Buffer.from(rest)
  }

  /**
   * The hashes of all names, ascending.
   *
   * @throws TamisError CONFIG_INVALID also when there are none.
   */
  end(): Uint32Array {
    if (this.#rest.length > 0) this.#readLine(this.#rest.toString('utf8'))
    if (this.#count === 0) {
      throw new TamisError('CONFIG_INVALID', `${this.#name} names no domain`)
    }
    return this.#hashes.subarray(0, this.#count).sort()
  }

  #readLine(line: string): void {
    this.#lines += 1
    if (this.#lines > LINES_MAX) this.#refuse(`is one more than the ${LINES_MAX} that are read`)
    const text = line.trim().toLowerCase()
    if (text === '' || text.startsWith('#')) return
    const name = LINE.exec(text)?.[1] ?? LINE.exec(asciiLine(text))?.[1]
    if (name === undefined) this.#refuse('is no domain, nor a rank, a comma and a domain')
    // Of what others have names below nobody is known.
    if (!isPublicSuffix(name)) this.#add(domainHash(name))
  }

  #add(hash: number): void {
    if (this.#count === this.#hashes.length) {
      const larger = new Uint32Array(2 * this.#count)
      larger.set(this.#hashes)
      this.#hashes = larger
    }
    this.#hashes[this.#count] = hash
    this.#count += 1
  }

  #refuse(why: string): never {
    throw new TamisError('CONFIG_INVALID', `${this.#name}: line ${this.#lines} ${why}`)
  }
}

/** `line` with its domain in Punycode. */
function asciiLine(line: string): string {
  const comma = line.indexOf(',')
  return line.slice(0, comma + 1) + asciiDomain(line.slice(comma + 1))
}
