/** Corrections and rules of a user, and what becomes of them. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { build, buildOnce, ORDER, post } from './service.ts'

/** Corrections over HTTP, on a whole service: what is answered, and what the next verdict says. */
describe('feedback', () => {
  // Of learning from all users there are tests of its own below.
  const app = buildOnce({ config: { learning: 'off' } })

  let users = 0

  /** A user for whom no other test has corrected anything. */
  function newUser(): string {
    return `user-${++users}`
  }

  const NOTE = [
    'From: Ann <ann@example.org>',
    'To: a@example.com',
    'Subject: Saturday at the lake',
    'Date: Fri, 20 Nov 2026 12:00:00 +0000',
    'Message-ID: <note-1@example.org>',
    '',
    'Shall we meet at the boat house at ten? Bring the children and something warm to wear.',
    '',
  ].join('\r\n')

  function feedback(message: string, userId: string, isSpam: boolean, more = {}) {
    const headers = { 'x-user-id': userId, 'x-is-spam': `${isSpam}`, ...more }
    return post(app(), '/feedback-stream', message, headers)
  }

  function tabsFeedback(message: string, userId: string, classification: string) {
    const headers = { 'x-user-id': userId, 'x-classification': classification }
    return post(app(), '/tabs/feedback-stream', message, headers)
  }

  async function classify(message: string, userId: string, service: FastifyInstance = app()) {
    const response = await post(service, '/classify-stream', message, { 'x-user-id': userId })
    assert.equal(response.statusCode, 200)
    return response.json()
  }

  async function rulesOf(userId: string) {
    const response = await app().inject(
      `/personalization/rules?userId=${encodeURIComponent(userId)}`,
    )
    assert.equal(response.statusCode, 200)
    return response.json().rules
  }

  describe('POST /feedback-stream', () => {
    it('answers status, user and the name of the correction', async () => {
      const userId = newUser()
      const response = await feedback(NOTE, userId, false)
      assert.equal(response.statusCode, 200)
      const { status, feedbackId, ...rest } = response.json()
      assert.ok(['success', 'personalization_only'].includes(status))
      assert.match(feedbackId, /^[\w-]{8,}$/)
      assert.deepEqual(rest, { userId })
    })

    it('makes the next message of that sender what the user called it', async () => {
      const userId = newUser()
      await feedback(NOTE, userId, true)
      const next = NOTE.replace('note-1', 'note-2').replace('the boat house', 'the station')
      const verdict = await classify(next, userId)
      assert.equal(verdict.isSpam, true)
      assert.equal(verdict.spamProbability, 1)
      assert.equal(verdict.bypassReason, 'user_rule')
      assert.equal(verdict.shouldEscalate, false)
    })

    it('remembers the message where no rule is to be made', async () => {
      const userId = newUser()
      await feedback(NOTE, userId, true, { 'x-skip-rule-creation': 'true' })
      assert.deepEqual(await rulesOf(userId), [])
      const verdict = await classify(NOTE, userId)
      assert.equal(verdict.isSpam, true)
      assert.equal(verdict.bypassReason, 'knn_memory')
    })
  })

  describe('DELETE /feedback/{feedbackId}', () => {
    it('takes a correction back from rules and memory', async () => {
      const userId = newUser()
      const before = await classify(NOTE, userId)
      const { feedbackId } = (await feedback(NOTE, userId, true)).json()
      const response = await app().inject({ method: 'DELETE', url: `/feedback/${feedbackId}` })
      assert.deepEqual(response.json(), { status: 'removed', feedbackId })
      assert.deepEqual(await rulesOf(userId), [])
      assert.deepEqual(await classify(NOTE, userId), before)
    })
  })

  describe('POST /tabs/feedback-stream', () => {
    it('makes the next such message of the class the user named', async () => {
      const userId = newUser()
      const response = await tabsFeedback(ORDER, userId, 'primary')
      const { feedbackId, ...rest } = response.json()
      assert.deepEqual(rest, { status: 'success', userId, classification: 'primary' })
      const answer = await post(app(), '/tabs/classify-stream', ORDER, { 'x-user-id': userId })
      assert.equal(answer.json().classification, 'primary')
      assert.equal(answer.json().personalizationSource, 'tabs_knn')
      assert.ok(feedbackId)
    })

    describe('with automatic', () => {
      const ruleFrom = (message: string, userId: string) =>
        post(app(), '/personalization/tabs/rules/create-stream', message, {
          'x-user-id': userId,
          'x-rule-type': 'Sender',
          'x-classification': 'primary',
        })
      const sourceOf = async (message: string, userId: string) => {
        const answer = await post(app(), '/tabs/classify-stream', message, { 'x-user-id': userId })
        return answer.json().personalizationSource
      }
      const takeBack = async (feedbackId: string) => {
        const response = await app().inject({ method: 'DELETE', url: `/feedback/${feedbackId}` })
        return response.statusCode
      }

      it('removes the rule that was made from the message too, and names what DELETE knows', async () => {
        const userId = newUser()
        await ruleFrom(ORDER, userId)
        await tabsFeedback(ORDER, userId, 'updates')
        assert.equal(await sourceOf(ORDER, userId), 'tabs_rule')
        const first = (await tabsFeedback(ORDER, userId, 'automatic')).json()
        assert.equal(first.status, 'reset')
        assert.equal(await sourceOf(ORDER, userId), null)
        const { rules } = (
          await app().inject(`/personalization/tabs/rules?userId=${userId}`)
        ).json()
        assert.deepEqual(rules, [])
        const second = (await tabsFeedback(ORDER, userId, 'automatic')).json()
        assert.deepEqual(second, { ...first, status: 'already_recorded' })
        assert.equal(await takeBack(first.feedbackId), 200)
      })
    })
  })
})

/** Rules, memory and forgetting over HTTP, on a whole service. */
describe('personalization', () => {
  const app = buildOnce({ config: { learning: 'off' } })

  const LIST_POST = [
    'From: Bo <bo@example.org>',
    'List-Id: Gardeners <gardeners.lists.example.org>',
    'References: <root@example.org> <second@example.org>',
    'Message-ID: <third@example.org>',
    'Subject: Re: Frost',
    '',
    'Cover the roses with twigs before the first hard night, and water the evergreens once more.',
    '',
  ].join('\r\n')

  let users = 0
  const newUser = () => `user-${++users}`

  interface RuleRecord {
    id: string
    ruleType: string
    pattern: string
    label?: string
    classification?: string
  }

  function createFrom(message: string, userId: string, ruleType: string, label: string) {
    const headers = { 'x-user-id': userId, 'x-rule-type': ruleType, 'x-label': label }
    return post(app(), '/personalization/rules/create-stream', message, headers)
  }

  function send(method: 'POST' | 'DELETE', url: string, payload: object) {
    return app().inject({ method, url, payload })
  }

  async function rulesOf(userId: string, prefix = '/personalization'): Promise<RuleRecord[]> {
    return (await app().inject(`${prefix}/rules?userId=${userId}`)).json().rules
  }

  async function bypassReason(message: string, userId: string): Promise<string | null> {
    const response = await post(app(), '/classify-stream', message, { 'x-user-id': userId })
    return response.json().bypassReason
  }

  describe('rules made from a message', () => {
    const patterns: [ruleType: string, pattern: string][] = [
      ['Sender', 'bo@example.org'],
      ['List', 'gardeners.lists.example.org'],
      ['Thread', '<root@example.org>'],
    ]
    for (const [ruleType, pattern] of patterns) {
      it(`has the pattern of a ${ruleType} rule and decides the next verdict`, async () => {
        const userId = newUser()
        const response = await createFrom(LIST_POST, userId, ruleType, 'spam')
        assert.equal(response.statusCode, 201)
        const { id, createdAt, ...record } = response.json()
        assert.deepEqual(record, {
          userId,
          ruleType,
          pattern,
          label: 'spam',
          source: 'explicit',
          unverified: true,
        })
        assert.ok(id.length > 0)
        assert.equal(new Date(createdAt).toISOString(), createdAt)
        assert.equal(await bypassReason(LIST_POST, userId), 'user_rule')
      })
    }

    it('makes a Template rule that knows the message again', async () => {
      const userId = newUser()
      const { pattern } = (await createFrom(LIST_POST, userId, 'Template', 'ham')).json()
      assert.match(pattern, /^t1:example\.org:/)
      assert.equal(await bypassReason(LIST_POST, userId), 'user_rule')
    })
  })

  describe('DELETE /personalization/rules/remove', () => {
    it('removes a rule, once', async () => {
      const userId = newUser()
      await createFrom(LIST_POST, userId, 'Sender', 'spam')
      const payload = { userId, ruleType: 'Sender', pattern: 'bo@example.org' }
      const first = await send('DELETE', '/personalization/rules/remove', payload)
      assert.deepEqual(first.json(), { status: 'removed', removed: 1 })
      assert.equal(await bypassReason(LIST_POST, userId), null)
      const second = await send('DELETE', '/personalization/rules/remove', payload)
      assert.equal(second.statusCode, 404)
    })
  })

  describe('DELETE /personalization/data', () => {
    it('forgets rules, memory and corrections, and gives a job', async () => {
      const userId = newUser()
      const headers = { 'x-user-id': userId, 'x-is-spam': 'true' }
      await post(app(), '/feedback-stream', LIST_POST, headers)
      await createFrom(ORDER, userId, 'Sender', 'spam')
      const response = await send('DELETE', '/personalization/data', { userId })
      assert.equal(response.statusCode, 200)
      const { deletedAt, jobId, ...rest } = response.json()
      assert.deepEqual(rest, {
        status: 'deleted',
        userId,
        deleted: { rules: 1, memory: 1, feedback: 1 },
      })
      assert.equal(new Date(deletedAt).toISOString(), deletedAt)
      assert.deepEqual(await rulesOf(userId), [])
      assert.equal(await bypassReason(LIST_POST, userId), null)
      const job = await app().inject(`/jobs/${jobId}`)
      assert.equal(job.statusCode, 200)
      assert.ok(!job.body.includes(userId))
    })
  })
})

/** What a user's corrections change in the models for that user, beside rules and memory. */
describe('personal deltas', () => {
  /** Messages of one kind from several senders, no two alike enough for the memory. */
  const OFFERS = `
    Otto: Two brothers came home from the sea in 1912 and planted a vineyard. Their great-grandchildren pour for you at a tasting on the terrace
    Berta: Parking behind the old mill costs nothing in winter. Bring boots, because the path through the vineyard is muddy, and the tasting is worth the mud
    Carl: Members of the choir pay half this month. Ask for Hannah at the gate, who knows every barrel of the vineyard and leads each tasting herself
    Dora: A student of the art school drew our new label. A print comes with each order, and a voucher for one tasting in the vineyard of your choice
    Emil: Grapes ripened early, says the owner of the vineyard, so that the tasting moves to September, rain or shine, with soup from the kitchen`

  function offer(line: string): string {
    const [name = '', text] = line.trim().split(': ')
    const host = `${name.toLowerCase()}.example.com`
    return [
      `From: ${name} <news@${host}>`,
      `To: you@example.org\r\nSubject: News from ${name}\r\nMessage-ID: <news@${host}>`,
      'MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8',
      `\r\n${text}.\r\n`,
    ].join('\r\n')
  }

  async function probabilityFor(app: FastifyInstance, userId: string, message: string) {
    const { spamProbability, bypassReason } = (
      await post(app, '/classify-stream', message, { 'x-user-id': userId })
    ).json()
    assert.equal(bypassReason, null)
    return spamProbability
  }

  async function correct(app: FastifyInstance, userId: string, message: string, isSpam: boolean) {
    const headers = { 'x-user-id': userId, 'x-is-spam': String(isSpam) }
    const answer = await post(app, '/feedback-stream', message, headers)
    assert.equal(answer.statusCode, 200)
    return answer.json().feedbackId
  }

  const [LAST, ...EARLIER] = OFFERS.trim().split('\n').map(offer).toReversed()

  async function afterCorrections(t: TestContext, learning: 'users' | 'off') {
    const { app } = await build(t, { config: { learning } })
    const before = await probabilityFor(app, 'ann', LAST!)
    const ids: string[] = []
    for (const message of EARLIER) ids.push(await correct(app, 'ann', message, true))
    return { app, before, ids }
  }

  describe('what a user has corrected', () => {
    it('moves the verdicts on mail of the kind for that user, and for nobody else', async (t) => {
      const { app, before } = await afterCorrections(t, 'users')
      await eventually(async () => (await probabilityFor(app, 'ann', LAST!)) > before)
      assert.equal(await probabilityFor(app, 'ben', LAST!), before)
    })

    it('is unlearned to the last bit when it is taken back, and when the user is forgotten', async (t) => {
      const { app, before, ids } = await afterCorrections(t, 'users')
      await eventually(async () => (await probabilityFor(app, 'ann', LAST!)) > before)
      for (const id of ids) await app.inject({ method: 'DELETE', url: `/feedback/${id}` })
      assert.equal(await probabilityFor(app, 'ann', LAST!), before)
      for (const message of EARLIER) await correct(app, 'cleo', message, true)
      const payload = { userId: 'cleo' }
      await app.inject({ method: 'DELETE', url: '/personalization/data', payload })
      assert.equal(await probabilityFor(app, 'cleo', LAST!), before)
    })

    it('names in the diagnostic the corrections behind it, and where they are withdrawn', async (t) => {
      const { app, before, ids } = await afterCorrections(t, 'users')
      await eventually(async () => (await probabilityFor(app, 'ann', LAST!)) > before)
      const { personalization } = (
        await post(app, '/classify/diagnostic-stream', LAST!, { 'x-user-id': 'ann' })
      ).json()
      assert.ok(personalization.learned.length > 0 && personalization.learned.length <= 3)
      for (const { correction, logit } of personalization.learned) {
        assert.ok(ids.includes(correction.feedbackId))
        assert.deepEqual([correction.label, correction.claimedDomain], ['spam', 'example.com'])
        assert.ok(logit > 0)
      }
      const { statusCode } = await app.inject({
        method: 'DELETE',
        url: `/feedback/${personalization.learned[0].correction.feedbackId}`,
      })
      assert.equal(statusCode, 200)
    })
  })
})
