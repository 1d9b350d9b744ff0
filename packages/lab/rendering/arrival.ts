/**
 * The last hop: the Received field that the reader's server puts on top. One spread of servers for
 * all mail; nothing else of the receiving side is there but Return-Path.
 */

import type { Dice, Shares } from './dice.ts'
import { dateText } from './letter.ts'
import { fill } from './pattern.ts'
import { drawsOf } from './templates.ts'

/** How servers word the field (RFC 5321 §4.4). */
const WORDINGS = drawsOf<Shares<string>>('received')

const SERVERS = drawsOf<readonly string[]>('receiving servers')

/** Seconds between the sender's clock and the last hop. */
const TRANSIT_SECONDS = [1, 2, 3, 4, 6, 9, 15, 40, 130]

const SECOND_MS = 1000

/** The body of the Received field for a message from `relay` to `rcpt`. */
export function arrival(
  { relay, ip, rcpt, sentAt }: { relay: string; ip: string; rcpt: string; sentAt: Date },
  dice: Dice,
): string {
  const at = new Date(sentAt.getTime() + dice.pick(TRANSIT_SECONDS) * SECOND_MS)
  const domain = rcpt.slice(rcpt.indexOf('@') + 1)
  const server = fill(dice.pick(SERVERS), { domain }, dice)
  const dotted = at.toISOString().slice(0, 10).replace(/-/g, '.')
  const zoneMinutes = dice.pick([0, -480, -300, 60, 120])
  const date = dateText(at, zoneMinutes, dice.chance(0.5))
  return fill(dice.draw(WORDINGS), { relay, ip, rcpt, server, dotted, date }, dice)!
}
