/**
 * The last hop: the Received field that the reader's server puts on top. One spread of servers for
 * all mail; nothing else of the receiving side is there but Return-Path.
 */

import type { Dice, Shares } from './dice.ts'
import { dateText } from './letter.ts'
import { fill } from './pattern.ts'

/** How servers word the field (RFC 5321 §4.4). */
const WORDINGS: Shares<string> = [
  [
    'from {relay} ({relay} [{ip}]) (using TLSv1.3 with cipher TLS_AES_256_GCM_SHA384 (256/256 bits)) (No client certificate requested) by {server} (Postfix) with ESMTPS id {HEX:10} for <{rcpt}>; {date}',
    30,
  ],
  [
    'from {relay} ({relay}. [{ip}]) by {server} with ESMTPS id {base36:24}.{digits:3}.{dotted} for <{rcpt}> (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256); {date}',
    34,
  ],
  [
    'from {relay} ([{ip}]) by {server} with esmtps (TLS1.3) tls TLS_AES_256_GCM_SHA384 (Exim 4.96) (envelope-from <bounce@{relay}>) id 1{base62:5}-{base62:11}-{base62:4} for {rcpt}; {date}',
    16,
  ],
  [
    'from {relay} ({ip}) by {server} (10.{digits:2}.{digits:1}.{digits:2}) with Microsoft SMTP Server (version=TLS1_2, cipher=TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384) id 15.20.{digits:4}.{digits:2}; {date}',
    20,
  ],
]

const SERVERS = [
  'mx.{domain}',
  'mx1.{domain}',
  'mx{digits:1}.mailcluster.net',
  'inbound-{digits:2}.mailfront.net',
  'in{digits:1}-smtp.posthaven.net',
  'mta{digits:2}.inboxhosting.com',
  'mail.{domain}',
]

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
