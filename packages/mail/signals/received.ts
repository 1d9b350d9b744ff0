/**
 * Signals from the Received fields (RFC 5321 §4.4), as far as the sender's side determines them: the last one, nearest to the sender,
 * tells what the sending machine called itself (HELO), and times ought to rise from the last to the first.
 */
import type { Message } from '../message/message.ts'
import { readDate } from './date.ts'
import { fieldBodies, fieldBody } from './fields.ts'
import { isLocalHost } from './mailer.ts'
import { perMessage } from './per-message.ts'
import { type Facts, raised, type Signal, signal } from './signal.ts'

/** Fields read. Loops are cut at 100 (RFC 5321 §6.3); no honest chain is half as long as this. */
const HOPS_MAX = 50

/** A chain as long as this went through lists and forwarders, or was made up. */
const MANY_HOPS_MIN = 10

const MINUTE_MS = 60_000

/** How far a later hop's clock may be behind an earlier's: as for Date, a daylight-saving setting. */
const BACKWARDS_MAX_MS = 120 * MINUTE_MS

/** How long a message may rest between two hops, before it is mail that was kept and sent again. */
const REST_MAX_MS = 24 * 60 * MINUTE_MS

const receivedBodies = perMessage((message: Message): readonly string[] =>
  fieldBodies(message, 'received').slice(0, HOPS_MAX),
)

/** Received fields, at most HOPS_MAX. */
export function hops(message: Message): number {
  return receivedBodies(message).length
}

export function receivedSignals(message: Message): Signal[] {
  const bodies = receivedBodies(message)
  const first = bodies.at(-1)
  if (first === undefined) return raised({ RECEIVED_NONE: true })
  const many = bodies.length >= MANY_HOPS_MIN && bodies.length
  return [
    ...raised({ RECEIVED_ONE_HOP: bodies.length === 1, RECEIVED_MANY_HOPS: many }),
    ...heloSignals(first),
    ...protocolSignals(first.slice(0, CLAUSES_LENGTH_MAX)),
    ...timeSignals(bodies),
  ]
}

/** The name the sending machine gave, 'from NAME (…)', or of Exim's comment '(helo=NAME)'. */
function heloOf(body: string): string | undefined {
  const helo = /\bhelo[= ]([^\s)]{1,255})/i.exec(body.slice(0, FROM_CLAUSE_LENGTH_MAX))?.[1]
  return helo ?? /^from\s+([^\s;(]{1,255})/i.exec(body)?.[1]
}

/** Where all clauses of a Received field end at the latest. */
const CLAUSES_LENGTH_MAX = 1_000

/** Where the from clause of a Received field ends at the latest. */
const FROM_CLAUSE_LENGTH_MAX = 400

function heloSignals(body: string): Signal[] {
  const helo = heloOf(body)?.toLowerCase()
  if (helo === undefined || helo === 'unknown') return []
  if (ADDRESS.test(helo)) {
    const isPrivate = PRIVATE_ADDRESS.test(helo)
    return [signal(isPrivate ? 'RECEIVED_HELO_PRIVATE_IP' : 'RECEIVED_HELO_IP', helo)]
  }
  if (isLocalHost(helo)) return [signal('RECEIVED_HELO_LOCAL', helo)]
  if (!helo.includes('.')) return [signal('RECEIVED_HELO_UNQUALIFIED', helo)]
  if (DYNAMIC_HOST.test(helo)) return [signal('RECEIVED_HELO_DYNAMIC', helo)]
  return []
}

const ADDRESS =
  /^\[?(?:ipv6:)?[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}\]?$|^\[?\d{1,3}(?:\.\d{1,3}){3}\]?$/

/** Home networks, RFC 1918 and loopback: a mail program behind a router. */
const PRIVATE_ADDRESS = /^\[?(?:10\.|127\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/

/** Names that providers give to the lines of households and hired machines. */
const DYNAMIC_HOST =
  /(?:^|[.-])(?:dyn|dynamic|dsl|adsl|vdsl|cable|dial|dialup|dhcp|pool|ppp|pppoe|broadband|cust|customer|static|unassigned|vmi|vps)[.\d-]|\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}|^ip-?\d{1,3}-/

function protocolSignals(clauses: string): Signal[] {
  const found = PROTOCOLS.find(([pattern]) => pattern.test(clauses))
  return found === undefined ? [] : [signal(found[1])]
}

const PROTOCOLS = [
  [/\bwith\s+(?:local\s)?e?smtps?a\b|\bauthenticated\b/i, 'RECEIVED_AUTHENTICATED'],
  [/\bwith\s+https?\b|\bvia\s+http/i, 'RECEIVED_HTTP'],
  [/\buserid\s|\bwith\s+local\b|\binvoked\s+by\b/i, 'RECEIVED_LOCAL'],
] as const

function timeSignals(bodies: readonly string[]): Signal[] {
  const times = bodies.map(timeOf).filter((time) => time !== undefined)
  const steps = times.slice(1).map((time, at) => times[at]! - time)
  const backwardsMs = -Math.min(0, ...steps)
  const restMs = Math.max(0, ...steps)
  const minutes = (ms: number) => `${Math.round(ms / MINUTE_MS)} min`
  return raised({
    RECEIVED_TIMES_BACKWARDS: backwardsMs > BACKWARDS_MAX_MS && minutes(backwardsMs),
    RECEIVED_RESTED: restMs > REST_MAX_MS && minutes(restMs),
  })
}

/** The time of a hop stands behind the last semicolon; where the field is folded there, behind up to eight blanks. */
function timeOf(body: string): number | undefined {
  const semicolon = body.lastIndexOf(';')
  return semicolon < 0 ? undefined : readDate(body.slice(semicolon + 1).trimStart())?.time
}

/** No mail in today's format is older (RFC 822 is of 1982): a clock that was never set, or made up. */
const ARRIVED_MIN_MS = Date.UTC(1980, 0, 1)

/**
 * When a message arrived, the time that it is judged at: that of the topmost Received field, which the server that took
 * it in writes (RFC 5321 §4.4); where it tells none, the sender's Date or now, by `arrivalFallback`. Never later than
 * now, so that a forged one can only make the message look older (docs/verdict.md).
 */
export function arrivalOf(
  message: Message,
  { now, arrivalFallback = 'now' }: Pick<Facts, 'now' | 'arrivalFallback'>,
): Date {
  const written =
    arrivalFallback === 'date' ? readDate(fieldBody(message, 'date') ?? '') : undefined
  const times = [timeOf(receivedBodies(message)[0] ?? ''), written?.time]
  const arrivedMs = times.find((time) => time !== undefined && time >= ARRIVED_MIN_MS)
  return new Date(Math.min(arrivedMs ?? Infinity, now.getTime()))
}
