/**
 * A whole service with a real clamd that knows one virus: by HTTP, by the milter of a real Postfix, and without the
 * answer of clamd.
 */
import assert from 'node:assert/strict'
import { unlinkSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import type { Config } from '../../config.ts'
import { build, buildOnce, open, post, type TestService } from '../http/service.ts'
import { CLAMD_MISSING, type ClamdServer, EICAR, startClamd } from './clamd-server.ts'

/** With a threshold that the models do not reach here: nothing else makes spam of these messages. */
const CONFIG: Partial<Config> = {
  historyDays: 1,
  learning: 'off',
  threshold: 0.99999,
}

/** Databases that are not ClamAV's own have this after the names of their signatures. */
const SIGNATURE = 'Test.Eicar.UNOFFICIAL'

function withAttachment(content: string | Buffer): string {
  return [
    'From: Ann <ann@example.net>',
    'To: ben@example.com',
    'Subject: The maps',
    'Date: Fri, 20 Nov 2026 12:00:00 +0000',
    'Message-ID: <maps-1@mail.example.net>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="limit"',
    '',
    '--limit',
    'Content-Type: text/plain',
    '',
    'Hello Ben, here are the maps for Saturday. Shall we meet at ten, as always?',
    '--limit',
    'Content-Type: application/pdf',
    'Content-Disposition: attachment; filename="maps.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    ...(Buffer.from(content)
      .toString('base64')
      .match(/.{1,76}/g) ?? []),
    '--limit--',
    '',
  ].join('\r\n')
}

const INFECTED = withAttachment(EICAR)
const CLEAN = withAttachment('nothing at all')

async function answerOf(app: FastifyInstance, url: string, message: string, headers = {}) {
  const { statusCode, body } = await post(app, url, message, headers)
  assert.equal(statusCode, 200, body)
  return JSON.parse(body)
}

/** A socket at which `serve` answers in place of clamd. */
async function socketOf(t: TestContext, serve: (socket: Socket) => void): Promise<string> {
  const path = join(temporaryFolder(), 'clamd.ctl')
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    serve(socket)
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return path
}

describe('a message that ClamAV knows', { skip: CLAMD_MISSING }, () => {
  let clamd: ClamdServer
  let config: Partial<Config>
  let service: TestService
  before(async () => {
    clamd = await startClamd()
    config = { ...CONFIG, clamd: clamd.address }
    service = await open({ config })
  })
  after(async () => {
    await service.close()
    await clamd.stop()
  })
  const app = () => service.app
  const plain = buildOnce({ config: CONFIG })

  it('is spam, with a sentence that names the signature', async () => {
    const url = '/classify-stream'
    assert.equal((await answerOf(plain(), url, INFECTED)).isSpam, false)
    const { isSpam, spamProbability, shouldEscalate, bypassReason } = await answerOf(
      app(),
      url,
      INFECTED,
    )
    assert.deepEqual(
      [isSpam, spamProbability, shouldEscalate, bypassReason],
      [true, 1, false, null],
    )
    const { score, reasons } = await answerOf(app(), '/classify-stream/reasons', INFECTED)
    assert.equal(reasons[0].name, 'TAMIS_VIRUS')
    assert.equal(reasons[0].evidence, SIGNATURE)
    const sum = reasons.reduce((total: number, { points }: { points: number }) => total + points, 0)
    assert.ok(Math.abs(sum - score) < 1e-6)
    const { email, explanation } = await answerOf(app(), '/classify/diagnostic-stream', INFECTED)
    assert.deepEqual(email.scan, { signature: SIGNATURE, isPartial: false, failure: null })
    assert.match(explanation.sentence.reasons, /^it carries Test\.Eicar\.UNOFFICIAL, which ClamAV/)
  })

  it('is counted, and /ready says that the scanner answers', async () => {
    for (const message of [INFECTED, CLEAN]) await answerOf(app(), '/classify-stream', message)
    const { body } = await app().inject('/metrics')
    assert.match(body, /^tamis_scans_total\{outcome="found"\} [1-9]/m)
    assert.match(body, /^tamis_scans_total\{outcome="clean"\} [1-9]/m)
    const { scanner } = (await app().inject('/ready')).json()
    assert.deepEqual(scanner, { resting: false, lastFailure: null })
  })

  it('is judged without clamd while that is stopped, and with it as soon as it is back', async () => {
    await clamd.stop()
    try {
      unlinkSync(clamd.address)
    } catch {
      // clamd has removed it.
    }
    const { email, result } = await answerOf(app(), '/classify/diagnostic-stream', INFECTED)
    assert.deepEqual(email.scan, { signature: null, isPartial: false, failure: 'UNREACHABLE' })
    assert.equal(result.isSpam, false)
    const { scanner } = (await app().inject('/ready')).json()
    assert.deepEqual(scanner, { resting: false, lastFailure: 'UNREACHABLE' })
    const { body } = await app().inject('/metrics')
    assert.match(body, /^tamis_scans_total\{outcome="UNREACHABLE"\} 1$/m)
    await clamd.start()
    assert.equal((await answerOf(app(), '/classify-stream', INFECTED)).isSpam, true)
  })
})

describe('a scanner that is none', () => {
  const log: Record<string, unknown>[] = []
  const logged = () => log.filter(({ msg }) => String(msg).startsWith('The virus scanner failed'))

  async function verdictsWith(t: TestContext, clamd: string, messages: number) {
    log.length = 0
    const stream = { write: (line: string) => void log.push(JSON.parse(line)) }
    const config = { ...CONFIG, clamd }
    const { app } = await build(t, { config, log: { level: 'info', stream } })
    const answers = []
    for (let message = 0; message < messages; message += 1) {
      answers.push(await answerOf(app, '/classify-stream', CLEAN))
    }
    return { app, answers }
  }

  it('is waited for until the deadline and no longer, and given a rest', async (t) => {
    const silent = await socketOf(t, (socket) => socket.resume())
    const { app, answers } = await verdictsWith(t, silent, 10)
    assert.ok(answers.every(({ isSpam }) => isSpam === false))
    const { scanner } = (await app.inject('/ready')).json()
    assert.deepEqual(scanner, { resting: true, lastFailure: 'NO_ANSWER' })
    assert.match((await app.inject('/metrics')).body, /outcome="NO_ANSWER"\} 10$/m)
    assert.deepEqual(
      logged().map(({ reason }) => reason),
      ['NO_ANSWER'],
    )
  })
})
