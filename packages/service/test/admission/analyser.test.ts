/** The queues and limits of messages: large ones on a thread that does as it is told (fake-worker.ts), others here. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { readModels } from '../../../artifact-files/artifact-files.ts'
import type { AnalyserSettings } from '../../admission/analyse-task.ts'
import { Analyser } from '../../admission/analyser.ts'
import { DeadlyMessages } from '../../admission/deadly-messages.ts'
import type { MessageBody } from '../../admission/message-body.ts'
import { ALONE } from '../../siblings/siblings.ts'

const facts = { now: new Date('2026-11-20T12:00:00Z') }

const MIB = 1024 * 1024

/** Of a message that goes to the thread. */
const LARGE_BYTES = 2 * MIB

const models = await readModels()

describe('Analyser, of messages from half a MiB on', () => {
  it('passes on a refusal with its code', async (t) => {
    const analyser = await open(t)
    await assert.rejects(analyse(analyser, 'REFUSE'), { code: 'NOT_A_MESSAGE' })
  })

  it('ends a worker that does not come back, and judges the header of its message', async (t) => {
    const analyser = await open(t, { workerKillMs: 1_000 })
    const { analysis, threadEnd } = await analyse(analyser, 'LOOP 1\r\nSubject: a\r\n\r\nBody')
    assert.match(threadEnd?.message ?? '', /did not answer within 1000 ms/)
    assert.deepEqual(analysis.limitsReached, ['CPU'])
    assert.equal(analysis.timing.parse, 'LOOP 1\r\nSubject: a\r\n\r\n'.length)
  })

  it('does not give a second worker the message over which one has ended', async (t) => {
    const analyser = await open(t)
    const ended = await analyse(analyser, 'EXIT\r\nSubject: a\r\n\r\nBody')
    assert.match(ended.threadEnd?.message ?? '', /The thread ended with 1/)
    const { analysis, threadEnd } = await analyse(analyser, 'EXIT\r\nSubject: a\r\n\r\nBody')
    assert.match(threadEnd?.message ?? '', /before/)
    assert.deepEqual(analysis.limitsReached, ['CPU'])
    assert.equal((await analyse(analyser, 'abc')).threadEnd, undefined)
  })

  it('refuses at once what is more than may wait, with the depth of the queue', async (t) => {
    const analyser = await open(t, { queueDepth: 1 })
    const running = analyse(analyser, 'SLEEP 200')
    const waiting = analyse(analyser, 'a')
    await assert.rejects(analyse(analyser, 'b'), { code: 'QUEUE_FULL', details: { queueDepth: 1 } })
    await Promise.all([running, waiting])
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

  it('makes it an internal error when the thread cannot start', async (t) => {
    const threadModule = new URL('./no-such-worker.ts', import.meta.url)
    const analyser = await open(t, { threadModule })
    await assert.rejects(analyse(analyser, 'a'), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'INTERNAL')
      assert.match(String(error.cause), /no-such-worker/)
      return true
    })
  })

  it('are those, and no others', async (t) => {
    const analyser = await Analyser.open(withoutThreshold)
    t.after(() => analyser.close(0))
    const small = await analyse(analyser, `${HEADER}${'a'.repeat(LARGE_BYTES - HEADER.length - 1)}`)
    assert.ok(small.analysis.timing.parse < LARGE_BYTES)
    const large = await analyse(analyser, `${HEADER}${'a'.repeat(LARGE_BYTES - HEADER.length)}`)
    assert.equal(large.analysis.timing.parse, LARGE_BYTES)
  })

  it('do not keep others waiting', async (t) => {
    const patient = { ...withoutThreshold, queueDepth: 0, workerKillMs: 60_000 }
    const analyser = await Analyser.open(patient)
    t.after(() => analyser.close(0))
    const large = analyse(analyser, `LOOP-ALWAYS\r\n\r\n${'a'.repeat(LARGE_BYTES)}`)
    const refused = assert.rejects(large, { code: 'SHUTTING_DOWN' })
    assert.equal(analyser.refusal(LARGE_BYTES)?.code, 'QUEUE_FULL')
    assert.equal(analyser.refusal(), undefined)
    const { analysis } = await analyse(analyser, `${HEADER}Hello`)
    assert.deepEqual(analysis.limitsReached, [])
    assert.equal(analyser.refusal(LARGE_BYTES)?.code, 'QUEUE_FULL')
    await analyser.close(0)
    await refused
  })
})

describe('Analyser, of smaller messages', () => {
  it('makes an error in the analysis an internal one, and goes on', async (t) => {
    const analyser = await openHere(t)
    const broken = undefined as unknown as typeof facts
    await assert.rejects(analyser.analyse(memoryBody(`${HEADER}Hello`), broken), {
      code: 'INTERNAL',
      message: 'A message could not be analysed',
    })
    assert.deepEqual((await analyse(analyser, `${HEADER}Hello`)).analysis.limitsReached, [])
  })

  it('judges by what it has read when the time for a message is over', async (t) => {
    const analyser = await openHere(t, { cpuMsMax: 0, threadBytesMin: Number.POSITIVE_INFINITY })
    // The system counts the CPU time of a thread in steps of some milliseconds, and this takes many.
    const part = `--b\r\nContent-Type: text/html\r\n\r\n${'<p class="a">Lunch?</p>'.repeat(1_000)}\r\n`
    const type = 'Content-Type: multipart/mixed; boundary=b\r\n'
    const { analysis } = await analyse(analyser, `${type}${HEADER}${part.repeat(200)}--b--\r\n`)
    assert.ok(analysis.limitsReached.includes('CPU'))
  })
})

const HEADER = 'From: a@example.com\r\nSubject: a\r\n\r\n'

const settings: AnalyserSettings = {
  models,
  deadly: new DeadlyMessages(ALONE),
  queueDepth: 100,
  queueTimeoutMs: 5_000,
  cpuMsMax: 2_000,
  workerKillMs: 3_000,
  threadModule: new URL('./fake-thread.ts', import.meta.url),
  // All go to the thread, however small.
  threadBytesMin: 0,
}

const { threadBytesMin: _none, ...withoutThreshold } = settings

async function openHere(
  t: TestContext,
  changes: Partial<AnalyserSettings> = {},
): Promise<Analyser> {
  return await open(t, { ...changes, threadBytesMin: Number.POSITIVE_INFINITY })
}

async function open(t: TestContext, changes: Partial<AnalyserSettings> = {}): Promise<Analyser> {
  const deadly = new DeadlyMessages(ALONE)
  const analyser = await Analyser.open({ ...settings, deadly, ...changes })
  t.after(() => analyser.close(0))
  return analyser
}

function analyse(analyser: Analyser, text: string) {
  return analyser.analyse(memoryBody(text), facts)
}

function memoryBody(text: string): MessageBody & { kind: 'memory' } {
  return { kind: 'memory', bytes: new Uint8Array(Buffer.from(text)) }
}
