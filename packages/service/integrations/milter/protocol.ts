/**
 * The milter protocol, by which Sendmail and Postfix ask a filter about messages: its packets.
 *
 * No standard describes it. It is libmilter's (Sendmail, include/libmilter/mfdef.h and mfapi.h), in
 * versions 2 to 6. A packet is its length (4 bytes, big-endian, without themselves), one letter for
 * the command, and data; texts in the data end with NUL. The MTA speaks, the filter replies.
 */
import type { Budget } from '../../admission/byte-budget.ts'
import { GrowingBytes } from '../../admission/growing-bytes.ts'

/** Commands of the MTA; the others need no answer from us. */
export const COMMAND = {
  abort: 'A',
  body: 'B',
  connect: 'C',
  macro: 'D',
  endOfMessage: 'E',
  helo: 'H',
  quitForNewConnection: 'K',
  header: 'L',
  mail: 'M',
  endOfHeader: 'N',
  negotiate: 'O',
  quit: 'Q',
  rcpt: 'R',
  data: 'T',
  unknown: 'U',
} as const

export type Step = 'connect' | 'helo' | 'mail' | 'rcpt' | 'data' | 'header' | 'endOfHeader'
export type RepliedStep = Step | 'body' | 'unknown'

/** What a filter may do to a message (SMFIF_*), as far as both sides support it. */
export const ACTION = {
  addHeaders: 0x1,
  changeHeaders: 0x10,
  quarantine: 0x20,
} as const

/** Steps that the MTA leaves out or expects no reply to (SMFIP_*), and how it writes header fields. */
const STEP = {
  noUnknown: 0x1_00,
  noReply: {
    header: 0x80,
    connect: 0x10_00,
    helo: 0x20_00,
    mail: 0x40_00,
    rcpt: 0x80_00,
    data: 0x1_00_00,
    unknown: 0x2_00_00,
    endOfHeader: 0x4_00_00,
    body: 0x8_00_00,
  } satisfies Record<RepliedStep, number>,
  leadingSpace: 0x10_00_00,
} as const

const { data: _, ...UNREPLIED } = STEP.noReply

/**
 * Saves the MTA round trips: our only answer comes at the end of the message. Of the steps before, only
 * DATA gets a reply. After it Postfix hands the connection from one process to another, and without a
 * reply the second one's packets would wait 40 ms for the first one's to be acknowledged (Nagle's
 * algorithm, and acknowledgements that are delayed because no data goes with them).
 */
const STEPS_WANTED =
  STEP.noUnknown | STEP.leadingSpace | Object.values(UNREPLIED).reduce((all, each) => all | each, 0)

const VERSION_MIN = 2
const VERSION_MAX = 6

/**
 * Largest data of a packet. Body chunks have 65,535 bytes; a header field is as long as the MTA allows
 * (Postfix 100 KB, Sendmail 32 KB by default).
 */
export const PACKET_BYTES_MAX = 1024 * 1024

const LENGTH_BYTES = 4

/** First capacity for a packet. */
const HELD_BYTES_MIN = 4 * 1024

/** The data is not the milter protocol, or more than we hold: the connection has to end. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

export interface Packet {
  /** One character. */
  readonly command: string
  /** Valid until the next bytes are added. */
  readonly data: Buffer
}

/** Cuts the bytes of a connection into packets. */
export class PacketReader {
  /** What has arrived of a packet that is not complete yet. */
  readonly #held: GrowingBytes

  /** @param budget the budget for bytes that wait for the rest of their packet. */
  constructor(budget: Budget) {
    this.#held = new GrowingBytes(HELD_BYTES_MIN, budget)
  }

  /**
   * The packets that `chunk` completes. Each has to be used before the next is requested.
   *
   * @throws ProtocolError
   */
  *add(chunk: Buffer): Generator<Packet> {
    const isBegun = this.#held.length > 0
    if (isBegun && !this.#held.add(chunk)) refuseAsTooMany()
    const bytes = isBegun ? this.#held.bytes : chunk
    let at = 0
    while (bytes.length - at >= LENGTH_BYTES) {
      const length = bytes.readUInt32BE(at)
      if (length === 0 || length > PACKET_BYTES_MAX + 1) {
        throw new ProtocolError(`A packet claims to have ${length} bytes`)
      }
      const start = at + LENGTH_BYTES
      if (bytes.length - start < length) break
      at = start + length
      yield {
        command: String.fromCharCode(bytes[start]!),
        data: bytes.subarray(start + 1, at),
      }
    }
    if (at === bytes.length) this.#held.release()
    else if (!this.#held.keep(bytes.subarray(at))) refuseAsTooMany()
  }

  /** Gives back what is held. */
  close(): void {
    this.#held.release()
  }
}

function refuseAsTooMany(): never {
  throw new ProtocolError('The packets of all connections use too many bytes')
}

/** The options that both sides have agreed on. */
export interface Agreement {
  readonly version: number
  readonly actions: number
  readonly steps: number
  /** Header fields are sent and received with everything after the colon. */
  readonly leadingSpace: boolean
}

/** The state before an agreement: every command gets a reply, and nothing may be changed. */
export const NO_AGREEMENT: Agreement = { version: 0, actions: 0, steps: 0, leadingSpace: false }

/**
 * Our answer to the offer of an MTA: all steps that save time, and of `actions` those that it allows.
 *
 * @throws ProtocolError for a version before 2, which no MTA of this century speaks.
 */
export function agree(offer: Buffer, actions: number): Agreement {
  if (offer.length < 3 * 4) throw new ProtocolError('The negotiation is too short')
  const version = Math.min(offer.readUInt32BE(0), VERSION_MAX)
  if (version < VERSION_MIN) throw new ProtocolError(`The MTA speaks version ${version}`)
  const steps = offer.readUInt32BE(8) & STEPS_WANTED
  return {
    version,
    actions: offer.readUInt32BE(4) & actions,
    steps,
    leadingSpace: (steps & STEP.leadingSpace) !== 0,
  }
}

/** Whether the MTA waits for a reply to `step`. */
export function isReplied({ steps }: Agreement, step: RepliedStep): boolean {
  return (steps & STEP.noReply[step]) === 0
}

/** Bytes of a name or an address that are read: twice what any may have (RFC 5321 §4.5.3.1). */
const TEXT_BYTES_MAX = 1_024

/** Bytes of macros that are read in one packet. */
const MACRO_BYTES_MAX = 64 * 1024

/** The first text in `data`: HELO name or address; '' when there is none. */
export function firstText(data: Buffer): string {
  return textsOf(data.subarray(0, TEXT_BYTES_MAX), 1)[0] ?? ''
}

/** The texts in `data`, each of which ends with NUL; at most `countMax`. */
function textsOf(data: Buffer, countMax: number): string[] {
  const texts: string[] = []
  let at = 0
  while (at < data.length && texts.length < countMax) {
    const nul = data.indexOf(0, at)
    const end = nul < 0 ? data.length : nul
    texts.push(data.toString('utf8', at, end))
    at = end + 1
  }
  return texts
}

/** Name and body of a header field, bytes as they came. */
export function headerFieldOf(data: Buffer): { readonly name: Buffer; readonly body: Buffer } {
  const nul = data.indexOf(0)
  if (nul < 0) return { name: data, body: Buffer.alloc(0) }
  const end = data.at(-1) === 0 && data.length - 1 > nul ? data.length - 1 : data.length
  return { name: data.subarray(0, nul), body: data.subarray(nul + 1, end) }
}

/** Name, IP address and more of the client. */
export interface Client {
  /** The name that the MTA found in the DNS; an address in brackets, or `unknown`, if it found none. */
  readonly host: string
  /** The address as the MTA writes it; undefined for a client that did not come over a network. */
  readonly address: string | undefined
}

/** SMFIC_CONNECT: name, NUL, family (4, 6, L for a Unix socket, U for unknown), port, address, NUL. */
export function clientOf(data: Buffer): Client {
  const nul = data.indexOf(0)
  if (nul < 0) throw new ProtocolError('A client has no address family')
  const host = data.toString('latin1', 0, Math.min(nul, TEXT_BYTES_MAX))
  const family = String.fromCharCode(data[nul + 1] ?? 0)
  if (family !== '4' && family !== '6') return { host, address: undefined }
  return { host, address: firstText(data.subarray(nul + 4)) }
}

/** Macros of an SMFIC_MACRO packet: `{auth_authen}` and `i` by the names between the braces. */
export function macrosOf(data: Buffer, countMax: number): Map<string, string> {
  const texts = textsOf(data.subarray(1, MACRO_BYTES_MAX), 2 * countMax)
  const macros = new Map<string, string>()
  for (let at = 0; at + 1 < texts.length; at += 2) {
    macros.set(texts[at]!.replace(/^\{|\}$/g, ''), texts[at + 1]!)
  }
  return macros
}

/** Replies to the MTA. */
export const REPLY = {
  continue: packet('c'),

  agreement({ version, actions, steps }: Agreement): Buffer {
    return packet('O', uint32(version), uint32(actions), uint32(steps))
  },

  /** Removes the `index`th field of that name, counted from 1. */
  removeHeader(index: number, name: Buffer): Buffer {
    return packet('m', uint32(index), name, NUL, NUL)
  },

  /** Inserts a field at `index` among all fields, counted from 0. */
  insertHeader(index: number, name: string, body: string): Buffer {
    return packet('i', uint32(index), text(name), text(body))
  },

  quarantine(reason: string): Buffer {
    return packet('q', text(reason))
  },

  /** Refuses the message with an SMTP reply, '550 5.7.1 Spam'. */
  reject(reply: string): Buffer {
    return packet('y', text(reply))
  },
} as const

const NUL = Buffer.from([0])

function packet(command: string, ...data: readonly Uint8Array[]): Buffer {
  const length = data.reduce((sum, { byteLength }) => sum + byteLength, 1)
  return Buffer.concat([uint32(length), Buffer.from(command, 'latin1'), ...data])
}

function text(ascii: string): Buffer {
  return Buffer.from(`${ascii}\0`, 'latin1')
}

function uint32(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}
