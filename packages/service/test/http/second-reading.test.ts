/**
 * A service with the real encoder, opened once. The reader's numbers change with its model, so the tests say what holds
 * for any: `always`, where all is read, against `off`.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { buildOnce, LOTTERY, ORDER, PILLS, post, WITH_READER } from './service.ts'

const always = buildOnce({ config: { ...WITH_READER, reader: 'always' } })
const off = buildOnce()

const MESSAGES = { ORDER, PILLS, LOTTERY }

/** Messages at once: more than the encoder reads in 250 ms. */
const OTHERS = 32

async function verdict(app: FastifyInstance, message: string | Buffer, headers = {}) {
  const response = await post(app, '/classify-stream', message, headers)
  assert.equal(response.statusCode, 200, response.body)
  return response.json()
}

/** A verdict after a reading that was done in time: where other tests take the processors, some are not. */
async function verdictRead(message: string | Buffer) {
  const { spamProbability: unread } = await verdict(off(), message)
  return await inTime(
    () => verdict(always(), message),
    ({ spamProbability }) => spamProbability !== unread,
  )
}

async function inTime<T>(ask: () => Promise<T>, wasRead: (answer: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 20; tries++) {
    const answer = await ask()
    if (wasRead(answer)) return answer
  }
  throw new Error('No reading is done in time')
}

async function embed(text: string): Promise<number[]> {
  const response = await always().inject({
    method: 'POST',
    url: '/classify/embed-text',
    payload: { text },
  })
  assert.equal(response.statusCode, 200, response.body)
  assert.equal(response.headers['x-tamis-embedding-model'], 'multilingual-e5-small-2026.11.1')
  return response.json().embedding
}

function similarity(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, i) => sum + value * other[i]!, 0)
}

/** What is not to stop an encoder. */
const HOSTILE: Readonly<Record<string, string>> = {
  'a word of a million characters': 'x'.repeat(1_000_000),
  'lone surrogates': '\ud800\udfff'.repeat(4_500),
  'a character of each plane': Array.from({ length: 17 }, (_, plane) =>
    String.fromCodePoint(plane * 0x10000 + 0x2600),
  )
    .join('')
    .repeat(60),
  NULs: '\0'.repeat(9_000),
  'ligatures of eighteen characters': '\ufdfa'.repeat(300),
  'marks on one letter': `a${'\u0301'.repeat(900)}`,
}

describe('a second reading', () => {
  it('moves the probability of spam, and not the scores of both models', async () => {
    for (const [name, message] of Object.entries(MESSAGES)) {
      const { spamProbability, ...read } = await verdictRead(message)
      const { spamProbability: before, ...first } = await verdict(off(), message)
      assert.notEqual(spamProbability, before, name)
      for (const field of ['textSpamScore', 'metaSpamScore', 'disagreement']) {
        assert.equal(read[field], first[field], `${name} ${field}`)
      }
    }
  })

  it('gives the same verdict for the same bytes alone and among others, or that of the models and a review', async () => {
    const alone = await verdictRead(LOTTERY)
    const { spamProbability: unread } = await verdict(off(), LOTTERY)
    const all = await Promise.all(
      Array.from({ length: 2 * OTHERS }, (_, n) => verdict(always(), n % 2 ? PILLS : LOTTERY)),
    )
    const own = all.filter((_, n) => n % 2 === 0)
    const read = own.filter(({ spamProbability }) => spamProbability !== unread)
    assert.ok(read.length > 0)
    for (const each of read) assert.deepEqual(each, alone)
    for (const each of own) {
      assert.ok(each.spamProbability !== unread || each.shouldEscalate)
    }
  })

  it('is made of no message that a rule of the user decides', async () => {
    const headers = { 'x-user-id': 'user-4711', 'x-is-spam': 'true' }
    await post(always(), '/feedback-stream', PILLS, headers)
    const before = await readings()
    assert.equal((await verdict(always(), PILLS, headers)).bypassReason, 'user_rule')
    assert.deepEqual(await readings(), before)
    await verdict(always(), PILLS)
    assert.equal(await readings(), before + 1)
  })

  it('is made of none whose class alone is asked for', async () => {
    const before = await readings()
    await post(always(), '/tabs/classify-stream', ORDER)
    assert.equal(await readings(), before)
  })

  for (const [what, text] of Object.entries(HOSTILE)) {
    it(`is made of ${what}, which is embedded too`, async () => {
      const message = `From: a@example.com\r\nSubject: b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}`
      await verdict(always(), Buffer.from(message))
      const embedding = await embed(text)
      assert.equal(embedding.length, 384)
      assert.ok(embedding.every((value) => Number.isFinite(value)))
    })
  }
})

describe('the diagnostic of a message that was read', () => {
  it('shows the reader, and the sentences that moved it, and adds up', async () => {
    const { models, explanation, timing, result } = await inTime(
      async () => (await post(always(), '/classify/diagnostic-stream', LOTTERY)).json(),
      (answer) => answer.models.reader.answer === 'read',
    )
    const { inputs, outputs } = models.reader
    assert.ok(inputs.pieces > 30 && Number.isFinite(outputs.logit))
    assert.ok(timing.reading > 0)
    const terms = [...explanation.for, ...explanation.against]
    const { sentences } = terms.find(({ kind }) => kind === 'reader')
    const strengths = sentences.map(({ logit }: { logit: number }) => Math.abs(logit))
    assert.deepEqual(
      strengths,
      strengths.toSorted((a: number, b: number) => b - a),
    )
    const texts = sentences.map(({ text }: { text: string }) => text)
    assert.ok(texts.includes('Your ticket was drawn, claim the prize before Friday'))
    const sum = terms.reduce((total, { logit }) => total + logit, 0)
    assert.ok(
      Math.abs(sum - Math.log(result.spamProbability / (1 - result.spamProbability))) < 1e-6,
    )
  })

  it('has no more of its text than that of one that was not', async () => {
    const of = async (app: FastifyInstance) =>
      (await post(app, '/classify/diagnostic-stream', LOTTERY)).json()
    const {
      models: _,
      explanation: __,
      timing: ___,
      result: ____,
      tabs: _____,
      ...read
    } = await of(always())
    const {
      models: _m,
      explanation: _e,
      timing: _t,
      result: _r,
      tabs: _c,
      ...other
    } = await of(off())
    assert.deepEqual({ ...read, email: null }, { ...other, email: null })
    assert.deepEqual(Object.keys(read.email), Object.keys(other.email))
  })

  it('shows nothing of a reader where there is none', async () => {
    const { models } = (await post(off(), '/classify/diagnostic-stream', LOTTERY)).json()
    assert.equal(models.reader, null)
  })
})

/** How many messages have been read. */
async function readings(): Promise<number> {
  const { body } = await always().inject('/metrics')
  return Number(/^tamis_readings_total\{outcome="read"\} (\d+)$/m.exec(body)?.[1] ?? 0)
}

describe('POST /classify/embed-text by the encoder', () => {
  it('gives texts that mean the same in two languages nearly the same direction', async () => {
    const [english, german, other] = await Promise.all([
      embed('Your parcel arrives tomorrow'),
      embed('Ihr Paket kommt morgen an'),
      embed('The choir sings on Sunday'),
    ])
    assert.ok(Math.abs(Math.hypot(...english!) - 1) < 1e-5)
    assert.ok(similarity(english!, german!) > similarity(english!, other!) + 0.05)
  })

  it('answers several texts in their order', async () => {
    const response = await always().inject({
      method: 'POST',
      url: '/classify/embed-text',
      payload: { texts: ['a parcel', '', 'an invoice'] },
    })
    assert.deepEqual(response.json().embeddings, [
      await embed('a parcel'),
      Array(384).fill(0),
      await embed('an invoice'),
    ])
  })

  it('gives zeros for a text of which nothing is to be seen', async () => {
    for (const text of ['', ' \n\t', '\u200b\u00ad\0', '\ud800']) {
      assert.deepEqual(await embed(text), Array(384).fill(0), JSON.stringify(text))
    }
  })

  it('counts all of a text of several windows', async () => {
    const page = 'The invoice for last month is attached. '.repeat(60)
    const longer = `${page}The choir sings on Sunday.`
    assert.ok(similarity(await embed(page), await embed(longer)) > 0.9)
    assert.notDeepEqual(await embed(page), await embed(longer))
  })

  it('leaves the memory on the table', async () => {
    const headers = { 'x-user-id': 'user-4712' }
    const { models } = (await post(always(), '/classify/diagnostic-stream', ORDER, headers)).json()
    assert.match(models.embedding.model, /^tamis-static-/)
    assert.match((await always().inject('/stats')).json().embeddingModel, /^tamis-static-/)
  })
})
