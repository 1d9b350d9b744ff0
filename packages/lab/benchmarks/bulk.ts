/**
 * Bulk mail at two services on one PostgreSQL, which is what two machines of one operator share: how soon the
 * next copy of a message that a user has reported at one is caught for that user at the other.
 *
 * Each copy has another sender, number and addressee, so that no rule for a sender catches it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from '../../service/test/helpers/service-process.ts'
import { type Given, type Measured, reportOf } from './benchmark.ts'
import { withTwoServices } from './load/two-services.ts'
import { quantile } from './spread.ts'

/** Between two questions whether a copy is caught. */
const PAUSE_MS = 2

/** A copy that is not called spam after this long never is. */
const WAIT_MS_MAX = 3_000

const USER = 'user-4711@example.com'

/** Of which words are made that no model knows, those of each campaign its own. */
const SYLLABLES = 'ba be bo da de do fa fe fo ga ge go ka ke ko la le lo ma me mo na ne no'.split(
  ' ',
)

const WORDS = 60

interface Options extends Given {
  readonly campaigns: number
}

export async function measureBulk({ campaigns, ...given }: Options): Promise<Measured> {
  const times = await withTwoServices({}, async (here, there) => {
    const all: number[] = []
    for (let campaign = 0; campaign < campaigns; campaign++) {
      await report(here, campaign)
      all.push(await untilCaught(there, campaign))
    }
    return all
  })
  const caught = times.filter(Number.isFinite)
  const values = {
    campaigns,
    caught: caught.length,
    p50: quantile(caught, 0.5),
    p99: quantile(caught, 0.99),
  }
  return reportOf('bulk', { ...given, ...values }, caught.length === campaigns)
}

async function report({ url }: ServiceProcess, campaign: number): Promise<void> {
  const answer = await post(`${url}/feedback-stream`, copyOf(campaign, 0), { 'x-is-spam': 'true' })
  if (answer['feedbackId'] === undefined) throw new Error(`Not recorded: ${JSON.stringify(answer)}`)
}

/** How long after now a copy that nobody has seen is called spam, in milliseconds; infinite if it is not. */
async function untilCaught({ url }: ServiceProcess, campaign: number): Promise<number> {
  const begun = performance.now()
  for (let copy = 1; performance.now() - begun < WAIT_MS_MAX; copy++) {
    const { isSpam } = await post(`${url}/classify-stream`, copyOf(campaign, copy))
    if (isSpam === true) return performance.now() - begun
    await sleep(PAUSE_MS)
  }
  return Number.POSITIVE_INFINITY
}

async function post(
  url: string,
  body: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'message/rfc822', 'x-user-id': USER, ...more }
  const response = await fetch(url, { method: 'POST', headers, body })
  return (await response.json()) as Record<string, unknown>
}

/** A letter in words that no other campaign has in this order; copies differ in sender, number and addressee. */
function copyOf(campaign: number, copy: number): string {
  const words = Array.from({ length: WORDS }, (_, i) => wordOf(campaign * WORDS + i))
  return [
    `From: Sales <sales@shop-${campaign}-${copy}.example.net>`,
    `To: customer-${copy}@example.com`,
    `Subject: ${words.slice(0, 4).join(' ')} ${1000 + copy}`,
    `Message-ID: <${campaign}.${copy}@shop-${campaign}-${copy}.example.net>`,
    '',
    `Dear customer ${copy},`,
    ...Array.from({ length: WORDS / 10 }, (_, line) =>
      words.slice(line * 10, line * 10 + 10).join(' '),
    ),
  ].join('\r\n')
}

function wordOf(number: number): string {
  const { length } = SYLLABLES
  return [length ** 3, length ** 2, length, 1]
    .map((unit) => SYLLABLES[Math.floor(number / unit) % length])
    .join('')
}
