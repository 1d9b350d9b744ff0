/** Rules, memory and forgetting over HTTP, on a whole service. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildOnce, ORDER, post } from './service.ts'

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

  it('answers 200 with the same record when the rule was there', async () => {
    const userId = newUser()
    const first = (await createFrom(LIST_POST, userId, 'Sender', 'ham')).json()
    const second = await createFrom(LIST_POST, userId, 'Sender', 'ham')
    assert.equal(second.statusCode, 200)
    assert.deepEqual(second.json(), first)
  })

  it('refuses a List rule for a message without a list', async () => {
    const response = await createFrom(ORDER, newUser(), 'List', 'ham')
    assert.equal(response.statusCode, 400)
  })

  it('refuses a type and a label that do not exist', async () => {
    assert.equal(
      (await createFrom(ORDER, newUser(), 'Subject', 'ham')).json().header,
      'X-Rule-Type',
    )
    assert.equal((await createFrom(ORDER, newUser(), 'Sender', 'bad')).json().header, 'X-Label')
  })
})

describe('rules made by pattern', () => {
  it('takes a wildcard for the addresses that it covers', async () => {
    const userId = newUser()
    const wildcard = { userId, ruleType: 'Sender', label: 'spam', pattern: '*@Example.org' }
    const created = await send('POST', '/personalization/rules', wildcard)
    assert.equal(created.statusCode, 201)
    assert.equal(created.json().pattern, '*@example.org')
    assert.equal(await bypassReason(LIST_POST, userId), 'user_rule')
    const deeper = LIST_POST.replace('bo@example.org', 'bo@mail.example.org')
    assert.equal(await bypassReason(deeper, userId), null)
    await send('POST', '/personalization/rules', { ...wildcard, pattern: '*.example.org' })
    assert.equal(await bypassReason(deeper, userId), 'user_rule')
  })

  it('refuses an asterisk that would match nothing', async () => {
    const rule = { userId: newUser(), ruleType: 'Sender', label: 'spam' }
    const refused = await send('POST', '/personalization/rules', { ...rule, pattern: 'b*@a.org' })
    assert.equal(refused.statusCode, 400)
    assert.deepEqual(refused.json(), {
      error:
        'pattern has an asterisk, which is a wildcard only in *@example.com and *.example.com of the rule type Sender',
      code: 'FIELD_INVALID',
      field: 'pattern',
    })
  })

  it('makes no wildcard from a message whose From has one as its address', async () => {
    const userId = newUser()
    const forged = LIST_POST.replace('bo@example.org', '*@example.org')
    await post(app(), '/feedback-stream', forged, { 'x-user-id': userId, 'x-is-spam': 'true' })
    assert.deepEqual(await rulesOf(userId), [])
    assert.equal((await createFrom(forged, userId, 'Sender', 'spam')).statusCode, 400)
  })

  const refused: [sentence: string, payload: object, field: string][] = [
    ['without a pattern', { userId: 'u', ruleType: 'Sender', label: 'spam' }, 'pattern'],
    [
      'with a pattern that does not fit its type',
      { userId: 'u', ruleType: 'Sender', label: 'spam', pattern: 'not an address' },
      'pattern',
    ],
    [
      'with a label that does not exist',
      { userId: 'u', ruleType: 'Sender', label: 'maybe', pattern: 'a@example.com' },
      'label',
    ],
    [
      'of a user nobody can be',
      { userId: 'a b', ruleType: 'Sender', label: 'spam', pattern: 'a@example.com' },
      'userId',
    ],
  ]
  for (const [sentence, payload, field] of refused) {
    it(`refuses a rule ${sentence}, naming the field`, async () => {
      const response = await send('POST', '/personalization/rules', payload)
      assert.equal(response.statusCode, 400)
      assert.equal(response.json().code, 'FIELD_INVALID')
      assert.equal(response.json().field, field)
    })
  }
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

  it('removes a rule that was made from a correction', async () => {
    const userId = newUser()
    const headers = { 'x-user-id': userId, 'x-is-spam': 'true' }
    await post(app(), '/feedback-stream', LIST_POST, headers)
    const payload = { userId, ruleType: 'Sender', pattern: 'bo@example.org' }
    const response = await send('DELETE', '/personalization/rules/remove', payload)
    assert.deepEqual(response.json(), { status: 'removed', removed: 1 })
    assert.deepEqual(await rulesOf(userId), [])
  })
})

describe('rules about classes', () => {
  it('stand beside those about spam and decide the class', async () => {
    const userId = newUser()
    const headers = { 'x-user-id': userId, 'x-rule-type': 'Sender', 'x-classification': 'primary' }
    const made = await post(app(), '/personalization/tabs/rules/create-stream', ORDER, headers)
    assert.equal(made.statusCode, 201)
    assert.equal(made.json().classification, 'primary')
    assert.deepEqual(await rulesOf(userId), [])
    assert.equal((await rulesOf(userId, '/personalization/tabs')).length, 1)
    const answer = (
      await post(app(), '/tabs/classify-stream', ORDER, { 'x-user-id': userId })
    ).json()
    assert.equal(answer.classification, 'primary')
    assert.equal(answer.confidence, 1)
    assert.equal(answer.personalizationSource, 'tabs_rule')
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

  it('leaves what was learned about spam when only classes are to be forgotten', async () => {
    const userId = newUser()
    await createFrom(LIST_POST, userId, 'Sender', 'spam')
    const response = await send('DELETE', '/personalization/tabs/data', { userId })
    assert.equal(response.statusCode, 200)
    assert.equal((await rulesOf(userId)).length, 1)
  })
})

describe('GET /personalization/memory where subjects are kept', () => {
  const keeping = buildOnce({ config: { learning: 'off', memorySubjects: 'on' } })

  it('has the first words of the subject', async () => {
    const userId = newUser()
    const headers = { 'x-user-id': userId, 'x-is-spam': 'true' }
    await post(keeping(), '/feedback-stream', LIST_POST, headers)
    const { items } = (await keeping().inject(`/personalization/memory?userId=${userId}`)).json()
    assert.equal(items[0].subjectWords, 'Re: Frost')
  })
})

describe('GET /personalization/memory', () => {
  it('lists times and labels and not a word of a message', async () => {
    const userId = newUser()
    const headers = { 'x-user-id': userId, 'x-is-spam': 'true' }
    const { feedbackId } = (await post(app(), '/feedback-stream', LIST_POST, headers)).json()
    const response = await app().inject(`/personalization/memory?userId=${userId}`)
    const [item] = response.json().items
    assert.equal(item.feedbackId, feedbackId)
    assert.equal(item.kind, 'spam')
    assert.equal(item.label, 'spam')
    assert.equal(item.claimedDomain, 'example.org')
    assert.equal('authenticatedDomain' in item, false)
    assert.doesNotMatch(response.body, /roses|Frost|bo@/)
    assert.equal('subjectWords' in item, false)
  })
})
