/** Old mail, asked about at every endpoint: judged as on the day it arrived, and learned as judged. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { buildOnce, post, STREAM_FORMS } from './service.ts'

const folder = temporaryFolder()

const app = buildOnce({ config: { rspamdEndpoints: 'on', pathRoots: [folder] } })

const RECEIVED =
  'Received: from a.example.net by mx.example.com; Thu, 6 Jun 2019 12:00:30 +0000\r\n'

const UNDELIVERED = [
  'From: Anna <anna@example.net>',
  'To: ben@example.com',
  'Subject: Friday',
  'Date: Thu, 6 Jun 2019 12:00:00 +0000',
  'Message-ID: <friday@example.net>',
  '',
  'Shall we meet on Friday at noon?',
  '',
].join('\r\n')

const BY_DATE = { 'x-arrival-fallback': 'date' }

async function diagnose(message: string, headers: Record<string, string> = {}) {
  const answer = (await post(app(), '/classify/diagnostic-stream', message, headers)).json()
  const names: string[] = answer.explanation.signals.map(({ name }: { name: string }) => name)
  return { isOld: names.includes('DATE_IN_PAST'), receivedAt: answer.email.receivedAt as string }
}

/** The probability that each endpoint gives. */
async function probabilities(message: string, headers: Record<string, string>) {
  const ask = async (path: string, more: Record<string, string> = {}) =>
    (await post(app(), path, message, { ...headers, ...more })).json()
  return {
    classify: (await ask('/classify-stream')).spamProbability,
    reasons: (await ask('/classify-stream/reasons')).spamProbability,
    recipients: (await ask('/classify-stream/recipients', { 'x-user-ids': '[]' })).shared
      .spamProbability,
    diagnostic: (await ask('/classify/diagnostic-stream')).result.spamProbability,
  }
}

describe('a message that was received years ago', () => {
  it('is no old mail, by its topmost Received field, on any endpoint', async () => {
    const received = RECEIVED + UNDELIVERED
    assert.deepEqual(await diagnose(received), {
      isOld: false,
      receivedAt: '2019-06-06T12:00:30.000Z',
    })
    const { symbols } = (await post(app(), '/checkv2', received)).json()
    assert.ok(!('DATE_IN_PAST' in symbols))
    const { classify, ...others } = await probabilities(received, {})
    for (const [name, probability] of Object.entries(others))
      assert.equal(probability, classify, name)
    assert.deepEqual(await probabilities(received, BY_DATE), { classify, ...others })
  })

  it('is the same from a path', async () => {
    const path = join(folder, 'friday.eml')
    await writeFile(path, RECEIVED + UNDELIVERED)
    const payload = { path }
    const answer = await app().inject({ method: 'POST', url: '/classify/diagnostic', payload })
    const { email, result } = answer.json()
    assert.equal(email.receivedAt, '2019-06-06T12:00:30.000Z')
    const { diagnostic } = await probabilities(RECEIVED + UNDELIVERED, {})
    assert.equal(result.spamProbability, diagnostic)
  })
})

describe('a message without a Received field', () => {
  it('has just come, and its Date is old', async () => {
    const before = new Date().toISOString()
    for (const headers of [{}, { 'x-arrival-fallback': 'now' }, { 'x-arrival-fallback': '' }]) {
      const { isOld, receivedAt } = await diagnose(UNDELIVERED, headers)
      assert.ok(isOld && receivedAt >= before)
    }
    assert.ok('DATE_IN_PAST' in (await post(app(), '/checkv2', UNDELIVERED)).json().symbols)
  })

  it('is judged at its Date where X-Arrival-Fallback says so, on every endpoint', async () => {
    assert.deepEqual(await diagnose(UNDELIVERED, BY_DATE), {
      isOld: false,
      receivedAt: '2019-06-06T12:00:00.000Z',
    })
    const now = await probabilities(UNDELIVERED, {})
    const byDate = await probabilities(UNDELIVERED, BY_DATE)
    for (const [name, probability] of Object.entries(byDate)) {
      assert.ok(probability < now[name as keyof typeof now], name)
    }
  })

  it('cannot be judged at another day', async () => {
    for (const path of [...STREAM_FORMS, '/feedback-stream', '/tabs/feedback-stream']) {
      const headers = { 'x-user-id': 'ann', 'x-is-spam': 'true', 'x-classification': 'updates' }
      for (const value of ['2019-06-06', 'Date', 'now, date']) {
        const wrong = { ...headers, 'x-arrival-fallback': value }
        const answer = await post(app(), path, UNDELIVERED, wrong)
        assert.equal(answer.statusCode, 400, `${path} ${value}`)
        assert.equal(answer.json().header, 'X-Arrival-Fallback')
      }
    }
  })
})
