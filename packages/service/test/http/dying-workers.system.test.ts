/**
 * Server processes that end at any moment under load, by themselves, out of memory or since they do not
 * come back: whoever asked about another message has the same answer as ever, and whoever asked
 * about that one is answered from its header.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { randomSource } from '../../../lab/training/random.ts'
import { MAILBAG } from './mailbag.ts'
import { build, post } from './service.ts'

const MESSAGES = 240
const CLIENTS = 8

/** Of the messages. */
const DEADLY_SHARE = 0.08

const WAYS = ['exit', 'abort', 'loop', 'hog']

describe('workers that end under load', () => {
  it('take nobody else’s verdict with them', async (t) => {
    const { app } = await build(t, {
      config: { queueTimeoutMs: 60_000 },
      modules: { threadModule: new URL('./dying-thread.ts', import.meta.url), threadBytesMin: 0 },
    })
    const ask = async (message: string) => {
      const response = await post(app, '/classify-stream', message)
      return { status: response.statusCode, verdict: response.json() }
    }
    const calm = await Promise.all(MAILBAG.map(ask))
    const random = randomSource(4_711)
    let next = 0
    let deadly = 0
    const client = async () => {
      while (next < MESSAGES) {
        const number = next++
        const message = MAILBAG[number % MAILBAG.length]!
        if (random() >= DEADLY_SHARE) {
          assert.deepEqual(await ask(message), calm[number % MAILBAG.length])
          continue
        }
        deadly++
        const way = WAYS[deadly % WAYS.length]
        const { status, verdict } = await ask(`X-Dies: ${way}\r\nX-Number: ${number}\r\n${message}`)
        assert.deepEqual(
          [status, verdict.shouldEscalate, verdict.bypassReason],
          [200, true, 'parse_error'],
        )
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    assert.ok(deadly > 10, `${deadly}`)
    const { body } = await app.inject('/metrics')
    assert.match(body, new RegExp(`^tamis_worker_ends_total ${deadly}$`, 'm'))
    assert.equal((await app.inject('/ready')).statusCode, 200)
  })
})
