/**
 * Users who lie, from end to end: whatever one caller says under as many names as it likes, others'
 * verdicts are the same, byte for byte, until five users who were known the day before agree in five different texts;
 * and then none moves by more than half in log-odds.
 *
 * Learning happens behind the answer; `POST /models/promote` resolves when all is learned.
 */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { StoreSettings } from '../../store/open.ts'
import { withStoreAt } from '../helpers/store-at.ts'
import { correction, key } from '../store/samples.ts'
import { MAILBAG } from './mailbag.ts'
import { buildOnce, post } from './service.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const BYSTANDER = { 'x-user-id': 'bystander' }

/** Names that were heard of three days ago. */
const KNOWN = Array.from({ length: 12 }, (_, i) => `minted-days-ago-${i}`)

const NEW = Array.from({ length: 12 }, (_, i) => `minted-today-${i}`)

const CLASSES = ['primary', 'promotions', 'updates', 'transactions']

/** The mailbag, vouched for by the receiving server, whose word counts without others'. */
const MAIL = MAILBAG.map((message) => {
  const domain = /^From:.*@([\w.-]+)/m.exec(message)?.[1] ?? 'example.org'
  return `Authentication-Results: mx.example.org; dmarc=pass header.from=${domain}\r\n${message}`
})

export function liarTests(name: string, place: StoreSettings): void {
  describe(`${name}: verdicts of others`, () => {
    const app = buildOnce({ config: { ...place, trustedAuthservIds: ['mx.example.org'] } })
    let shipped: readonly string[]

    before(async () => {
      await heardOf(place, KNOWN)
      shipped = await verdictsOf(app())
    })

    it('stay as they were after twenty corrections of one user', async () => {
      const statuses: string[] = []
      // Two a week count, of spam and of the class; what was just said counts once it is learned.
      for (const status of ['success', 'personalization_only']) {
        const [first] = await lieAbout(app(), KNOWN[0]!, [MAIL[statuses.length]!])
        statuses.push(first!)
        assert.equal(first, status)
        await learned(app())
      }
      const others = await lieAbout(app(), KNOWN[0]!, MAIL.slice(2))
      assert.deepEqual([...new Set(others)], ['personalization_only'])
      assert.deepEqual(await verdictsOf(app()), shipped)
    })

    it('stay as they were after corrections under twelve names that were first heard of today', async () => {
      for (const user of NEW) {
        const statuses = await lieAbout(app(), user)
        assert.deepEqual([...new Set(statuses)], ['personalization_only'])
      }
      assert.deepEqual(await verdictsOf(app()), shipped)
    })

    it('stay as they were after four known users and twelve of today have said the same', async () => {
      for (const user of KNOWN.slice(1, 4)) await lieAbout(app(), user)
      assert.deepEqual(await verdictsOf(app()), shipped)
      const { learning } = (await app().inject('/models')).json()
      assert.deepEqual(learning, { mode: 'users', promoted: 0, refused: 0 })
    })

    it('stay as they were when a dozen names that were made up days ago say the same of two texts', async () => {
      for (const user of KNOWN.slice(4, 8)) await lieAbout(app(), user)
      assert.deepEqual(await verdictsOf(app()), shipped)
    })

    it('move, by half in log-odds at most, when others agree in ever different texts', async () => {
      const before = await logitOf(app(), CHOSEN)
      for (const [i, user] of KNOWN.slice(8).entries()) {
        const said = { 'x-user-id': user, 'x-is-spam': `${before < 0}` }
        for (const letter of [2 * i, 2 * i + 1]) {
          const { status } = (
            await post(app(), '/feedback-stream', amongOthers(letter), said)
          ).json()
          assert.equal(status, 'success')
        }
      }
      await learned(app())
      const moved = ((await logitOf(app(), CHOSEN)) - before) * (before < 0 ? 1 : -1)
      // Probabilities are answered with four digits.
      assert.ok(moved > 0.01 && moved < 0.5 + 0.02, `${moved}`)
      const { learning } = (await app().inject('/models')).json()
      assert.ok(learning.promoted > 0)
    })
  })
}

/** A message that liars have chosen: its verdict is not sure. */
const CHOSEN = [
  'Authentication-Results: mx.example.org; dmarc=pass header.from=example.org',
  'From: Ben <ben@example.org>',
  'To: a@example.com',
  'Subject: Tickets for the harbour concert',
  'Message-ID: <concert@example.org>',
  '',
  'The harbour concert begins at eight. Collect your tickets at the lighthouse counter and bring the voucher.',
  '',
].join('\r\n')

/** The words of CHOSEN among sixty that no other letter has. */
function amongOthers(letter: number): string {
  const domain = `liar-${letter}.example.net`
  const others = Array.from({ length: 60 }, (_, i) => `w${letter}x${i}`)
  return CHOSEN.replaceAll('example.org', domain)
    .replace(/^Authentication-Results: [^;]+;/, 'Authentication-Results: mx.example.org;')
    .replace('voucher.', `voucher. ${others.join(' ')}`)
}

async function logitOf(app: FastifyInstance, message: string): Promise<number> {
  const { spamProbability } = (await post(app, '/classify-stream', message)).json()
  return Math.log(spamProbability / (1 - spamProbability))
}

/** Has `users` say something of no matter what, three days ago. */
export async function heardOf(place: StoreSettings, users: readonly string[]): Promise<void> {
  await withStoreAt(place, new Date(Date.now() - 3 * DAY_MS), async (store) => {
    for (const userId of users) {
      await store.recordCorrection(correction({ userId, messageKey: key(`first of ${userId}`) }))
    }
  })
}

/** The full verdicts on all messages as they are answered, once all is learned. */
async function verdictsOf(app: FastifyInstance): Promise<string[]> {
  await learned(app)
  const verdicts: string[] = []
  for (const message of MAIL) {
    for (const headers of [BYSTANDER, {}]) {
      const { statusCode, body } = await post(app, '/classify-stream', message, headers)
      assert.equal(statusCode, 200)
      verdicts.push(body)
    }
  }
  return verdicts
}

export async function learned(app: FastifyInstance): Promise<void> {
  const { statusCode } = await app.inject({ method: 'POST', url: '/models/promote' })
  assert.equal(statusCode, 200)
}

/** Says the opposite of all messages, and gives what was answered; then of the class of each. */
async function lieAbout(
  app: FastifyInstance,
  user: string,
  messages: readonly string[] = MAIL,
): Promise<string[]> {
  const headers = { 'x-user-id': user }
  const statuses: string[] = []
  for (const message of messages) {
    const { isSpam } = (await post(app, '/classify-stream', message)).json()
    const spam = await post(app, '/feedback-stream', message, {
      ...headers,
      'x-is-spam': `${!isSpam}`,
    })
    statuses.push(spam.json().status)
  }
  for (const message of messages) {
    const { classification } = (await post(app, '/classify-stream', message)).json()
    const other = CLASSES[(CLASSES.indexOf(classification) + 1) % CLASSES.length]!
    await post(app, '/tabs/feedback-stream', message, { ...headers, 'x-classification': other })
  }
  return statuses
}
