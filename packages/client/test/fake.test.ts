/** The fake server: asked by the client as a program under test asks it, and held against the OpenAPI document. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { OpenApiDocument } from '../../service/http/openapi/document.ts'
import { checker } from '../../service/test/http/api-document.ts'
import { TamisClient, TamisClientError } from '../client.ts'
import { type FakeTamis, startFakeTamis } from '../fake.ts'
import { CANNED_ANSWERS } from '../fake-answers.ts'

const DOCUMENT: OpenApiDocument = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'),
)

const MESSAGE = new TextEncoder().encode('From: a@example.com\r\n\r\nHello\r\n')

let fake: FakeTamis
let tamis: TamisClient
before(async () => {
  fake = await startFakeTamis()
  tamis = new TamisClient({ url: fake.url })
})
beforeEach(() => fake.reset())
after(() => fake.close())

/** What docs/openapi.json has against the answer to an operation; empty if nothing. */
const faultOf = (() => {
  const check = checker(DOCUMENT)
  return (path: string, method: string, type: string, answer: unknown) =>
    check(['paths', path, method, 'responses', '200', 'content', type, 'schema'], answer)
})()

describe('the answers of the fake', () => {
  for (const { operation, method, path } of CANNED_ANSWERS) {
    it(`fit the schema of ${operation}`, async () => {
      const withBody = method === 'POST' || method === 'PATCH' || method === 'DELETE'
      const answer = await fetch(fake.url + path.replace(/:\w+/, '4711'), {
        method,
        ...(withBody && { body: '{}' }),
      })
      assert.equal(answer.status, 200)
      const type = answer.headers.get('content-type')!
      const value = type === 'text/plain' ? await answer.text() : await answer.json()
      const declared = path.replaceAll(/:(\w+)/g, '{$1}')
      const media = Object.keys(
        DOCUMENT.paths[declared]![method.toLowerCase()]!.responses['200']!.content,
      )
      assert.deepEqual(media, [type])
      assert.equal(faultOf(declared, method.toLowerCase(), type, value), '')
      assert.equal(fake.requests.at(-1)!.operation, operation)
    })
  }

  it('name the user who was asked about', async () => {
    const { userId } = await tamis.feedbackStream(MESSAGE, { userId: 'jürgen', isSpam: true })
    assert.equal(userId, 'jürgen')
    assert.equal((await tamis.rules('ann&b')).userId, 'ann&b')
    assert.equal((await tamis.deleteData('ann')).userId, 'ann')
  })

  it('have a verdict for each recipient and an embedding for each text', async () => {
    const { shared, recipients } = await tamis.classifyStreamRecipients(MESSAGE, {
      userIds: ['ann', 'ben'],
    })
    assert.deepEqual(recipients, [
      { userId: 'ann', ...shared },
      { userId: 'ben', ...shared },
    ])
    assert.equal(
      faultOf('/classify-stream/recipients', 'post', 'application/json', { shared, recipients }),
      '',
    )
    const embeddings = await tamis.embedTexts(['one', 'two'])
    assert.deepEqual(
      embeddings.map((embedding) => [embedding.length, embedding.indexOf(1)]),
      [
        [384, 0],
        [384, 1],
      ],
    )
    assert.equal((await tamis.embedText('one')).length, 384)
  })
})

describe('FakeTamis', () => {
  it('answers with the fields that a test gives, beside those of the example', async () => {
    const example = await tamis.classifyStream(MESSAGE)
    fake.answer('classifyStream', { isSpam: true, spamProbability: 0.99 })
    assert.deepEqual(await tamis.classifyStream(MESSAGE), {
      ...example,
      isSpam: true,
      spamProbability: 0.99,
    })
    fake.reset()
    assert.deepEqual(await tamis.classifyStream(MESSAGE), example)
  })

  it('answers as a function of the request says', async () => {
    fake.answer('classifyStream', ({ text, headers }) => ({
      isSpam: text.includes('Hello') && headers['x-user-id'] === 'ann',
    }))
    assert.equal((await tamis.classifyStream(MESSAGE, { userId: 'ann' })).isSpam, true)
    assert.equal((await tamis.classifyStream(MESSAGE, { userId: 'ben' })).isSpam, false)
  })

  it('answers with text where the service does', async () => {
    fake.answer('metrics', 'tamis_up 1\n')
    assert.equal(await tamis.metrics(), 'tamis_up 1\n')
  })

  it('fails with a code of the service and its status, until it is told otherwise', async () => {
    fake.fail('classifyStream', 'HEADER_INVALID', { field: 'X-Sender-IP' })
    const refused = { code: 'HEADER_INVALID', status: 400, field: 'X-Sender-IP' }
    await assert.rejects(tamis.classifyStream(MESSAGE), refused)
    await assert.rejects(tamis.classifyStream(MESSAGE), refused)
    fake.answer('classifyStream', {})
    assert.equal((await tamis.classifyStream(MESSAGE)).isSpam, false)
  })

  it('fails as a function of the request says', async () => {
    fake.answer('createRule', ({ text }) => {
      throw new TamisClientError('RULES_FULL', `No room for ${JSON.parse(text).pattern}`)
    })
    const rule = { userId: 'ann', ruleType: 'Sender', label: 'ham', pattern: 'b.example' } as const
    await assert.rejects(tamis.createRule(rule), {
      code: 'RULES_FULL',
      status: 400,
      message: 'No room for b.example',
    })
  })

  it('answers INTERNAL where the function itself is at fault', async () => {
    fake.answer('health', () => {
      throw new RangeError('a mistake of the test')
    })
    await assert.rejects(tamis.health(), {
      code: 'INTERNAL',
      status: 500,
      message: 'RangeError: a mistake of the test',
    })
  })

  it('is busy for as many requests as it is told, and the client comes again', async () => {
    fake.busy(2, 0)
    assert.equal((await tamis.classifyStream(MESSAGE)).isSpam, false)
    assert.equal(fake.requests.length, 3)
  })

  it('says when to come again, as the service does', async () => {
    const impatient = new TamisClient({ url: fake.url, retry: false })
    fake.busy(1)
    await assert.rejects(impatient.classifyStream(MESSAGE), {
      code: 'QUEUE_FULL',
      status: 503,
      retryAfterS: 1,
    })
    assert.equal((await impatient.classifyStream(MESSAGE)).isSpam, false)
  })

  it('keeps what it was asked: path, headers and body', async () => {
    await tamis.classifyStream(MESSAGE, { userId: 'jürgen', senderIp: '192.0.2.1' })
    const [{ operation, method, path, headers, body } = assert.fail()] = fake.requests
    assert.deepEqual([operation, method, path], ['classifyStream', 'POST', '/classify-stream'])
    assert.equal(headers['x-user-id'], 'jürgen')
    assert.equal(headers['x-sender-ip'], '192.0.2.1')
    assert.deepEqual(new Uint8Array(body), MESSAGE)
  })

  it('has nothing at other paths', async () => {
    const answer = await fetch(`${fake.url}/classify-streams`, { method: 'POST', body: 'a' })
    assert.equal(answer.status, 404)
    assert.equal(((await answer.json()) as { code: string }).code, 'PATH_UNKNOWN')
    assert.equal(fake.requests[0]!.operation, undefined)
  })

  it('answers nobody after it was closed', async () => {
    const closed = await startFakeTamis()
    const client = new TamisClient({ url: closed.url })
    await client.health()
    await closed.close()
    await assert.rejects(client.health(), { code: 'UNREACHABLE' })
  })
})
