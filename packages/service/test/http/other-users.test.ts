/** What one user corrects changes nothing for another: their verdicts are the same, byte for byte. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { addKeys } from '../helpers/keys.ts'
import { MAILBAG } from './mailbag.ts'
import { build, post } from './service.ts'

const CLASSES = ['primary', 'promotions', 'updates', 'transactions']

const RULE_TYPES = ['Sender', 'Thread', 'Template']

type Headers = Record<string, string>

/** The verdicts on all messages, in full and as they were sent, and the classes. */
async function verdictsOf(app: FastifyInstance, headers: Headers): Promise<string[]> {
  const verdicts: string[] = []
  for (const message of MAILBAG) {
    const full = await post(app, '/classify-stream', message, headers)
    assert.equal(full.statusCode, 200)
    const { elapsedMs: _, ...classes } = (
      await post(app, '/tabs/classify-stream', message, headers)
    ).json()
    verdicts.push(full.body, JSON.stringify(classes))
  }
  return verdicts
}

/** Says of every message, as spam, class and rule in turn, the opposite of what was thought of it. */
async function correctAll(app: FastifyInstance, headers: Headers): Promise<void> {
  for (const [i, message] of MAILBAG.entries()) {
    const verdict = (await post(app, '/classify-stream', message, headers)).json()
    const corrections = [
      ['/feedback-stream', { 'x-is-spam': `${!verdict.isSpam}` }],
      [
        '/tabs/feedback-stream',
        { 'x-classification': CLASSES.find((name) => name !== verdict.classification)! },
      ],
      [
        '/personalization/rules/create-stream',
        { 'x-rule-type': RULE_TYPES[i % RULE_TYPES.length]!, 'x-label': 'spam' },
      ],
    ] as const
    const [url, more] = corrections[i % corrections.length]!
    const { statusCode } = await post(app, url, message, { ...headers, ...more })
    assert.ok(statusCode === 200 || statusCode === 201, `${url} ${i}: ${statusCode}`)
  }
}

describe('what a user corrects', () => {
  it('changes their own verdicts, and none of another user or of nobody', async (t) => {
    const { app } = await build(t, { config: { learning: 'off' } })
    const [ann, bob, nobody] = [{ 'x-user-id': 'ann' }, { 'x-user-id': 'bob' }, {}]
    // Bob has corrected something too: a user with a memory is looked up otherwise than one without.
    await post(app, '/feedback-stream', MAILBAG[2]!, { ...bob, 'x-is-spam': 'true' })
    const before = {
      ann: await verdictsOf(app, ann),
      bob: await verdictsOf(app, bob),
      nobody: await verdictsOf(app, nobody),
    }
    await correctAll(app, ann)
    assert.notDeepEqual(await verdictsOf(app, ann), before.ann)
    assert.deepEqual(await verdictsOf(app, bob), before.bob)
    assert.deepEqual(await verdictsOf(app, nobody), before.nobody)
  })

  it('changes nothing for a user of the same name elsewhere, nor what another tenant learns', async (t) => {
    const app = await serviceOfTwoTenants(t)
    const usersOwn = { 'x-user-id': 'cid', authorization: 'Bearer key-of-users' }
    const [ours, theirs] = [
      { 'x-user-id': 'ann', authorization: 'Bearer key-of-one' },
      { 'x-user-id': 'ann', authorization: 'Bearer key-of-other' },
    ]
    const stranger = { ...ours, 'x-user-id': 'bob' }
    const [before, strangerBefore] = [
      await verdictsOf(app, theirs),
      await verdictsOf(app, stranger),
    ]
    // A key that passes on what users say: the shared model takes nobody's word from it alone.
    const said = { ...usersOwn, 'x-is-spam': 'true' }
    const { status } = (await post(app, '/feedback-stream', MAILBAG[0]!, said)).json()
    assert.equal(status, 'personalization_only')
    await correctAll(app, ours)
    await eventually(async () => String(await verdictsOf(app, stranger)) !== String(strangerBefore))
    assert.deepEqual(await verdictsOf(app, theirs), before)
  })

  it('is at work for that user of that tenant at every endpoint that judges', async (t) => {
    const app = await serviceOfTwoTenants(t)
    const message = MAILBAG[0]!
    const as = (tenant: string) => ({ authorization: `Bearer key-of-${tenant}` })
    const rule = { 'x-user-id': 'ann', 'x-rule-type': 'Sender', 'x-label': 'spam' }
    const made = await post(app, '/personalization/rules/create-stream', message, {
      ...as('one'),
      ...rule,
    })
    assert.equal(made.statusCode, 201)
    const asked: [url: string, headers: Headers, reason: (answer: JsonAnswer) => unknown][] = [
      ['/classify-stream', { 'x-user-id': 'ann' }, (answer) => answer.bypassReason],
      ['/classify-stream/reasons', { 'x-user-id': 'ann' }, (answer) => answer.bypassReason],
      [
        '/classify/diagnostic-stream',
        { 'x-user-id': 'ann' },
        (answer) => answer.result.bypassReason,
      ],
      [
        '/classify-stream/recipients',
        { 'x-user-ids': '["ann"]' },
        (answer) => answer.recipients[0]?.bypassReason,
      ],
    ]
    for (const [url, headers, reason] of asked) {
      const [ours, theirs] = [
        await post(app, url, message, { ...as('one'), ...headers }),
        await post(app, url, message, { ...as('other'), ...headers }),
      ]
      assert.deepEqual([reason(ours.json()), reason(theirs.json())], ['user_rule', null], url)
    }
  })
})

/** What of the answers is looked at. */
interface JsonAnswer {
  readonly bypassReason: string | null
  readonly result: { readonly bypassReason: string | null }
  readonly recipients: readonly { readonly bypassReason: string | null }[]
}

/** A service that learns from the operator's corrections, with an operator's key for each of its tenants, and one for users. */
async function serviceOfTwoTenants(t: TestContext): Promise<FastifyInstance> {
  const dataDir = temporaryFolder()
  const scopes = ['classify', 'feedback']
  await addKeys(
    { dataDir },
    {
      'key-of-one': { tenant: 'one', scopes: [...scopes, 'operator'] },
      'key-of-other': { tenant: 'other', scopes: [...scopes, 'operator'] },
      'key-of-users': { tenant: 'one', scopes },
    },
  )
  return (await build(t, { config: { dataDir, learning: 'operator' } })).app
}
