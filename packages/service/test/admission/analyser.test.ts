/** The queues and limits of messages: large ones on a thread that some of them keep busy or end (odd-thread.ts), others here. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { readModels } from '../../../artifact-files/artifact-files.ts'
import { AdmissionMemory } from '../../admission/admission-memory.ts'
import type { AnalyserSettings } from '../../admission/analyse-task.ts'
import { Analyser } from '../../admission/analyser.ts'
import { ALONE_SHARED } from '../../threads/shared.ts'
import { oneForAll } from '../helpers/shared.ts'
import { letGoOn, ODD_THREAD, threadStuck } from './stuck.ts'

const facts = { now: new Date('2026-11-20T12:00:00Z') }

const HEADER = 'From: a@example.com\r\nSubject: a\r\n'
const HELLO = `${HEADER}\r\nHello`

const models = await readModels()

describe('Analyser, of large messages', () => {
  it('passes on a refusal with its code', async (t) => {
    const analyser = await open(t)
    await assert.rejects(analyse(analyser, 'no message'), { code: 'NOT_A_MESSAGE' })
  })

  for (const [how, limitMs, said] of [
    ['hangs', 5_000, /did not answer within 5000 ms/],
    ['exit', 60_000, /The thread ended with 1/],
    ['memory', 60_000, /memory/],
  ] as const) {
    it(`judges by its header a message over which the thread ends (${how}), now and later, wherever it comes`, async (t) => {
      const memory = await AdmissionMemory.open(ALONE_SHARED)
      const analyser = await open(t, { workerKillMs: limitMs, memory })
      const message = `${HEADER}X-Dies: ${how}\r\n\r\nBody`
      const first = await analyse(analyser, message)
      assert.match(first.threadEnd?.message ?? '', said)
      assert.deepEqual(first.analysis.limitsReached, ['CPU'])
      // As a small one it would be analysed on this thread.
      const other = await open(t, { memory, smallBytesMax: 1_000 })
      const again = await analyse(other, message)
      assert.match(again.threadEnd?.message ?? '', /before/)
      assert.deepEqual(again.analysis.limitsReached, ['CPU'])
      assert.equal((await analyse(analyser, HELLO)).threadEnd, undefined)
    })
  }

  it('gives up a message whose header ends the thread too', async (t) => {
    const analyser = await open(t, { workerKillMs: 5_000 })
    await assert.rejects(analyse(analyser, `${HEADER}X-Dies: always\r\n\r\n`), { code: 'INTERNAL' })
  })

  it('analyses what waited for the thread when that ended over a message of another', async (t) => {
    const shared = oneForAll()
    const [one, other] = [
      await open(t, { shared, workerKillMs: 5_000 }),
      await open(t, { shared, workerKillMs: 60_000 }),
    ]
    const isStuck = threadStuck()
    const stuck = analyse(one, `${HEADER}X-Stuck-Ms: 60000\r\n\r\nBody`)
    await isStuck
    const waited = await analyse(other, HELLO)
    assert.equal(waited.threadEnd, undefined)
    assert.equal(waited.analysis.bodyUnread, false)
    assert.match((await stuck).threadEnd?.message ?? '', /did not answer/)
  })

  it('are those over a limit, and keep no others waiting', async (t) => {
    const analyser = await open(t, {
      smallBytesMax: HELLO.length,
      queueDepth: 0,
      workerKillMs: 60_000,
    })
    const isStuck = threadStuck()
    const large = analyse(analyser, `${HEADER}X-Stuck-Ms: 60000\r\n\r\nBody`)
    await isStuck
    assert.equal(analyser.refusal(HELLO.length + 1)?.code, 'QUEUE_FULL')
    assert.equal(analyser.refusal(HELLO.length), undefined)
    assert.equal((await analyse(analyser, HELLO)).analysis.bodyUnread, false)
    letGoOn()
    assert.equal((await large).threadEnd, undefined)
  })

  it('are refused when the analyser is closed meanwhile', async (t) => {
    const analyser = await open(t, { workerKillMs: 60_000 })
    const isStuck = threadStuck()
    const running = analyse(analyser, `${HEADER}X-Stuck-Ms: 60000\r\n\r\nBody`)
    const waiting = analyse(analyser, HELLO)
    const refused = [running, waiting].map((each) =>
      assert.rejects(each, { code: 'SHUTTING_DOWN' }),
    )
    await isStuck
    await analyser.close()
    await Promise.all(refused)
    await assert.rejects(analyse(analyser, HELLO), { code: 'SHUTTING_DOWN' })
    assert.equal(analyser.ready, false)
  })

  it('are an internal error when the thread cannot start', async (t) => {
    const threadModule = new URL('./no-such-thread.ts', import.meta.url)
    const analyser = await open(t, { threadModule })
    await assert.rejects(analyse(analyser, 'a'), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'INTERNAL')
      assert.match(String(error.cause), /no-such-thread/)
      return true
    })
  })
})

describe('Analyser, of smaller messages', () => {
  it('makes an error in the analysis an internal one, and goes on', async (t) => {
    const analyser = await openHere(t)
    const broken = undefined as unknown as typeof facts
    await assert.rejects(analyser.analyse({ ...task(HELLO), facts: broken }), {
      code: 'INTERNAL',
      message: 'A message could not be analysed',
    })
    assert.deepEqual((await analyse(analyser, HELLO)).analysis.limitsReached, [])
  })

  it('judges by what it has read when the time for a message is over', async (t) => {
    const analyser = await openHere(t, { cpuMsMax: 0 })
    // The system counts the CPU time of a thread in steps of some milliseconds, and this takes many.
    const part = `--b\r\nContent-Type: text/html\r\n\r\n${'<p class="a">Lunch?</p>'.repeat(1_000)}\r\n`
    const type = 'Content-Type: multipart/mixed; boundary=b\r\n'
    const { analysis } = await analyse(analyser, `${type}${HEADER}\r\n${part.repeat(200)}--b--\r\n`)
    assert.ok(analysis.limitsReached.includes('CPU'))
  })
})

async function openHere(
  t: TestContext,
  changes: Partial<AnalyserSettings> = {},
): Promise<Analyser> {
  return await open(t, { ...changes, smallBytesMax: Number.POSITIVE_INFINITY })
}

async function open(t: TestContext, changes: Partial<AnalyserSettings> = {}): Promise<Analyser> {
  const { shared = ALONE_SHARED } = changes
  const analyser = await Analyser.open({
    ...{ models, queueDepth: 100, queueTimeoutMs: 60_000, cpuMsMax: 2_000, workerKillMs: 60_000 },
    ...ODD_THREAD,
    shared,
    memory: await AdmissionMemory.open(shared),
    ...changes,
  })
  t.after(() => analyser.close())
  return analyser
}

function analyse(analyser: Analyser, text: string) {
  return analyser.analyse(task(text))
}

function task(text: string) {
  const bytes = new Uint8Array(Buffer.from(text))
  return { body: { kind: 'memory', bytes } as const, facts, options: {} }
}
