/** What a tenant sets over HTTP, on one whole service with keys of two tenants: each test has a domain of recipients of its own. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { InjectOptions } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { addKeys, bearer } from '../helpers/keys.ts'
import { build, buildOnce, ORDER, post } from './service.ts'

const FOLDER = temporaryFolder()
const FILE = join(FOLDER, 'site.rules')
writeFileSync(
  FILE,
  [
    'block sender *.file.example',
    'block sender *.file.example for secret.example',
    'block sender *.file.example tenant a for own.example',
    'block sender *.file.example tenant b',
    'block sender shop.example.com for lifted.example',
    'block network 192.0.2.0/24 for network.example',
  ].join('\n'),
)

const SCOPES = ['classify', 'feedback', 'admin']
const KEYS = {
  a: { tenant: 'a', scopes: SCOPES },
  b: { tenant: 'b', scopes: SCOPES },
  'operator-as-a': { tenant: 'a', scopes: [...SCOPES, 'operator'] },
}

type Key = keyof typeof KEYS

await addKeys({ dataDir: FOLDER }, KEYS)

const app = buildOnce({
  config: {
    dataDir: FOLDER,
    siteRules: [FILE],
    learning: 'operator',
    threshold: 0.999,
    recipientThresholds: ['thresholds.example=0.000000001', 'ann@thresholds.example=0.998'],
    learningOffFor: ['off.example'],
  },
})

async function ask(
  key: Key,
  method: InjectOptions['method'] & string,
  url: string,
  payload?: object,
) {
  const answer = await app().inject({
    method: method as 'GET',
    url,
    headers: bearer(key),
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, body: answer.json() }
}

const add = (key: Key, rule: object) =>
  ask(key, 'POST', '/site-rules', { label: 'spam', ruleType: 'Sender', ...rule })
const set = (key: Key, change: object) => ask(key, 'PATCH', '/recipient-settings', change)

async function judged(key: Key, userId: string, url = '/classify-stream') {
  const headers = { ...bearer(key), 'x-user-id': userId }
  return (await post(app(), url, ORDER, { ...headers, 'x-sender-ip': '192.0.2.7' })).json()
}

describe('limits of recipients', () => {
  it('are told to a mail server with the verdict of each user, and are checked', async () => {
    const domain = { kind: 'domain', name: 'limits.example' }
    const { status } = await set('a', { ...domain, rejectAt: 0.999, quarantineAt: 'never' })
    assert.equal(status, 200)
    const headers = { ...bearer('a'), 'x-user-ids': '["ann@limits.example", "bo@other.example"]' }
    const url = '/classify-stream/recipients'
    const { recipients } = (await post(app(), url, ORDER, headers)).json()
    const [ann, bo] = recipients
    assert.deepEqual([ann.rejectAt, ann.quarantineAt], [0.999, 'never'])
    assert.deepEqual([bo.rejectAt, bo.quarantineAt], [undefined, undefined])
    for (const value of [0, 1.5, 'always']) {
      const { status, body } = await set('a', { ...domain, rejectAt: value })
      assert.deepEqual([status, body.code, body.field], [400, 'FIELD_INVALID', 'rejectAt'])
    }
  })
})

describe('POST /site-rules', () => {
  it('makes a rule that holds at once, for its domain and tenant alone, until it is removed', async () => {
    const domain = 'at-once.example'
    assert.equal((await judged('a', `ann@${domain}`)).isSpam, false)
    const rule = { pattern: '*@Shop.example.com', recipientDomain: 'At-Once.example' }
    const { status, body } = await add('a', rule)
    const { id, createdAt, ...made } = body
    assert.equal(status, 201)
    assert.deepEqual(made, {
      label: 'spam',
      ruleType: 'Sender',
      pattern: '*@shop.example.com',
      recipientDomain: domain,
      source: 'api',
    })
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const { isSpam, bypassReason } = await judged('a', `ann@${domain}`)
    assert.deepEqual({ isSpam, bypassReason }, { isSpam: true, bypassReason: 'user_rule' })
    assert.equal((await judged('a', 'ann@other.example')).isSpam, false)
    assert.equal((await judged('b', `ann@${domain}`)).isSpam, false)

    const { personalization } = await judged('a', `ann@${domain}`, '/classify/diagnostic-stream')
    assert.equal(personalization.rule.id, id)
    assert.equal(personalization.rule.source, 'site')
    const { reasons } = await judged('a', `ann@${domain}`, '/classify-stream/reasons')
    assert.equal(reasons[0].name, 'TAMIS_SITE_RULE')

    const removed = await ask('a', 'DELETE', `/site-rules/${id}`)
    assert.deepEqual(removed.body, { status: 'removed', id })
    assert.equal((await judged('a', `ann@${domain}`)).isSpam, false)
    assert.equal((await ask('a', 'DELETE', `/site-rules/${id}`)).body.code, 'NOT_FOUND')
  })

  it('gives the rule that is there for the same again, however it is written', async () => {
    const first = await add('a', { ruleType: 'Network', pattern: '2001:0DB8:0::/48' })
    const again = await add('a', { ruleType: 'Network', pattern: '2001:db8::/48' })
    assert.deepEqual([first.status, again.status], [201, 200])
    assert.deepEqual(again.body, first.body)
    assert.equal(first.body.pattern, '2001:db8::/48')
    const one = await add('a', { ruleType: 'Network', pattern: '203.0.113.7' })
    const mapped = await add('a', { ruleType: 'Network', pattern: '::ffff:cb00:7107/128' })
    assert.equal(one.body.pattern, '203.0.113.7/32')
    assert.equal(mapped.body.id, one.body.id)
  })

  it('refuses the opposite of a rule that is there, and names that rule', async () => {
    const { body } = await add('a', { pattern: 'contradicted.example' })
    const opposite = await add('a', { pattern: 'Contradicted.example', label: 'ham' })
    assert.equal(opposite.status, 409)
    assert.deepEqual(opposite.body, {
      error: `The rule ${body.id} blocks the same for the same recipients; remove it first`,
      code: 'RULE_CONTRADICTS',
      field: 'label',
    })
    assert.equal((await add('b', { pattern: 'contradicted.example', label: 'ham' })).status, 201)
  })

  const WRONG: Readonly<Record<string, readonly [rule: object, field: string, error: RegExp]>> = {
    'a wildcard in the middle': [{ pattern: 'a*@example.com' }, 'pattern', /must be an address, a/],
    'an allow of a top-level domain': [
      { pattern: '*.top', label: 'ham' },
      'pattern',
      /can only be blocked/,
    ],
    'an address as a host': [
      { ruleType: 'Host', pattern: '192.0.2.1' },
      'pattern',
      /for an IP address use network/,
    ],
    'a network with bits of hosts': [
      { ruleType: 'Network', pattern: '192.0.2.1/24' },
      'pattern',
      /other bits are 0/,
    ],
    'an empty pattern': [{ pattern: '' }, 'pattern', /at least 1 character/],
    'a long pattern': [{ pattern: `${'a'.repeat(1_020)}.example` }, 'pattern', /at most 1024/],
    'a kind of attachment that there is not': [
      { ruleType: 'Attachment', pattern: 'pdf' },
      'pattern',
      /must be one of exe, script, iso, lnk, macro, encrypted$/,
    ],
    'an allow of an attachment': [
      { ruleType: 'Attachment', pattern: 'exe', label: 'ham' },
      'pattern',
      /is a kind of attachment, which can only be blocked$/,
    ],
    'no domain of recipients': [
      { pattern: 'a.example', recipientDomain: 'ann@a.example' },
      'recipientDomain',
      /must be a domain, such/,
    ],
    'an unknown type': [
      { pattern: 'a.example', ruleType: 'Thread' },
      'ruleType',
      /Sender, List, Host, Network, Attachment/,
    ],
    'an unknown label': [{ pattern: 'a.example', label: 'block' }, 'label', /must be ham or spam/],
    'a tenant': [{ pattern: 'a.example', tenant: 'b' }, 'tenant', /not a known field/],
  }
  for (const [name, [rule, field, error]] of Object.entries(WRONG)) {
    it(`refuses ${name}, and says what is expected`, async () => {
      const { status, body } = await add('a', rule)
      assert.deepEqual([status, body.code, body.field], [400, 'FIELD_INVALID', field])
      assert.match(body.error, error)
    })
  }
})

describe('GET /site-rules', () => {
  it('gives the rules of the tenant in pages, newest first', async () => {
    const made: string[] = []
    for (const i of [1, 2, 3]) made.push((await add('b', { pattern: `page-${i}.example` })).body.id)
    const whole = (await ask('b', 'GET', '/site-rules')).body
    assert.equal(whole.next, null)
    const ids = whole.rules.map(({ id }: { id: string }) => id)
    assert.deepEqual(new Set(ids.slice(0, 3)), new Set(made))
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { rules, next } = (await ask('b', 'GET', `/site-rules?limit=2${cursor}`)).body
      assert.ok(rules.length <= 2)
      seen.push(...rules.map(({ id }: { id: string }) => id))
      if (next === null) break
      cursor = `&cursor=${next}`
    }
    assert.deepEqual(seen, ids)
    const ofA = (await ask('a', 'GET', '/site-rules')).body.rules
    assert.ok(ofA.every(({ id }: { id: string }) => !ids.includes(id)))
    const stranger = await ask('a', 'DELETE', `/site-rules/${made[0]}`)
    assert.equal(stranger.body.code, 'NOT_FOUND')
    assert.equal((await ask('b', 'DELETE', `/site-rules/${made[0]}`)).status, 200)
  })

  it("gives those of the operator's files that are no other tenant's", async () => {
    const ids = async (key: Key) => {
      const { rules } = (await ask(key, 'GET', '/site-rules?source=files')).body
      return rules.map(({ id }: { id: string }) => id)
    }
    assert.deepEqual(await ids('a'), ['site.rules:1', 'site.rules:3'])
    assert.deepEqual(await ids('b'), ['site.rules:1', 'site.rules:4'])
    const ofOperator = [1, 2, 3, 5, 6].map((line) => `site.rules:${line}`)
    assert.deepEqual(await ids('operator-as-a'), ofOperator)
    const first = (await ask('a', 'GET', '/site-rules?source=files&limit=1')).body
    const rest = (await ask('a', 'GET', `/site-rules?source=files&cursor=${first.next}`)).body
    assert.deepEqual(first.rules, [
      {
        id: 'site.rules:1',
        label: 'spam',
        ruleType: 'Sender',
        pattern: '*.file.example',
        source: 'files',
        createdAt: null,
      },
    ])
    assert.deepEqual([rest.rules[0].id, rest.next], ['site.rules:3', null])
  })

  it('refuses a limit and a cursor that are none', async () => {
    // The last is [9000000000000000,"a"]: no time is that late.
    const tooLate = 'cursor=WzkwMDAwMDAwMDAwMDAwMDAsImEiXQ'
    const wrong = [
      'limit=0',
      'limit=1001',
      'limit=x',
      'cursor=x',
      'cursor=W10',
      'source=other',
      tooLate,
    ]
    for (const query of wrong) {
      const { status, body } = await ask('a', 'GET', `/site-rules?${query}`)
      assert.deepEqual([status, body.field], [400, query.split('=')[0]], query)
    }
    for (const query of ['cursor=W10', 'cursor=WyJ1c2VyIl0']) {
      const { body } = await ask('a', 'GET', `/recipient-settings?${query}`)
      assert.deepEqual([body.code, body.field], ['FIELD_INVALID', 'cursor'])
    }
  })
})

describe("a tenant's rule", () => {
  it("comes before the operator's file, and after the user's own", async () => {
    const ann = 'ann@lifted.example'
    assert.equal((await judged('a', ann)).isSpam, true)
    const allow = { label: 'ham', pattern: 'shop.example.com', recipientDomain: 'lifted.example' }
    const { body } = await add('a', allow)
    const lifted = await judged('a', ann)
    assert.deepEqual([lifted.isSpam, lifted.bypassReason], [false, 'user_rule'])
    assert.equal((await judged('b', ann)).isSpam, true)
    await ask('a', 'POST', '/personalization/rules', {
      userId: ann,
      ruleType: 'Sender',
      label: 'spam',
      pattern: 'orders@shop.example.com',
    })
    assert.equal((await judged('a', ann)).isSpam, true)
    await ask('a', 'DELETE', `/site-rules/${body.id}`)
  })

  it('without proof gives way to a block by network in a file', async () => {
    const ann = 'ann@network.example'
    const allow = { label: 'ham', pattern: 'shop.example.com', recipientDomain: 'network.example' }
    await add('a', allow)
    assert.equal((await judged('a', ann)).isSpam, true)
    const network = { label: 'ham', ruleType: 'Network', pattern: '192.0.2.7' }
    await add('a', { ...network, recipientDomain: 'network.example' })
    assert.equal((await judged('a', ann)).isSpam, false)
  })
})

describe('PATCH /recipient-settings', () => {
  it("sets thresholds, the user's before the domain's, both before the operator's", async () => {
    const [ann, bo] = ['ann@thresholds.example', 'bo@thresholds.example']
    const spam = async (key: Key) => [
      (await judged(key, ann)).isSpam,
      (await judged(key, bo)).isSpam,
    ]
    assert.deepEqual(await spam('a'), [false, true])
    const domain = { kind: 'domain', name: 'Thresholds.example' }
    const { status, body } = await set('a', { ...domain, threshold: 0.999 })
    const { updatedAt, ...answered } = body
    assert.equal(status, 200)
    assert.ok(Date.parse(updatedAt) > 0)
    assert.deepEqual(answered, {
      kind: 'domain',
      name: 'thresholds.example',
      threshold: 0.999,
      learning: null,
      rejectAt: null,
      quarantineAt: null,
    })
    assert.deepEqual(await spam('a'), [false, false])
    await set('a', { kind: 'user', name: ann, threshold: 1e-9 })
    assert.deepEqual(await spam('a'), [true, false])
    assert.deepEqual(await spam('b'), [false, true])
    const { explanation } = await judged('a', ann, '/classify/diagnostic-stream')
    assert.equal(explanation.threshold, 1e-9)

    await set('a', { ...domain, threshold: 1e-9 })
    await set('a', { kind: 'user', name: ann, threshold: null, learning: 'on' })
    assert.deepEqual(await spam('a'), [true, true])
    const removed = await ask('a', 'DELETE', '/recipient-settings', domain)
    assert.deepEqual(removed.body, {
      status: 'removed',
      kind: 'domain',
      name: 'thresholds.example',
    })
    assert.deepEqual(await spam('a'), [false, true])
    assert.equal((await ask('a', 'DELETE', '/recipient-settings', domain)).status, 404)
  })

  it('decides for each of several recipients', async () => {
    await set('a', { kind: 'domain', name: 'several.example', threshold: 1e-9 })
    await set('a', { kind: 'user', name: 'ann@several.example', threshold: 'cautious' })
    const headers = {
      authorization: 'Bearer a',
      'x-user-ids': '["bo@several.example","ann@several.example","bo"]',
    }
    const answer = await post(app(), '/classify-stream/recipients', ORDER, headers)
    const { shared, recipients } = answer.json()
    const spam = [shared, ...recipients].map(({ isSpam }: { isSpam: boolean }) => isSpam)
    assert.deepEqual(spam, [false, true, false, false])
  })

  it("sets from whom is learned, before the operator's list", async () => {
    const status = async (key: Key, userId: string) => {
      const headers = { ...bearer(key), 'x-user-id': userId, 'x-is-spam': 'true' }
      return (await post(app(), '/feedback-stream', ORDER, headers)).json().status
    }
    await set('operator-as-a', { kind: 'domain', name: 'learning.example', learning: 'off' })
    await set('operator-as-a', { kind: 'user', name: 'bo@learning.example', learning: 'on' })
    await set('operator-as-a', { kind: 'user', name: 'cy@off.example', learning: 'on' })
    assert.equal(await status('operator-as-a', 'ann@learning.example'), 'personalization_only')
    assert.equal(await status('operator-as-a', 'dan@off.example'), 'personalization_only')
    assert.equal((await judged('a', 'ann@learning.example')).bypassReason, 'user_rule')
    // The log is learned anew in the background.
    const learns = async (userId: string) => {
      const headers = { authorization: 'Bearer operator-as-a', 'x-user-id': userId }
      await post(app(), '/feedback/withdraw-stream', ORDER, headers)
      return (await status('operator-as-a', userId)) === 'success'
    }
    await eventually(() => learns('bo@learning.example'), 'The user comes after the domain')
    await eventually(() => learns('cy@off.example'), 'The tenant comes after the operator')
  })

  const WRONG: Readonly<Record<string, readonly [change: object, field: string, error: RegExp]>> = {
    'a threshold of 1': [{ threshold: 1 }, 'threshold', /above 0 and below 1/],
    'an unknown preset': [{ threshold: 'severe' }, 'threshold', /cautious, balanced, strict/],
    'an unknown policy': [{ learning: 'yes' }, 'learning', /must be one of on, off/],
    'nothing to set': [
      {},
      'threshold',
      /threshold or learning, rejectAt or quarantineAt is missing/,
    ],
    'a domain with an @': [
      { name: 'a@b.example', threshold: 0.5 },
      'name',
      /must be a domain, such/,
    ],
    'a user with a space': [
      { kind: 'user', name: 'a b', threshold: 0.5 },
      'name',
      /1 to 256 visible characters/,
    ],
    'an unknown kind': [{ kind: 'tenant', threshold: 0.5 }, 'kind', /must be user or domain/],
  }
  for (const [name, [change, field, error]] of Object.entries(WRONG)) {
    it(`refuses ${name}, and says what is expected`, async () => {
      const { status, body } = await set('a', { kind: 'domain', name: 'a.example', ...change })
      assert.deepEqual([status, body.code, body.field], [400, 'FIELD_INVALID', field])
      assert.match(body.error, error)
    })
  }
})

describe('GET /recipient-settings', () => {
  it('gives the settings of the tenant in pages, domains first', async () => {
    for (const name of ['y.example', 'x.example']) {
      await set('b', { kind: 'domain', name, threshold: 'strict' })
    }
    await set('b', { kind: 'user', name: 'Zoë/../<b>', learning: 'off' })
    const first = (await ask('b', 'GET', '/recipient-settings?limit=2')).body
    const second = (await ask('b', 'GET', `/recipient-settings?limit=2&cursor=${first.next}`)).body
    assert.deepEqual(
      [...first.recipients, ...second.recipients].map((each: Record<string, unknown>) => [
        each['kind'],
        each['name'],
        each['threshold'],
        each['learning'],
      ]),
      [
        ['domain', 'x.example', 'strict', null],
        ['domain', 'y.example', 'strict', null],
        ['user', 'Zoë/../<b>', null, 'off'],
      ],
    )
    assert.equal(second.next, null)
  })

  it('has nothing of a user who is forgotten', async () => {
    const userId = 'gone@forgotten.example'
    await set('b', { kind: 'user', name: userId, threshold: 1e-9 })
    await set('b', { kind: 'domain', name: 'forgotten.example', learning: 'off' })
    assert.equal((await judged('b', userId)).isSpam, true)
    await ask('b', 'DELETE', '/personalization/data', { userId })
    const { recipients } = (await ask('b', 'GET', '/recipient-settings')).body
    const names = recipients.map(({ name }: { name: string }) => name)
    assert.ok(!names.includes(userId) && names.includes('forgotten.example'))
    assert.equal((await judged('b', userId)).isSpam, false)
  })
})

describe('learning turned off', () => {
  it('unlearns what the models of the tenant have from the user, until it is turned on', async (t) => {
    const { app: own } = await build(t, { config: { learning: 'operator' } })
    const score = async () => (await post(own, '/classify-stream', ORDER)).json().textSpamScore
    const learning = (value: string | null) =>
      own.inject({
        method: 'PATCH',
        url: '/recipient-settings',
        payload: { kind: 'domain', name: 'unlearn.example', learning: value },
      })
    const before = await score()
    // One message in sixteen is held out from learning; three are not.
    for (const id of ['<1@', '<2@', '<3@']) {
      const message = ORDER.replace('<4711@', id)
      const headers = { 'x-user-id': 'ann@unlearn.example', 'x-is-spam': 'true' }
      await post(own, '/feedback-stream', message, headers)
    }
    await eventually(async () => (await score()) > before, 'Nothing is learned')
    const learned = await score()
    await learning('off')
    await eventually(async () => (await score()) === before, 'It is not unlearned')
    const { explanation } = (
      await post(own, '/classify/diagnostic-stream', ORDER, { 'x-user-id': 'ann@unlearn.example' })
    ).json()
    const kinds = [...explanation.for, ...explanation.against].map(({ kind }) => kind)
    assert.ok(!kinds.includes('personal'))
    await learning(null)
    await eventually(async () => (await score()) === learned, 'It is not learned again')
  })
})

describe('another process on the same store', () => {
  it('honours rules and settings within a second or two', async (t) => {
    const { app: other } = await build(t, { config: { dataDir: FOLDER } })
    const isSpam = async () => {
      const headers = { authorization: 'Bearer a', 'x-user-id': 'ann@second.example' }
      return (await post(other, '/classify-stream', ORDER, headers)).json().isSpam
    }
    assert.equal(await isSpam(), false)
    const rule = { pattern: 'shop.example.com', recipientDomain: 'second.example' }
    const { body } = await add('a', rule)
    await eventually(isSpam, 'The rule does not hold', 5_000)
    await ask('a', 'DELETE', `/site-rules/${body.id}`)
    await eventually(async () => !(await isSpam()), 'The rule holds still', 5_000)
    await set('a', { kind: 'domain', name: 'second.example', threshold: 1e-9 })
    await eventually(isSpam, 'The threshold does not hold', 5_000)
  })
})
