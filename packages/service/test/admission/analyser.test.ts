/** The pool and its limits, with a worker that does as it is told (fake-worker.ts). */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { EmbeddingTables } from '../../../mail/embedding/static-embedding.ts'
import type { Models } from '../../../mail/models/models.ts'
import { Analyser, type AnalyserSettings } from '../../admission/analyser.ts'
import type { MessageBody } from '../../admission/message-body.ts'

const facts = { now: new Date('2026-11-20T12:00:00Z') }

describe('Analyser', () => {
  it('gives each message its own analysis', async (t) => {
    const analyser = await open(t, { workers: 2 })
    const texts = ['a', 'bb', 'ccc', 'dddd', 'eeeee']
    const analysed = await Promise.all(texts.map((text) => analyse(analyser, text)))
    assert.deepEqual(
      analysed.map(({ analysis }) => analysis.timing.parse),
      [1, 2, 3, 4, 5],
    )
  })

  it('hands many bytes over: they are gone from this thread', async (t) => {
    const analyser = await open(t)
    const body = memoryBody('Hello'.repeat(20_000))
    await analyser.analyse(body, { facts })
    assert.equal(body.bytes.length, 0)
  })

  it('passes on a refusal with its code', async (t) => {
    const analyser = await open(t)
    await assert.rejects(analyse(analyser, 'REFUSE'), { code: 'NOT_A_MESSAGE' })
  })

  it('makes an error in the analysis an internal one, and goes on', async (t) => {
    const analyser = await open(t)
    await assert.rejects(analyse(analyser, 'THROW'), { code: 'INTERNAL' })
    assert.equal((await analyse(analyser, 'abc')).analysis.timing.parse, 3)
  })

  it('ends a worker that does not come back, and judges the header of its message', async (t) => {
    const analyser = await open(t, { workerKillMs: 300 })
    const { analysis, workerEnd } = await analyse(analyser, 'LOOP 1\r\nSubject: a\r\n\r\nBody')
    assert.match(workerEnd?.message ?? '', /did not answer within 300 ms/)
    assert.deepEqual(analysis.limitsReached, ['CPU'])
    assert.equal(analysis.timing.parse, 'LOOP 1\r\nSubject: a\r\n\r\n'.length)
  })

  it('does not give a second worker the message over which one has ended', async (t) => {
    const analyser = await open(t, { workerKillMs: 300 })
    await analyse(analyser, 'LOOP 1\r\nSubject: a\r\n\r\nBody')
    const { analysis, workerEnd, workerMs } = await analyse(
      analyser,
      'LOOP 1\r\nSubject: a\r\n\r\nBody',
    )
    assert.match(workerEnd?.message ?? '', /before/)
    assert.deepEqual(analysis.limitsReached, ['CPU'])
    assert.ok(workerMs < 300, `${workerMs}`)
    assert.equal((await analyse(analyser, 'abc')).workerEnd, undefined)
  })

  for (const [end, command] of [
    ['exits', 'EXIT'],
    ['runs out of memory', 'HOG'],
  ]) {
    it(`judges by the header alone also when the worker ${end}`, async (t) => {
      const analyser = await open(t, { workerKillMs: 20_000 })
      const { analysis } = await analyse(analyser, `${command}\n\nBody`)
      assert.deepEqual(analysis.limitsReached, ['CPU'])
      assert.equal(analysis.timing.parse, `${command}\n\n`.length)
    })
  }

  it('loses none of the messages that wait behind one that does not come back', async (t) => {
    const analyser = await open(t, { workerKillMs: 300 })
    const stuck = analyse(analyser, 'LOOP')
    const others = await Promise.all(['a', 'bb', 'ccc'].map((text) => analyse(analyser, text)))
    assert.deepEqual(
      others.map(({ analysis }) => analysis.timing.parse),
      [1, 2, 3],
    )
    await stuck
  })

  it('refuses at once what is more than may wait, with the depth of the queue', async (t) => {
    const analyser = await open(t, { queueDepth: 1 })
    const running = analyse(analyser, 'SLEEP 200')
    const waiting = analyse(analyser, 'a')
    await assert.rejects(analyse(analyser, 'b'), { code: 'QUEUE_FULL', details: { queueDepth: 1 } })
    await Promise.all([running, waiting])
  })

  it('says how long a message waited and how long it was worked on', async (t) => {
    const analyser = await open(t)
    const running = analyse(analyser, 'SLEEP 100')
    const { queueMs, workerMs } = await analyse(analyser, 'a')
    assert.ok(queueMs > 50, `${queueMs}`)
    assert.ok(workerMs < queueMs, `${workerMs}`)
    await running
  })

  it('finishes what is queued when it is closed, and takes nothing new', async (t) => {
    const analyser = await open(t)
    const accepted = ['SLEEP 50', 'a', 'b'].map((text) => analyse(analyser, text))
    const closed = analyser.close(5_000)
    await assert.rejects(analyse(analyser, 'late'), { code: 'SHUTTING_DOWN' })
    assert.equal((await Promise.all(accepted)).length, 3)
    await closed
    assert.equal(analyser.ready, false)
  })

  it('refuses what is still queued when the time to close is over', async (t) => {
    const analyser = await open(t)
    const running = analyse(analyser, 'LOOP-ALWAYS')
    const waiting = analyse(analyser, 'a')
    const outcomes = Promise.allSettled([running, waiting])
    await analyser.close(50)
    for (const outcome of await outcomes) {
      assert.equal(outcome.status, 'rejected')
      assert.equal(outcome.reason.code, 'SHUTTING_DOWN')
    }
  })

  it('does not open with a worker that cannot start', async () => {
    const workerModule = new URL('./no-such-worker.ts', import.meta.url)
    await assert.rejects(Analyser.open({ ...settings, workerModule }), {
      code: 'NOT_READY',
      message: /^A worker cannot start: .*no-such-worker/,
    })
  })
})

const settings: AnalyserSettings = {
  models: {} as Models,
  embedding: {} as EmbeddingTables,
  workers: 1,
  queueDepth: 100,
  queueTimeoutMs: 5_000,
  cpuMsMax: 2_000,
  workerKillMs: 3_000,
  workerModule: new URL('./fake-worker.ts', import.meta.url),
}

async function open(t: TestContext, changes: Partial<AnalyserSettings> = {}): Promise<Analyser> {
  const analyser = await Analyser.open({ ...settings, ...changes })
  t.after(() => analyser.close(0))
  return analyser
}

function analyse(analyser: Analyser, text: string) {
  return analyser.analyse(memoryBody(text), { facts })
}

function memoryBody(text: string): MessageBody & { kind: 'memory' } {
  return { kind: 'memory', bytes: new Uint8Array(Buffer.from(text)) }
}
