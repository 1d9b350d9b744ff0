/**
 * No key reads, changes, deletes or detects a user of another namespace: every operation of the description is asked with
 * the victim's ids. One without a row here is of the installation, and a key with a namespace is refused.
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { addKeys, bearer } from '../helpers/keys.ts'
import { documentOf, operationsOf } from './api-document.ts'
import { build, ORDER, PILLS } from './service.ts'

const SCOPES = ['classify', 'feedback', 'admin']

const KEYS = {
  'of-a': { namespace: 'a', scopes: SCOPES },
  'of-b': { namespace: 'b', scopes: SCOPES },
  plain: { scopes: SCOPES },
}

type Key = keyof typeof KEYS

/** What the victim's user `ann` has. */
interface Victim {
  readonly feedbackId: string
  readonly jobId: string
}

interface Request {
  /** As in the description, with the victim's ids. */
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  /** A message if it is text. */
  readonly body?: object | string
}

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

type Row = [
  request: Request | ((victim: Victim) => Request),
  gives: (answer: Answer) => unknown,
  expected: unknown,
]

const ANN = { userId: 'ann' }
const AS_ANN = { headers: { 'x-user-id': 'ann' }, body: ORDER }
const RULE = { ...ANN, ruleType: 'Sender', pattern: 'orders@shop.example.com' }

const status = (answer: Answer) => answer.status
const field = (name: string) => (answer: Answer) => answer.body[name]

/** What the other's key is answered: what a user `ann` is that has nothing. */
const ROWS: Readonly<Record<string, Row>> = {
  classifyStream: [AS_ANN, field('bypassReason'), null],
  tabsClassifyStream: [AS_ANN, (answer) => Number(answer.body['confidence']) < 1, true],
  diagnosticStream: [
    AS_ANN,
    (answer) => (answer.body['result'] as Answer['body'])['bypassReason'],
    null,
  ],
  feedbackStream: [
    { headers: { 'x-user-id': 'ann', 'x-is-spam': 'true' }, body: ORDER },
    (answer) => answer.body['status'] === 'already_recorded',
    false,
  ],
  tabsFeedbackStream: [
    { headers: { 'x-user-id': 'ann', 'x-classification': 'updates' }, body: ORDER },
    field('status'),
    'success',
  ],
  withdrawFeedbackStream: [AS_ANN, field('status'), 'none'],
  removeFeedback: [({ feedbackId }) => ({ url: `/feedback/${feedbackId}` }), status, 404],
  createRuleStream: [
    {
      headers: { 'x-user-id': 'ann', 'x-rule-type': 'Thread', 'x-label': 'ham' },
      body: ORDER,
    },
    status,
    201,
  ],
  createRule: [{ body: { ...RULE, ruleType: 'List', label: 'ham' } }, status, 201],
  rules: [{ url: '/personalization/rules?userId=ann' }, field('rules'), []],
  removeRule: [{ body: RULE }, status, 404],
  createTabsRuleStream: [
    {
      headers: { 'x-user-id': 'ann', 'x-rule-type': 'Sender', 'x-classification': 'primary' },
      body: ORDER,
    },
    status,
    201,
  ],
  createTabsRule: [{ body: { ...RULE, ruleType: 'List', classification: 'primary' } }, status, 201],
  tabsRules: [{ url: '/personalization/tabs/rules?userId=ann' }, field('rules'), []],
  removeTabsRule: [{ body: RULE }, status, 404],
  users: [{ url: '/users?search=ann' }, field('users'), []],
  memory: [{ url: '/personalization/memory?userId=ann' }, field('items'), []],
  deleteTabsData: [{ body: ANN }, field('deleted'), { rules: 0, memory: 0, feedback: 0 }],
  deleteData: [{ body: ANN }, field('deleted'), { rules: 0, memory: 0, feedback: 0 }],
  addCorrespondents: [{ body: { ...ANN, addresses: ['bob@example.net'] } }, field('added'), 1],
  correspondents: [
    { url: '/personalization/correspondents?userId=ann' },
    field('correspondents'),
    [],
  ],
  removeCorrespondents: [{ body: ANN }, field('removed'), 0],
  job: [({ jobId }) => ({ url: `/jobs/${jobId}` }), status, 404],
  history: [{ url: '/history?recipient=ann' }, field('entries'), []],
}

/** These say nothing of users. */
const OF_NOBODY = ['health', 'ready', 'openApi', 'embedText']

async function ask(
  app: FastifyInstance,
  key: Key,
  method: string,
  { url = '', headers = {}, body }: Request,
): Promise<Answer> {
  const isMessage = typeof body === 'string'
  const answer = await app.inject({
    method: method as 'GET',
    url,
    headers: { ...bearer(key), ...headers, ...(isMessage && { 'content-type': 'message/rfc822' }) },
    ...(body !== undefined && { payload: body }),
  })
  return { status: answer.statusCode, body: answer.json() }
}

/** All that the user `ann` of `key` has. */
async function dataOf(app: FastifyInstance, key: Key) {
  const get = async (url: string) => (await ask(app, key, 'GET', { url })).body
  return {
    rules: await get('/personalization/rules?userId=ann'),
    tabsRules: await get('/personalization/tabs/rules?userId=ann'),
    memory: await get('/personalization/memory?userId=ann'),
    correspondents: await get('/personalization/correspondents?userId=ann'),
    users: await get('/users'),
    history: await get('/history'),
    verdict: (await ask(app, key, 'POST', { ...AS_ANN, url: '/tabs/classify-stream' })).body[
      'classification'
    ],
  }
}

async function victimOf(app: FastifyInstance, key: Key): Promise<Victim> {
  const post = async (url: string, request: Request) =>
    (await ask(app, key, 'POST', { ...request, url })).body
  const headers = { 'x-user-id': 'ann' }
  const spam = { headers: { ...headers, 'x-is-spam': 'true' }, body: ORDER }
  const { feedbackId } = await post('/feedback-stream', spam)
  const tabs = { headers: { ...headers, 'x-classification': 'primary' }, body: PILLS }
  await post('/tabs/feedback-stream', tabs)
  await post('/personalization/tabs/rules', { body: { ...RULE, classification: 'promotions' } })
  await post('/personalization/correspondents', {
    body: { ...ANN, addresses: ['bob@example.net'] },
  })
  await post('/classify-stream', AS_ANN)
  const gone = { url: '/personalization/data', body: { userId: 'gone' } }
  const { jobId } = (await ask(app, key, 'DELETE', gone)).body
  const isKept = async () => {
    const { entries } = (await ask(app, key, 'GET', { url: '/history?recipient=ann' })).body
    return (entries as unknown[]).length === 1
  }
  await eventually(isKept, 'No entry in the history', 10_000)
  return { feedbackId: String(feedbackId), jobId: String(jobId) }
}

async function serviceWithKeys(t: TestContext): Promise<FastifyInstance> {
  const dataDir = temporaryFolder()
  await addKeys({ dataDir }, KEYS)
  const config = { dataDir, historyDays: 30, learning: 'users' } as const
  return (await build(t, { config })).app
}

describe('a key', () => {
  const pairs: [victim: Key, other: Key][] = [
    ['of-a', 'of-b'],
    ['of-a', 'plain'],
    ['plain', 'of-a'],
  ]
  for (const [victimKey, otherKey] of pairs) {
    it(`${otherKey} neither sees nor changes a user of ${victimKey}, at any operation`, async (t) => {
      const app = await serviceWithKeys(t)
      const victim = await victimOf(app, victimKey)
      const before = await dataOf(app, victimKey)
      for (const { name, operation } of operationsOf(await documentOf(app))) {
        const [method = '', url = ''] = name.split(' ')
        const row = ROWS[operation.operationId]
        if (OF_NOBODY.includes(operation.operationId) || operation.tags.includes('Path forms'))
          continue
        if (row !== undefined) {
          const [request, gives, expected] = row
          const asked = typeof request === 'function' ? request(victim) : request
          assert.deepEqual(
            gives(await ask(app, otherKey, method, { url, ...asked })),
            expected,
            name,
          )
          // What the other has made itself is gone before the next.
          await ask(app, otherKey, 'DELETE', { url: '/personalization/data', body: ANN })
        } else if (otherKey !== 'plain') {
          const { status, body } = await ask(app, otherKey, method, { url })
          assert.deepEqual([status, body['code']], [403, 'SCOPE_MISSING'], name)
        }
      }
      assert.deepEqual(await dataOf(app, victimKey), before)
      const { feedbackId } = victim
      const taken = await ask(app, victimKey, 'DELETE', { url: `/feedback/${feedbackId}` })
      assert.equal(taken.status, 200)
    })
  }
})
