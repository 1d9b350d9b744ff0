/**
 * The header fields that say what Tamis found, and fields of the same names that came with the message
 * and that a mail program or a Sieve script must not take for ours.
 */
import { type Field, tamisFields, verdictField } from '../../http/message-line.ts'
import type { Judgement, Unscanned } from './judgement.ts'

const OWN_PREFIX = 'x-tamis-'

/** Names that SpamAssassin and Rspamd gave to verdicts, and that mail programs and scripts act on. */
const SPAM_NAMES = new Set([
  'x-spam',
  'x-spam-flag',
  'x-spam-level',
  'x-spam-score',
  'x-spam-status',
])

/**
 * The fields about `found`, topmost first.
 *
 * @param isCut true when only the beginning of the message was judged.
 * @param spamFlag whether X-Spam-Flag is among them.
 */
export function fieldsFor(
  found: Judgement | Unscanned,
  isCut: boolean,
  spamFlag: boolean,
): readonly Field[] {
  if (found.kind === 'unscanned') return [verdictField(['unscanned', `cause=${found.cause}`])]
  const fields = tamisFields(found, found.summary, isCut ? ['judged=beginning'] : [])
  if (!spamFlag) return fields
  return [...fields, { name: 'X-Spam-Flag', body: found.verdict === 'spam' ? 'YES' : 'NO' }]
}

/**
 * Fields removed from one message; an honest message has none or a few. To find a field the MTA reads the
 * header from its beginning, so that 100,000 of them in one message would keep it busy for hours. A
 * message with more is refused, since the fields that stayed would be believed.
 */
const REMOVED_MAX = 1_000

/** Bytes of header that the MTA may have to read again for that: some seconds. Stops a hundred forged fields below ten megabytes of others. */
const READ_AGAIN_BYTES_MAX = 256 * 1024 * 1024

/** SMTP reply to such a message. */
export const TOO_MANY_FORGED =
  '550 5.7.1 Too many header fields that only the receiving host may write'

/** Longest name that could be taken for ours. */
const NAME_LENGTH_MAX = 100

/** The fields of a message that look like ours, counted as an MTA counts them. */
export class ForeignFields {
  /** Whether X-Spam fields are ours too. */
  readonly #spamFields: boolean
  /** The counts by name in lower case. */
  readonly #counts = new Map<string, { readonly name: Buffer; count: number }>()
  #taken = 0
  #left = 0
  /** Bytes of the header so far. */
  #bytes = 0
  /** Bytes that the MTA has to read again to find the fields to remove. */
  #readAgainBytes = 0

  constructor(spamFields: boolean) {
    this.#spamFields = spamFields
  }

  /** How many fields cannot be removed because there are too many. */
  get left(): number {
    return this.#left
  }

  /** To be called for every field in order, with its length in bytes. */
  see(name: Buffer, bytes: number): void {
    this.#bytes += bytes
    // Any amount of white space may stand before the colon (RFC 5322 §4.5.8).
    const text = name.toString('latin1').trim()
    if (text.length <= NAME_LENGTH_MAX) this.#seeName(text.toLowerCase())
  }

  #seeName(text: string): void {
    const isOwn = text.startsWith(OWN_PREFIX) || (this.#spamFields && SPAM_NAMES.has(text))
    if (!isOwn) return
    this.#readAgainBytes += this.#bytes
    if (this.#taken === REMOVED_MAX || this.#readAgainBytes > READ_AGAIN_BYTES_MAX) {
      this.#left += 1
      return
    }
    this.#taken += 1
    const known = this.#counts.get(text)
    if (known === undefined) this.#counts.set(text, { name: Buffer.from(text, 'latin1'), count: 1 })
    else known.count += 1
  }

  /** The fields to remove, the last of a name first, so that the numbers of the others stay valid. */
  *toRemove(): Generator<{ readonly name: Buffer; readonly index: number }> {
    for (const { name, count } of this.#counts.values()) {
      for (let index = count; index > 0; index -= 1) yield { name, index }
    }
  }
}
