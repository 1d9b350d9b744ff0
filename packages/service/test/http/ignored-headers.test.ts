/** Headers that are nearly one of ours, of which the answer and the log tell. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ignoredHeaders } from '../../http/ignored-headers.ts'
import { build, ORDER, post } from './service.ts'

describe('ignoredHeaders', () => {
  for (const [name, meant] of [
    ['X-UserID', 'X-User-ID'],
    ['X-User_Id', 'X-User-ID'],
    ['X_User_ID', 'X-User-ID'],
    ['User-ID', 'X-User-ID'],
    ['X-Usr-ID', 'X-User-ID'],
    ['X-UserIDs', 'X-User-IDs'],
    ['X-SenderIP', 'X-Sender-IP'],
    ['X-Sender-Mail', 'X-Sender-Email'],
    ['X-IsSpam', 'X-Is-Spam'],
    ['X-Labels', 'X-Label'],
    ['x-clasification', 'X-Classification'],
  ] as const) {
    it(`takes ${name} for ${meant}`, () => {
      assert.deepEqual(ignoredHeaders([name, 'secret']), [{ name, meant }])
    })
  }

  it('says nothing of our own headers, in any case, and of those of others', () => {
    const names = ['x-user-id', 'X-USER-IDS', 'X-Sender-IP', 'Host', 'User-Agent', 'X-Real-IP']
    const others = ['X-Forwarded-For', 'X-Request-ID', 'X-Sender', 'From', 'Content-Type', 'X-']
    assert.deepEqual(ignoredHeaders([...names, ...others].flatMap((name) => [name, 'x'])), [])
  })

  it('names eight at most, and looks at a hundred', () => {
    const typos = (count: number) => Array.from({ length: count }, () => ['X-UserID', 'a']).flat()
    assert.equal(ignoredHeaders(typos(50)).length, 8)
    const others = Array.from({ length: 100 }, (_, at) => [`X-Other-${at}`, 'a']).flat()
    assert.deepEqual(ignoredHeaders([...others, ...typos(1)]), [])
  })
})

describe('a header one letter from X-User-ID', () => {
  it('is named in the answer and in the log, and its value is not', async (t) => {
    const lines: string[] = []
    const stream = { write: (line: string) => void lines.push(line) }
    const { app } = await build(t, { log: { level: 'info', stream } })
    const answer = await post(app, '/classify-stream', ORDER, {
      'x-userid': 'ann@example.com',
      'x-senderip': '192.0.2.9',
    })
    assert.equal(answer.statusCode, 200)
    assert.equal(
      answer.headers['x-tamis-ignored'],
      'x-userid (X-User-ID?), x-senderip (X-Sender-IP?)',
    )
    const line = lines.find((each) => each.includes('"msg":"request"'))!
    assert.equal(
      JSON.parse(line).ignoredHeaders,
      'x-userid (X-User-ID?), x-senderip (X-Sender-IP?)',
    )
    assert.doesNotMatch(lines.join(''), /ann@example|192\.0\.2\.9/)
  })

  it('is named where the right one is missing, too', async (t) => {
    const { app } = await build(t)
    const answer = await post(app, '/feedback-stream', ORDER, { 'x-userid': 'ann' })
    assert.equal(answer.statusCode, 400)
    assert.equal(answer.headers['x-tamis-ignored'], 'x-userid (X-User-ID?)')
  })

  it('leaves answers without it as they are', async (t) => {
    const { app } = await build(t)
    const answer = await post(app, '/classify-stream', ORDER, { 'x-user-id': 'ann' })
    assert.equal(answer.headers['x-tamis-ignored'], undefined)
  })
})
