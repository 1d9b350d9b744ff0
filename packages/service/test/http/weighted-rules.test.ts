/** Weighted rules over HTTP, on one whole service with keys of two tenants: each test has a word of its own in the subject. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { InjectOptions } from 'fastify'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { addKeys, bearer } from '../helpers/keys.ts'
import { buildOnce, ORDER, PILLS, post } from './service.ts'

const FOLDER = temporaryFolder()
const FILE = join(FOLDER, 'weighted.rules')
writeFileSync(
  FILE,
  [
    'rule FOR_ALL +6',
    '  subject contains quetzal',
    'rule FOR_B +6 tenant b',
    '  subject contains walrus',
    'rule AGAINST -6',
    '  subject contains marmot',
  ].join('\n'),
)

const SCOPES = ['classify', 'feedback', 'admin']
const KEYS = { a: { tenant: 'a', scopes: SCOPES }, b: { tenant: 'b', scopes: SCOPES } }

type Key = keyof typeof KEYS

await addKeys({ dataDir: FOLDER }, KEYS)

/** A message from this length on is analysed on a thread. */
const THREAD_BYTES_MIN = 50_000

const app = buildOnce({
  config: {
    dataDir: FOLDER,
    weightedRules: [FILE],
    learning: 'off',
    trustedAuthservIds: ['mx.example.org'],
  },
  modules: { threadBytesMin: THREAD_BYTES_MIN },
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

const RULE = { name: 'ACME', weight: 6, conditions: [{ part: 'subject', contains: 'okapi' }] }
const add = (key: Key, rule: object) => ask(key, 'POST', '/weighted-rules', { ...RULE, ...rule })

/** ORDER, with a word more in its subject. */
const withWord = (word: string, message = ORDER) =>
  message.replace('Subject: ', `Subject: ${word} `)

async function judged(key: Key, message: string, url = '/classify-stream') {
  return (await post(app(), url, message, bearer(key))).json()
}

const logitOf = ({ spamProbability: p }: { spamProbability: number }) => Math.log(p / (1 - p))

describe('POST /weighted-rules', () => {
  it('makes a rule that holds at once, for its tenant alone, until it is removed', async () => {
    const before = await judged('a', withWord('okapi'))
    const { status, body } = await add('a', { weight: 2.5 })
    const { id, createdAt, ...made } = body
    assert.equal(status, 201)
    assert.deepEqual(made, { ...RULE, weight: 2.5, source: 'api' })
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const after = await judged('a', withWord('okapi'))
    assert.ok(Math.abs(logitOf(after) - logitOf(before) - 2.5) < 1e-6)
    assert.equal(after.bypassReason, null)
    assert.deepEqual(await judged('b', withWord('okapi')), before)
    assert.deepEqual(await judged('a', withWord('okapis')), await judged('b', withWord('okapis')))

    const removed = await ask('a', 'DELETE', `/weighted-rules/${id}`)
    assert.deepEqual(removed.body, { status: 'removed', id })
    assert.deepEqual(await judged('a', withWord('okapi')), before)
    assert.equal((await ask('a', 'DELETE', `/weighted-rules/${id}`)).body.code, 'NOT_FOUND')
  })

  it('gives the rule that is there for the same again, and refuses another of its name', async () => {
    const rule = {
      name: 'AGAIN',
      conditions: [{ part: 'header', field: 'X-Fax', matches: '^Fax' }],
    }
    const first = await add('a', rule)
    const again = await add('a', rule)
    assert.deepEqual([first.status, again.status], [201, 200])
    assert.deepEqual(again.body, first.body)
    assert.equal(first.body.conditions[0].field, 'x-fax')
    const other = await add('a', { ...rule, weight: 1 })
    assert.deepEqual(
      [other.status, other.body.code, other.body.field],
      [409, 'RULE_CONTRADICTS', 'name'],
    )
  })

  const WRONG: Readonly<Record<string, readonly [rule: object, field: string, error: RegExp]>> = {
    'a name in small letters': [{ name: 'acme' }, 'name', /must be at most 40 capital letters/],
    'a weight of 7': [{ weight: 7 }, 'weight', /must be <= 6/],
    'a weight of 0': [{ weight: 0 }, 'weight', /must be between -6 and 6, and not 0/],
    'no condition': [{ conditions: [] }, 'conditions', /at least 1 item/],
    'an unknown part': [
      { conditions: [{ part: 'body', contains: 'a' }] },
      'conditions/0/part',
      /must be one of subject, text, link, header, attachment/,
    ],
    'what is no pattern': [
      {
        conditions: [
          { part: 'text', contains: 'a' },
          { part: 'text', matches: '(a' },
        ],
      },
      'conditions/1/matches',
      /is not a pattern of RE2: missing closing \)/,
    ],
    'a pattern that is too large': [
      { conditions: [{ part: 'text', matches: 'x{1000}' }] },
      'conditions/0/matches',
      /compiles to 100\d instructions, more than 200/,
    ],
    'a tenant': [{ tenant: 'b' }, 'tenant', /not a known field/],
  }
  for (const [name, [rule, field, error]] of Object.entries(WRONG)) {
    it(`refuses ${name}, and says what is expected`, async () => {
      const { status, body } = await add('a', { name: 'WRONG', ...rule })
      assert.deepEqual([status, body.code, body.field], [400, 'FIELD_INVALID', field])
      assert.match(body.error, error)
    })
  }
})

describe('GET /weighted-rules', () => {
  it('gives the rules of the tenant in pages, newest first', async () => {
    for (const name of ['ONE', 'TWO', 'THREE']) await add('b', { name })
    const first = (await ask('b', 'GET', '/weighted-rules?limit=2')).body
    const rest = (await ask('b', 'GET', `/weighted-rules?limit=2&cursor=${first.next}`)).body
    const names = [...first.rules, ...rest.rules].map(({ name }: { name: string }) => name)
    assert.deepEqual(names.toSorted(), ['ONE', 'THREE', 'TWO'])
    assert.equal(rest.next, null)
  })

  it('gives those of the files that are about the mail of the tenant', async () => {
    const namesFor = async (key: Key) => {
      const { rules } = (await ask(key, 'GET', '/weighted-rules?source=files')).body
      return rules.map(({ id, name }: { id: string; name: string }) => `${id} ${name}`)
    }
    assert.deepEqual(await namesFor('a'), ['weighted.rules:1 FOR_ALL', 'weighted.rules:5 AGAINST'])
    assert.equal((await namesFor('b')).length, 3)
  })
})

describe('a weighted rule of a file', () => {
  it('holds for all, or for its tenant, and is a term of the diagnostic and a reason', async () => {
    const word = withWord('quetzal')
    const { explanation } = await judged('a', word, '/classify/diagnostic-stream')
    const term = explanation.for.find(({ kind }: { kind: string }) => kind === 'rule')
    assert.deepEqual(term, { kind: 'rule', name: 'FOR_ALL', logit: 6 })
    const sum = [...explanation.for, ...explanation.against].reduce(
      (total: number, each: { logit: number }) => total + each.logit,
      0,
    )
    assert.ok(Math.abs(sum - explanation.logit) < 1e-6)
    const { reasons, score } = await judged('a', word, '/classify-stream/reasons')
    const reason = reasons.find(({ name }: { name: string }) => name === 'TAMIS_RULE_FOR_ALL')
    assert.deepEqual(reason, {
      name: 'TAMIS_RULE_FOR_ALL',
      points: 6,
      description: 'The weighted rule FOR_ALL holds.',
    })
    const points = reasons.reduce(
      (total: number, each: { points: number }) => total + each.points,
      0,
    )
    assert.ok(Math.abs(points - score) < 0.1)
    const walrus = withWord('walrus')
    const [a, b] = [await judged('a', walrus), await judged('b', walrus)]
    assert.ok(Math.abs(logitOf(b) - logitOf(a) - 6) < 1e-6)
  })

  it('gives way to one of the same name that the tenant has made', async () => {
    const plain = logitOf(await judged('a', withWord('quetzal')))
    const weaker = { name: 'FOR_ALL', weight: 0.5 }
    const { body } = await add('a', {
      ...weaker,
      conditions: [{ part: 'subject', contains: 'quetzal' }],
    })
    assert.ok(Math.abs(plain - logitOf(await judged('a', withWord('quetzal'))) - 5.5) < 1e-6)
    await ask('a', 'DELETE', `/weighted-rules/${body.id}`)
  })

  it('holds for a large message too, which is analysed on a thread', async () => {
    const padding = 'Thank you for your order.\r\n'.repeat(3_000)
    const { explanation } = await judged(
      'a',
      withWord('quetzal') + padding,
      '/classify/diagnostic-stream',
    )
    const names = explanation.for.map(({ name }: { name: string }) => name)
    assert.ok(names.includes('FOR_ALL'))
  })
})

describe('a weighted rule against spam', () => {
  const moved = async (message: string) => {
    const { explanation } = await judged('a', message, '/classify/diagnostic-stream')
    return explanation.against.some(({ kind }: { kind: string }) => kind === 'rule')
  }
  const failing = `Authentication-Results: mx.example.org; dmarc=fail header.from=pills.example.net\r\n${PILLS}`

  it('counts where nothing is known of the sender', async () => {
    assert.equal(await moved(withWord('marmot', PILLS)), true)
  })

  it('does not count where checks of the sender fail', async () => {
    assert.equal(await moved(withWord('marmot', failing)), false)
  })

  it('does not count for a program, which stays spam', async () => {
    const program = [
      'From: Shop <orders@shop.example.com>',
      'Subject: marmot',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'Your invoice.',
      '--b',
      'Content-Disposition: attachment; filename="invoice.exe"',
      '',
      'MZ',
      '--b--',
      '',
    ].join('\r\n')
    assert.equal(await moved(program), false)
    assert.equal((await judged('a', program)).isSpam, true)
  })
})
