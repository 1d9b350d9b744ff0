/**
 * A server process that does nothing any more (SIGSTOP stands for whatever holds it up): the others answer
 * in its place, and after ten seconds it is ended and replaced.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { startService } from '../helpers/service-process.ts'
import { ORDER } from '../http/service.ts'
import { Connection, connectionsTo, listeningPids } from './connections.ts'

/** Silence after which a process is ended. */
const HELD_UP_MS = 10_000

/** The same in its start. */
const HELD_UP_IN_START_MS = 30_000

/** The same in its start, which is ended after two minutes in any case. */
const LATER_IN_START_MS_MAX = 60_000

/** Whether `pid` has begun with its own program. Until then its parent waits for it, and can end nobody. */
function runsItsProgram(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('server-process')
}

describe('a server process that is held up in its start', () => {
  it('is ended and replaced after 30 s', async (t) => {
    const environment = { TAMIS_WORKERS: '2', TAMIS_LOG_LEVEL: 'error' }
    const service = await startService({ environment })
    t.after(() => service.stop())
    const [killed, other] = await listeningPids(service, 2)
    process.kill(killed!, 'SIGKILL')
    const held = await eventually(async () =>
      (await service.serverPids()).find(
        (pid) => pid !== killed && pid !== other && runsItsProgram(pid),
      ),
    )
    // It is silent from its fork on, which was a moment before.
    const seenAt = performance.now()
    process.kill(held, 'SIGSTOP')
    const isThere = async () => (await service.serverPids()).includes(held)
    await eventually(
      async () => !(await isThere()),
      'It is there',
      HELD_UP_IN_START_MS + LATER_IN_START_MS_MAX,
    )
    // Far longer than one that has started may be silent.
    assert.ok(performance.now() - seenAt > 2 * HELD_UP_MS)
    const pids = await listeningPids(service, 2)
    assert.ok(pids.includes(other!) && !pids.includes(held))
  })
})

describe('a server process that is held up', () => {
  it('keeps nobody else waiting, and is ended and replaced after 10 s', async (t) => {
    const environment = { TAMIS_WORKERS: '2', TAMIS_LOG_LEVEL: 'error' }
    const service = await startService({ environment })
    t.after(() => service.stop())
    const [held, other] = await listeningPids(service, 2)
    const [atHeld] = await connectionsTo(service, [held!, other!])
    process.kill(held!, 'SIGSTOP')
    const stoppedAt = performance.now()
    const inHand = assert.rejects(atHeld!.post('/classify-stream', ORDER))
    const isThere = async () => (await service.serverPids()).includes(held!)

    let rounds = 0
    const ask = async (what: (connection: Connection) => Promise<unknown>) => {
      const connection = new Connection(service)
      await what(connection)
      connection.close()
    }
    const isAnswered = async (answer: Promise<{ status: number; text: string }>) => {
      const { status, text } = await answer
      assert.equal(status, 200, text)
      return text
    }
    for (; await isThere(); rounds++) {
      const user = { 'x-user-id': `user-${rounds}` }
      for (const path of ['/health', '/ready', '/metrics']) {
        await ask((connection) => isAnswered(connection.ask({ path })))
      }
      await ask((connection) => isAnswered(connection.post('/classify-stream', ORDER)))
      await ask(async (connection) => {
        const headers = { ...user, 'x-is-spam': 'true' }
        await isAnswered(connection.post('/feedback-stream', ORDER, headers))
        const verdict = await isAnswered(connection.post('/classify-stream', ORDER, user))
        assert.equal(JSON.parse(verdict).bypassReason, 'user_rule')
      })
      await sleep(100)
    }
    const endedAfterMs = performance.now() - stoppedAt
    await inHand
    // If one request had waited for it, there would be one round.
    assert.ok(rounds > 3, `${rounds} rounds while it was held up`)
    assert.ok(endedAfterMs > HELD_UP_MS - 2_000)

    const pids = await listeningPids(service, 2)
    assert.ok(pids.includes(other!) && !pids.includes(held!))
    const text = 'A server process does not respond; the supervisor ends it'
    await eventually(() => service.output().includes(text), 'Nothing in the log')
    const [atNew] = await connectionsTo(service, pids)
    await isAnswered(atNew!.post('/classify-stream', ORDER))
    atNew!.close()
    atHeld!.close()
  })
})
