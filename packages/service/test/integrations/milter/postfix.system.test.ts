/**
 * Debian's Postfix with the milter: what is delivered, and that nothing is lost, doubled or
 * refused, whichever of the two is restarted or killed meanwhile.
 */
import assert from 'node:assert/strict'
import { chmodSync, chownSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../../test/temporary-folder.ts'
import { startService } from '../../helpers/service-process.ts'
import { build, buildOnce, post } from '../../http/service.ts'
import { freePort, run } from '../programs.ts'
import { type TestMilter, testMilter } from './milter.ts'
import { owner, type Postfix, postfixMissing, startPostfix } from './postfix.ts'

const skip = postfixMissing() ?? false

const MESSAGE = [
  'From: Bob <bob@example.net>',
  'To: ann@example.com',
  'Subject: Saturday',
  ' at the lake',
  'Date: Fri, 20 Nov 2026 12:00:00 +0000',
  'Message-ID: <lake-1@mail.example.net>',
  'X-Spam-Flag: YES',
  'X-TAMIS-VERDICT : ham',
  'x-tamis-verdict: spam',
  'X-Tamis-Reasons: -9.9 DKIM_ALIGNED (forged)',
  'Subject-Of-Nothing: x',
  '',
  'Shall we meet at the boat house at ten? Bring the children and something warm to wear.',
  '.dot',
].join('\n')

/** The header of a delivered message, below the Received field of Postfix. */
function fieldsOf(delivered: string): string[] {
  const [header = ''] = delivered.split('\n\n', 1)
  const fields = header.split(/\n(?![ \t])/)
  return fields.slice(fields.findIndex((field) => field.startsWith('Received:')) + 1)
}

/** One Tamis and one Postfix for the tests below; the milter between them is each test's own. */
class MailServer {
  readonly #folder: string
  readonly #app: FastifyInstance
  readonly postfix: Postfix

  private constructor(folder: string, app: FastifyInstance, postfix: Postfix) {
    this.#folder = folder
    this.#app = app
    this.postfix = postfix
  }

  static async start(app: FastifyInstance): Promise<MailServer> {
    const folder = temporaryFolder()
    // As in docs/integrations/milter.md: sockets in it belong to the group postfix.
    chownSync(folder, 0, (await owner()).gid)
    chmodSync(folder, 0o2750)
    const rule = { userId: 'ann@example.com', ruleType: 'Sender', label: 'spam' }
    const payload = { ...rule, pattern: 'bob@example.net' }
    await app.inject({ method: 'POST', url: '/personalization/rules', payload })
    return new MailServer(folder, app, await startPostfix(`unix:${folder}/milter.sock`))
  }

  milter(t: TestContext, app = this.#app): Promise<TestMilter> {
    const address = `unix:${join(this.#folder, 'milter.sock')}` as const
    return testMilter(t, app, { address })
  }

  send(...options: string[]): Promise<string> {
    return this.postfix.swaks('--from', 'bob@example.net', '--data', MESSAGE, ...options)
  }

  async close(): Promise<void> {
    await this.postfix.close()
    await this.#app.close()
    rmSync(this.#folder, { recursive: true })
  }
}

describe('Postfix', { skip }, () => {
  const app = buildOnce({ config: { learning: 'users', historyDays: 1 } })
  let server: MailServer
  before(async () => {
    server = await MailServer.start(app())
  })
  after(() => server.close())

  it('delivers messages with our fields on top of theirs, and without forged ones', async (t) => {
    const { lines } = await server.milter(t)
    const client = ['--xclient-addr', '192.0.2.25', '--xclient-name', 'host.example.net']
    assert.match(await server.send('--to', 'dan@example.com', ...client), /^0\n/)
    const [delivered] = await server.postfix.delivered(1)
    const [verdict, messageClass, reasons, ...others] = fieldsOf(delivered!)
    assert.match(verdict!, /^X-Tamis-Verdict: ham; probability=0\.\d{4}/)
    assert.equal(messageClass, 'X-Tamis-Class: primary')
    assert.match(reasons!, /^X-Tamis-Reasons: [A-Z][^;]+;\s+[+-]\d+\.\d [A-Z0-9_]+ \(/)
    assert.ok(reasons!.split('\n').every((line) => line.length <= 78))
    assert.deepEqual(others, [
      'X-Spam-Flag: NO',
      'From: Bob <bob@example.net>',
      'To: ann@example.com',
      'Subject: Saturday\n at the lake',
      'Date: Fri, 20 Nov 2026 12:00:00 +0000',
      'Message-ID: <lake-1@mail.example.net>',
      'Subject-Of-Nothing: x',
    ])
    assert.match(delivered!, /to wear\.\n\.dot\n/)
    const line = lines.find(({ msg }) => msg === 'message')
    const { queueId, messageId } = line as { queueId: string; messageId: string }
    assert.equal(messageId, 'lake-1@mail.example.net')
    assert.match(
      await server.postfix.log(),
      new RegExp(`${queueId}: to=<dan@example.com>.*status=sent`),
    )
  })

  it('refuses or holds what is spam for all where that is wanted', async (t) => {
    const rule = (text: string) => app().inject({ method: 'PUT', url: '/rules', payload: { text } })
    await rule('reject-at 0.99')
    await server.milter(t)
    assert.match(await server.send('--to', 'ann@example.com'), /^26\n.*<\*\* 550 5\.7\.1 This/s)
    await rule('quarantine-at 0.99 for example.com')
    assert.match(await server.send('--to', 'ann@example.com'), /^0\n/)
    const [queueId, ...others] = await server.postfix.queued('hold')
    assert.deepEqual(others, [])
    const isFound = async () =>
      (await app().inject(`/history?queueId=${queueId}`)).json().entries.length === 1
    await eventually(isFound, 'It is not in the history', 15_000)
    // As docs/integrations/milter.md has it: the queue gives the message that is corrected, and then lets it go.
    const held = await server.postfix.message(queueId!)
    assert.match(held, /^X-Tamis-Verdict: spam;/m)
    const headers = { 'x-user-id': 'ann@example.com', 'x-is-spam': 'false' }
    const told = await post(app(), '/feedback-stream', held, headers)
    assert.equal(told.statusCode, 200, told.body)
    await server.postfix.unhold(queueId!)
    const [delivered] = await server.postfix.delivered(1)
    assert.match(delivered!, /^X-Tamis-Verdict: spam;/m)
    const { feedbackId } = told.json()
    await app().inject({ method: 'DELETE', url: `/feedback/${feedbackId}` })
    await rule('')
  })

  it('delivers without a verdict while the service is full, and without a field while it is away', async (t) => {
    const { app: full } = await build(t, { config: { bufferBytes: 10 } })
    const { milter } = await server.milter(t, full)
    await server.send('--to', 'ann@example.com')
    const [unscanned] = await server.postfix.delivered(1)
    assert.equal(fieldsOf(unscanned!)[0], 'X-Tamis-Verdict: unscanned; cause=busy')
    assert.doesNotMatch(unscanned!, /X-Spam-Flag|X-Tamis-Class/)
    await milter.close()
    assert.match(await server.send('--to', 'ann@example.com'), /^0\n/)
    const [passed] = await server.postfix.delivered(1)
    assert.doesNotMatch(passed!, /X-Tamis-Class|unscanned/)
  })
})

/** Messages of the stream, at least, and of each run of smtp-source, which sends each on a connection of its own. */
const STREAM_MESSAGES = 1_000
const RUN_MESSAGES = 100

/** 20 at a time, with pauses of up to a second, so that the stream lasts as long as what disturbs it. */
const RUN_OPTIONS = ['-s', '20', '-R', '1', '-m', `${RUN_MESSAGES}`]

describe('a stream of 1,000 messages', { skip }, () => {
  it('is delivered whole, none twice and none refused, while both are restarted and killed', async (t) => {
    const milterPort = await freePort()
    const environment = { TAMIS_MILTER_LISTEN: `inet:${milterPort}@127.0.0.1` }
    const dataDir = temporaryFolder()
    const start = () => startService({ environment, dataDir })
    let tamis = await start()
    t.after(() => tamis.stop())
    const restart = async (signal: 'SIGTERM' | 'SIGKILL') => {
      await tamis.end(signal)
      tamis = await start()
    }
    const postfix = await startPostfix(`inet:127.0.0.1:${milterPort}`)
    t.after(() => postfix.close())
    let isOver = false
    const send = async () => {
      let sent = 0
      for (; !isOver || sent < STREAM_MESSAGES; sent += RUN_MESSAGES) {
        const to = ['-f', 'bob@example.net', '-t', 'ann@example.com', `127.0.0.1:${postfix.port}`]
        const { status, stderr } = await run('smtp-source', [...RUN_OPTIONS, ...to])
        assert.equal(status, 0, stderr)
      }
      return sent
    }
    const sending = send()

    for (const disturb of [
      () => postfix.reload(),
      () => restart('SIGTERM'),
      () => restart('SIGKILL'),
      () => postfix.reload(),
    ]) {
      // Mail goes on between two disturbances.
      await setTimeout(1_000)
      await disturb()
    }
    isOver = true
    const count = await sending
    const delivered = await postfix.delivered(count)
    // By the queue id: smtp-source makes a Message-ID of its descriptor and a counter, and now and then the same one twice.
    const ids = delivered.map((message) => /^Received: [^;]*\sid (\w+)/im.exec(message)?.[1])
    assert.ok(!ids.includes(undefined))
    assert.deepEqual([delivered.length, new Set(ids).size], [count, count])
    // All that was disturbed is up again, so the next one is judged.
    await postfix.swaks('--to', 'ann@example.com')
    const [last] = await postfix.delivered(1)
    assert.match(last!, /^X-Tamis-Verdict: (ham|spam);/m)
    const counts = Object.groupBy(
      delivered,
      (message) =>
        /^X-Tamis-Verdict: (ham|spam|unscanned; cause=\w+)/m.exec(message)?.[1] ?? 'none',
    )
    const told = Object.entries(counts).map(([verdict, of]) => `${verdict}: ${of?.length}`)
    t.diagnostic(`delivered: ${delivered.length}, of which ${told.join(', ')}`)
  })
})
