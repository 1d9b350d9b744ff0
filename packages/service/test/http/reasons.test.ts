/** The verdict in points with its reasons, and corrections taken back by their message, on a whole service. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ReasonsResult } from '../../http/results.ts'
import { build, buildOnce, LOTTERY, ORDER, post } from './service.ts'

const app = buildOnce({ config: { learning: 'off' } })

const PATH = '/classify-stream/reasons'

async function reasonsFor(message: string, userId = 'nobody-yet'): Promise<ReasonsResult> {
  const response = await post(app(), PATH, message, { 'x-user-id': userId })
  assert.equal(response.statusCode, 200, response.body)
  return response.json()
}

async function correct(path: string, userId: string, headers: Record<string, string> = {}) {
  const response = await post(app(), path, LOTTERY, { 'x-user-id': userId, ...headers })
  assert.equal(response.statusCode, 200, response.body)
  return response.json()
}

function assertAddsUp({ score, reasons }: ReasonsResult): void {
  const sum = reasons.reduce((total, { points }) => total + points, 0)
  assert.ok(Math.abs(sum - score) < 1e-9, `${sum} is not ${score}`)
}

describe('POST /classify-stream/reasons', () => {
  it('answers the verdict of /classify-stream', async () => {
    for (const message of [ORDER, LOTTERY]) {
      const { score, requiredScore, sentence, reasons, ...verdict } = await reasonsFor(message)
      const alone = await post(app(), '/classify-stream', message, { 'x-user-id': 'nobody-yet' })
      assert.deepEqual(verdict, alone.json())
      assert.equal(requiredScore, 5)
      assert.equal(score >= requiredScore, verdict.isSpam)
      assert.ok(reasons.length > 3)
      assert.match(sentence!, /^[A-Z][a-z ,]+(?: \d+\.\d %)?: .+\.$/)
    }
  })

  it('names signals and words, and adds up', async () => {
    const answer = await reasonsFor(LOTTERY)
    assertAddsUp(answer)
    const date = answer.reasons.find(({ name }) => name === 'DATE_MISSING')
    assert.equal(date?.description, 'There is no date.')
    const text = answer.reasons.find(({ name }) => name === 'TAMIS_TEXT')
    assert.match(text?.evidence ?? '', /^\p{L}{3,}(, \p{L}{3,}){0,2}$/u)
  })

  it('gives the certainty of what the recipient has corrected to one reason', async () => {
    await correct('/feedback-stream', 'bob', { 'x-is-spam': 'true' })
    const answer = await reasonsFor(LOTTERY, 'bob')
    assert.equal(answer.score, 25)
    assert.equal(answer.bypassReason, 'user_rule')
    assert.equal(answer.sentence, 'Spam: decided by a rule of the recipient.')
    assert.ok(answer.reasons.some(({ name }) => name === 'TAMIS_USER_RULE'))
    assertAddsUp(answer)
  })

  it('adds on request the strongest reasons in the message, with the points that they have', async () => {
    const headers = { 'x-user-id': 'fay' }
    const plain = (await post(app(), PATH, LOTTERY, headers)).json()
    const asked = await post(app(), PATH, LOTTERY, { ...headers, 'x-summary': 'true' })
    const { summary, ...rest } = asked.json()
    assert.deepEqual(rest, plain)
    assert.equal(summary.messageId, 'draw-1@prize.example.com')
    assert.equal(summary.senderDomain, 'prize.example.com')
    const signals = summary.reasons.filter(({ name }: { name: string }) => !/^TAMIS_/.test(name))
    assert.ok(signals.length > 0)
    for (const { name, points, description } of signals) {
      const found = plain.reasons.find((reason: { name: string }) => reason.name === name)
      assert.equal(description, found.description)
      assert.ok(Math.abs(points - found.points) < 1e-6, `${name}: ${points}, ${found.points}`)
    }
    assert.doesNotMatch(JSON.stringify(summary), /TAMIS_USER|evidence/)
  })

  it('counts as a verdict in /metrics', async (t) => {
    const { app } = await build(t)
    await post(app, PATH, ORDER)
    const { body } = await app.inject('/metrics')
    assert.match(body, /^tamis_verdicts_total\{[^}]*\} 1$/m)
  })

  it('has in the summary the sentence of the verdict, and after a rule of the recipient no reason against it', async () => {
    const summaryFor = async (userId: string) => {
      const headers = { 'x-user-id': userId, 'x-summary': 'true' }
      return (await post(app(), PATH, ORDER, headers)).json()
    }
    const { sentence, summary } = await summaryFor('nobody-yet')
    assert.equal(summary.sentence, sentence)
    const spam = { 'x-user-id': 'gil', 'x-is-spam': 'true' }
    await post(app(), '/feedback-stream', ORDER, spam)
    const own = await summaryFor('gil')
    assert.equal(own.sentence, 'Spam: decided by a rule of the recipient.')
    assert.equal(own.summary.sentence, own.sentence)
    assert.deepEqual(own.summary.reasons, [])
  })
})

describe('POST /feedback/withdraw-stream', () => {
  it('takes back what the user said, and the rule made of it', async () => {
    const before = await reasonsFor(LOTTERY, 'carol')
    await correct('/feedback-stream', 'carol', { 'x-is-spam': before.isSpam ? 'false' : 'true' })
    assert.notEqual((await reasonsFor(LOTTERY, 'carol')).isSpam, before.isSpam)

    assert.deepEqual(await correct('/feedback/withdraw-stream', 'carol'), {
      status: 'removed',
      userId: 'carol',
    })

    assert.deepEqual(await reasonsFor(LOTTERY, 'carol'), before)
    const rules = await app().inject('/personalization/rules?userId=carol')
    assert.deepEqual(rules.json().rules, [])
  })

  it('says that there was nothing to take back, also the second time', async () => {
    await correct('/feedback-stream', 'dave', { 'x-is-spam': 'true' })
    await correct('/feedback/withdraw-stream', 'dave')
    for (const userId of ['dave', 'erin']) {
      const { status } = await correct('/feedback/withdraw-stream', userId)
      assert.equal(status, 'none')
    }
  })

  it('leaves what the user said of its class', async () => {
    await correct('/tabs/feedback-stream', 'fred', { 'x-classification': 'updates' })
    await correct('/feedback/withdraw-stream', 'fred')
    assert.equal((await reasonsFor(LOTTERY, 'fred')).classification, 'updates')
  })

  it('needs a user', async () => {
    const response = await post(app(), '/feedback/withdraw-stream', LOTTERY)
    assert.equal(response.statusCode, 400)
    assert.equal(
      response.json().error,
      'X-User-ID is missing; it must be a text of 1 to 256 visible characters',
    )
  })
})
