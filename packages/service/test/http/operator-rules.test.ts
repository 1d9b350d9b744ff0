/** The operator's rules over HTTP, on one whole service with a file: each test stores a text of its own. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { build, buildOnce, ORDER, post } from './service.ts'

const FOLDER = temporaryFolder()
const FILE = join(FOLDER, 'rules')
writeFileSync(FILE, '# Ours\nthreshold 0.97 for ann@example.org\n')

/** A message from this length on is analysed on a thread. */
const THREAD_BYTES_MIN = 50_000

const app = buildOnce({
  config: { dataDir: FOLDER, rules: FILE, learning: 'off' },
  modules: { threadBytesMin: THREAD_BYTES_MIN },
})

async function put(text: string, to: FastifyInstance = app()) {
  const answer = await to.inject({ method: 'PUT', url: '/rules', payload: { text } })
  return { status: answer.statusCode, body: answer.json() }
}

const rules = async () => (await app().inject('/rules')).json()

async function verdict(headers: Record<string, string> = {}, message = ORDER) {
  return (await post(app(), '/classify-stream', message, headers)).json()
}

describe('the rules of the operator', () => {
  it('apply once stored, and are shown after those of the file with their hits', async () => {
    const text = 'block from shop.example.com for example.org\n'
    const { status, body } = await put(text)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      file: { text: '# Ours\nthreshold 0.97 for ann@example.org\n', faults: [] },
      stored: { text, faults: [] },
      rules: [
        { id: 'file:2', text: 'threshold 0.97 for ann@example.org', hits: 0 },
        { id: 'stored:1', text: text.trim(), hits: 0 },
      ],
    })
    assert.equal((await verdict()).bypassReason, null)
    assert.equal((await verdict({ 'x-user-id': 'bo@example.org' })).bypassReason, 'user_rule')
    assert.equal((await verdict({ 'x-user-id': 'ann@example.org' })).isSpam, true)
    const hits = (await rules()).rules.map((rule: { hits: number }) => rule.hits)
    assert.deepEqual(hits, [1, 2])
    await put('')
    assert.equal((await verdict({ 'x-user-id': 'bo@example.org' })).isSpam, false)
  })

  it('stay as they are where a line is wrong, which the answer names', async () => {
    await put('block from example.net')
    const { status, body } = await put('# Ours\nblock from example.net to bo')
    assert.equal(status, 400)
    assert.deepEqual(body, {
      error:
        'text, line 2, column 24: "to" is not expected; allowed here: and, for or if authenticated',
      code: 'FIELD_INVALID',
      field: 'text',
      line: 2,
      column: 24,
    })
    assert.equal((await rules()).stored.text, 'block from example.net')
  })

  it('have the faults of the file as it is on disk now', async () => {
    writeFileSync(FILE, 'threshold 0.97\nthreshold much\n')
    const { file } = await rules()
    writeFileSync(FILE, file.text)
    assert.deepEqual(
      file.faults.map(({ line, column }: { line: number; column: number }) => [line, column]),
      [[2, 11]],
    )
    assert.match(file.text, /^# Ours/)
  })

  it('score, and are a term of the diagnostic and a reason', async () => {
    await put('score +6 ORDERS subject "order" and body /^thank you/')
    const { explanation } = (await post(app(), '/classify/diagnostic-stream', ORDER)).json()
    const term = explanation.for.find(({ kind }: { kind: string }) => kind === 'rule')
    assert.deepEqual(term, { kind: 'rule', name: 'ORDERS', logit: 6 })
    const { reasons } = (await post(app(), '/classify-stream/reasons', ORDER)).json()
    assert.ok(reasons.some(({ name }: { name: string }) => name === 'TAMIS_RULE_ORDERS'))
  })

  it('that decide are named in the diagnostic and among the reasons', async () => {
    await put('block from shop.example.com')
    const { personalization } = (await post(app(), '/classify/diagnostic-stream', ORDER)).json()
    const { id, source, pattern } = personalization.rule
    assert.deepEqual([id, source, pattern], ['stored:1', 'operator', 'block from shop.example.com'])
    const { reasons } = (await post(app(), '/classify-stream/reasons', ORDER)).json()
    const [{ name, evidence }] = reasons
    assert.deepEqual([name, evidence], ['TAMIS_OPERATOR_RULE', pattern])
  })

  it('hold for a large message too, which is analysed on a thread', async () => {
    await put('block body "walrus"')
    const large = `${ORDER}\r\n${'A long line of text. \r\n'.repeat(THREAD_BYTES_MIN / 20)}`
    assert.equal((await verdict({}, large)).bypassReason, null)
    const withWord = large.replace('A long', 'walrus A long')
    assert.equal((await verdict({}, withWord)).bypassReason, 'user_rule')
  })

  it('set a class, after what the user says', async () => {
    await put('class promotions from shop.example.com')
    const classOf = async (userId: string) => {
      const headers = { 'x-user-id': userId }
      return (await post(app(), '/tabs/classify-stream', ORDER, headers)).json().classification
    }
    const payload = { userId: 'files', ruleType: 'Sender', pattern: 'shop.example.com' }
    await app().inject({
      method: 'POST',
      url: '/personalization/tabs/rules',
      payload: { ...payload, classification: 'updates' },
    })
    assert.deepEqual([await classOf('another'), await classOf('files')], ['promotions', 'updates'])
  })

  it('tell a mail server from when to refuse and hold the mail of each recipient', async () => {
    await put('reject-at 0.999 for example.org\nquarantine-at never for bo@example.org')
    const headers = { 'x-user-ids': '["bo@example.org","cy@example.org","eve"]' }
    const { recipients } = (await post(app(), '/classify-stream/recipients', ORDER, headers)).json()
    assert.deepEqual(
      recipients.map((each: Record<string, unknown>) => [each['rejectAt'], each['quarantineAt']]),
      [
        [0.999, 'never'],
        [0.999, undefined],
        [undefined, undefined],
      ],
    )
  })

  it('unlearn what the models have from a user, until it is learned again', async (t) => {
    const { app: own } = await build(t, { config: { learning: 'operator' } })
    const score = async () => (await post(own, '/classify-stream', ORDER)).json().textSpamScore
    const before = await score()
    // One message in sixteen is held out from learning; three are not.
    for (const id of ['<1@', '<2@', '<3@']) {
      const message = ORDER.replace('<4711@', id)
      const headers = { 'x-user-id': 'ann@unlearn.example', 'x-is-spam': 'true' }
      await post(own, '/feedback-stream', message, headers)
    }
    await eventually(async () => (await score()) > before, 'Nothing is learned')
    const learned = await score()
    await put('learning off for unlearn.example', own)
    await eventually(async () => (await score()) === before, 'It is not unlearned')
    const headers = { 'x-user-id': 'ann@unlearn.example' }
    const { explanation } = (await post(own, '/classify/diagnostic-stream', ORDER, headers)).json()
    const kinds = [...explanation.for, ...explanation.against].map(({ kind }) => kind)
    assert.ok(!kinds.includes('personal'))
    await put('', own)
    await eventually(async () => (await score()) === learned, 'It is not learned again')
  })

  it('are followed by another process on the same store', async (t) => {
    const { app: other } = await build(t, { config: { dataDir: FOLDER } })
    await put('block from shop.example.com')
    const isSpam = async () => (await post(other, '/classify-stream', ORDER)).json().isSpam
    await eventually(isSpam, 'The rule is not honoured')
  })
})
