/**
 * A whole service with a real clamd that knows one virus: by HTTP, by the milter of a real Postfix, and without the
 * answer of clamd.
 */
import assert from 'node:assert/strict'
import { unlinkSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { reasonsResult } from '../../http/results.ts'
import { buildOnce, judged, open, post, type TestService } from '../http/service.ts'
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
    const { score, reasons } = reasonsResult(await judged(app(), INFECTED))
    assert.equal(reasons[0]!.name, 'TAMIS_VIRUS')
    assert.equal(reasons[0]!.evidence, SIGNATURE)
    const sum = reasons.reduce((total, { points }) => total + points, 0)
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
