/** Turns at an encoder that answers when the test says so. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { DIMENSIONS } from '../../../mail/personalization/memory-item.ts'
import { Embedder, EncoderEnded } from '../../encoder/embedder.ts'
import { embedderBy } from './fake-encoder.ts'

const MEAN = new Float32Array(DIMENSIONS).fill(7)
/** What MEAN is as an embedding: of length 1. */
const EMBEDDING = MEAN.map(() => 1 / Math.sqrt(DIMENSIONS))

/** An embedder of texts that are windows joined by '/', and the windows in the order in which they were embedded. */
function open() {
  const turns: string[] = []
  const pending: PromiseWithResolvers<Float32Array>[] = []
  const texts: string[] = []
  const embedder = embedderBy({
    windows: (text) => text.split('/').map((window) => [texts.push(window) - 1]),
    mean: (window) => {
      turns.push(texts[window[0]!]!)
      pending.push(Promise.withResolvers())
      return pending.at(-1)!.promise
    },
  })
  const answer = async () => {
    pending.shift()!.resolve(MEAN)
    await settled()
  }
  const embed = (text: string, caller = 'ann', waitMsMax?: number) =>
    outcome(embedder.embed(text, caller, waitMsMax))
  return { embed, turns, pending, answer }
}

/** What a promise has come to so far. */
function outcome(promise: Promise<unknown>): () => unknown {
  let found: unknown = 'waits'
  promise.then(
    (value) => {
      found = value
    },
    (error) => {
      found = error.code
    },
  )
  return () => found
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate()
}

describe('an embedder', () => {
  it('embeds one window after another, and gives a vector of length 1', async () => {
    const { embed, turns, answer } = open()
    const embedded = embed('one/two')
    await settled()
    await answer()
    assert.equal(embedded(), 'waits')
    await answer()
    assert.deepEqual(turns, ['one', 'two'])
    assert.deepEqual(embedded(), EMBEDDING)
  })

  it('gives callers turns, however much one of them has sent', async () => {
    const { embed, turns, answer } = open()
    embed('a1/a2/a3')
    embed('a4')
    embed('b1/b2', 'bob')
    embed('c1', 'cid')
    await settled()
    for (let turn = 0; turn < 7; turn++) await answer()
    assert.deepEqual(turns, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('embeds a text of a caller once for all who ask at the same time', async () => {
    const { embed, turns, answer } = open()
    const all = [embed('one', ''), embed('one', '')]
    await settled()
    await answer()
    assert.deepEqual(turns, ['one'])
    assert.deepEqual(
      all.map((text) => text()),
      [EMBEDDING, EMBEDDING],
    )
  })

  it('gives a text up that has waited for too long, and does not embed it later', async () => {
    const { embed, turns, answer } = open()
    embed('a1/a2')
    const late = embed('b1', '', 1)
    await sleep(20)
    assert.equal(late(), 'QUEUE_FULL')
    await answer()
    await answer()
    assert.deepEqual(turns, ['a1', 'a2'])
  })

  it('holds a bounded number of texts, of one caller half of that', async () => {
    const { embed } = open()
    const own = Array.from({ length: 501 }, (_, i) => embed(`x${i}`))
    const others = Array.from({ length: 501 }, (_, i) => embed(`x${i}`, `other ${i % 2}`))
    await settled()
    assert.deepEqual([own[499]!(), own[500]!()], ['waits', 'QUEUE_FULL'])
    assert.deepEqual([others[499]!(), others[500]!()], ['waits', 'QUEUE_FULL'])
  })

  it('fails for a text that cannot be embedded, and embeds the next', async () => {
    const { embed, pending, answer } = open()
    const [failing, next] = [embed('a1'), embed('a2')]
    await settled()
    pending.shift()!.reject(new Error('out of memory'))
    await settled()
    assert.equal(failing(), 'ENCODER_UNAVAILABLE')
    await answer()
    assert.deepEqual(next(), EMBEDDING)
  })

  it('asks again where the thread has ended for lack of texts, and not for ever', async () => {
    let ends = 0
    const embedder = new Embedder({
      ...{ id: 'fake-1', log: { warn: () => {} } },
      thread: {
        ...{ pending: 0, end: async () => {}, close: async () => {} },
        call: async (_: string, ...[, text]: readonly unknown[]) => {
          ends++
          if (text === 'always' || ends === 1) throw new EncoderEnded()
          return MEAN as never
        },
      },
    })
    assert.equal(await embedder.embed('once', 'ann'), MEAN)
    await assert.rejects(embedder.embed('always', 'ann'), { code: 'ENCODER_UNAVAILABLE' })
    assert.equal(embedder.isUsable, true)
  })
})
