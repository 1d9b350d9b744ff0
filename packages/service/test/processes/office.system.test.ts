/**
 * The office in a process of its own: verdicts go on without it, what is corrected meanwhile is learned when it is
 * back, and no flood in a server process keeps it from learning.
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { type ServiceProcess, startService } from '../helpers/service-process.ts'
import { PILLS } from '../http/service.ts'
import { type Connection, connectionsTo, listeningPids } from './connections.ts'
import { running } from './ending.ts'

/** The operator's word is learned from at once. */
const ENVIRONMENT = {
  TAMIS_WORKERS: '2',
  TAMIS_LEARNING: 'operator',
  TAMIS_LOG_LEVEL: 'error',
}

async function start(t: TestContext, environment: Readonly<Record<string, string>> = {}) {
  const service = await startService({ environment: { ...ENVIRONMENT, ...environment } })
  t.after(() => service.stop())
  const pids = await listeningPids(service, 2)
  const [one, two] = await connectionsTo(service, pids)
  t.after(() => {
    one!.close()
    two!.close()
  })
  return { service, pids, one: one!, two: two! }
}

/**
 * One message in sixteen is held out from learning, by a secret of the installation: of four that say the same, all are in one
 * of 65,536 installations.
 */
const CORRECTED = [1, 2, 3, 4].map((at) => PILLS.replace('<pills@', `<pills-${at}@`))

/** Corrects all of them, and gives what is answered to each. */
async function correct(connection: Connection): Promise<string[]> {
  const headers = { 'x-user-id': 'ann', 'x-is-spam': 'false' }
  const answers: string[] = []
  for (const message of CORRECTED) {
    const { status, text } = await connection.post('/feedback-stream', message, headers)
    assert.equal(status, 200, text)
    answers.push(JSON.parse(text).status)
  }
  return answers
}

const ofAll = (status: string) => CORRECTED.map(() => status)

/** The verdict for nobody in particular, so that only the shared model tells what was learned. */
async function spamProbability(connection: Connection): Promise<number> {
  const { status, text } = await connection.post('/classify-stream', PILLS)
  assert.equal(status, 200, text)
  return JSON.parse(text).spamProbability
}

function kill(pid: number | undefined, signal: NodeJS.Signals): void {
  process.kill(pid!, signal)
}

/** Resolves when there is another office than `ended`, and it answers. */
async function backAgain({ officePid }: ServiceProcess, ended: number, connection: Connection) {
  await eventually(async () => ![undefined, ended].includes(await officePid()))
  const promote = { method: 'POST', path: '/models/promote' }
  await eventually(async () => (await connection.ask(promote)).status === 200)
}

describe('the office', () => {
  it('may be killed: verdicts go on, and what is corrected meanwhile is learned when it is back', async (t) => {
    const { service, pids, one, two } = await start(t)
    const unlearned = await spamProbability(one)
    const killed = (await service.officePid())!
    kill(killed, 'SIGKILL')
    await eventually(() => running([killed]).length === 0)
    const [first] = await correct(one)
    assert.equal(first, 'personalization_only')
    assert.equal(await spamProbability(two), unlearned)
    await backAgain(service, killed, one)
    await eventually(async () => {
      const learned = await Promise.all([spamProbability(one), spamProbability(two)])
      return learned.every((each) => each < unlearned)
    })
    assert.deepEqual(await service.serverPids(), pids)
    assert.match(service.output(), /"process":"office","how":"SIGKILL"/)
  })

  it('that is held up is ended, and another comes in its place', async (t) => {
    const { service, one } = await start(t)
    const held = (await service.officePid())!
    kill(held, 'SIGSTOP')
    await backAgain(service, held, one)
    assert.deepEqual(running([held]), [])
    assert.match(service.output(), /A server process does not respond; the supervisor ends it/)
    assert.deepEqual(await correct(one), ofAll('success'))
  })

  it('learns while a server process does nothing', async (t) => {
    const { pids, two } = await start(t)
    const unlearned = await spamProbability(two)
    kill(pids[0], 'SIGSTOP')
    assert.deepEqual(await correct(two), ofAll('success'))
    await eventually(async () => (await spamProbability(two)) < unlearned)
  })

  it('counts in the metrics of the service, and is no server process', async (t) => {
    const { service, one } = await start(t)
    const { text } = await one.ask({ path: '/metrics' })
    const value = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1])
    assert.equal(value('tamis_processes'), 2)
    assert.ok(value('nodejs_heap_size_used_bytes') > 0)
    assert.notEqual(await service.officePid(), undefined)
    await correct(one)
    await eventually(async () =>
      /^tamis_learning_promotions\{.*outcome="promoted".*\} [1-9]/m.test(
        (await one.ask({ path: '/metrics' })).text,
      ),
    )
  })

  it('is in the first server process where the settings say so', async (t) => {
    const { service, pids, one, two } = await start(t, { TAMIS_OFFICE: 'shared' })
    assert.equal(await service.officePid(), undefined)
    const unlearned = await spamProbability(one)
    assert.deepEqual(await correct(two), ofAll('success'))
    await eventually(async () => {
      const learned = await Promise.all([spamProbability(one), spamProbability(two)])
      return learned.every((each) => each < unlearned)
    })
    assert.deepEqual(await service.serverPids(), pids)
  })
})
