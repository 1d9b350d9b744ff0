/** The client against a whole service that listens on a port of its own. */
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { localServer } from '../../../test/local-server.ts'
import { buildOnce, listen, ORDER } from '../../service/test/http/service.ts'
import { type ClientOptions, TamisClient } from '../client.ts'

const app = buildOnce({ config: { learning: 'operator' } })

const MESSAGE = new TextEncoder().encode(ORDER)

const PHISHING = new TextEncoder().encode(
  [
    'From: Bank <alert@bank.example.net>',
    'To: a@example.com',
    'Subject: Your account is suspended',
    'Message-ID: <1@bank.example.net>',
    '',
    'Your account is suspended. Confirm your password within 24 hours: http://192.0.2.7/login',
    '',
  ].join('\r\n'),
)

/** Listens from the first call on: by then the service is up. */
let tamis: TamisClient
let url = ''
beforeEach(async () => {
  if (app().server.listening) return
  url = (await listen(app())).url
  tamis = new TamisClient({ url })
})

let users = 0
const newUser = () => `user-${++users}`

/** A server that answers as `answer` says; for what Tamis never does. */
async function otherServer(
  t: TestContext,
  answer: RequestListener,
  options: Partial<ClientOptions> = {},
): Promise<TamisClient> {
  return new TamisClient({ ...(await localServer(t, createServer(answer))), ...options })
}

describe('classification by the client', () => {
  it('gives the verdict on a message', async () => {
    const verdict = await tamis.message('/classify-stream', MESSAGE, {
      senderIp: '192.0.2.25',
      senderEmail: 'bounce@shop.example.com',
      userId: 'jürgen',
    })
    assert.equal(verdict.classification, 'transactions')
    assert.equal(verdict.bypassReason, null)
  })

  it('takes a stream of the web or of Node, whatever else gives bytes, and a file as a Blob', async () => {
    const whole = await tamis.message('/classify-stream', MESSAGE)
    const { body } = new Response(MESSAGE)
    assert.deepEqual(await tamis.message('/classify-stream', body!), whole)
    const [first, rest] = [MESSAGE.subarray(0, 100), MESSAGE.subarray(100)]
    assert.deepEqual(await tamis.message('/classify-stream', Readable.from([first, rest])), whole)
    async function* pieces() {
      yield first
      yield rest
    }
    assert.deepEqual(await tamis.message('/classify-stream', pieces()), whole)
    assert.deepEqual(await tamis.message('/classify-stream', new Blob([MESSAGE])), whole)
  })

  it('rejects with what a stream throws, and does not blame the service', async () => {
    const reason = new Error('the disk cannot be read')
    async function* broken() {
      yield MESSAGE
      throw reason
    }
    await assert.rejects(tamis.message('/classify-stream', broken()), reason)
    const stream = new ReadableStream({ pull: (controller) => controller.error(reason) })
    await assert.rejects(tamis.message('/classify-stream', stream), reason)
  })

  it('ends a stream that the service does not want to the end', async (t) => {
    const refusing = await otherServer(t, (_request, response) => {
      response.writeHead(413).end('{"error":"Too large","code":"MESSAGE_TOO_LARGE"}')
    })
    let isEnded = false
    async function* endless() {
      try {
        for (;;) yield MESSAGE
      } finally {
        isEnded = true
      }
    }
    await assert.rejects(refusing.message('/classify-stream', endless()))
    await eventually(() => isEnded)
  })
})

describe('corrections by the client', () => {
  it('corrects a verdict, sees it changed, and takes it back', async () => {
    const userId = newUser()
    const { status, feedbackId } = await tamis.message('/feedback-stream', PHISHING, {
      userId,
      isSpam: false,
      skipRuleCreation: true,
    })
    assert.equal(status, 'success')
    const { bypassReason } = await tamis.message('/classify-stream', PHISHING, { userId })
    assert.equal(bypassReason, 'knn_memory')
    const { items } = await tamis.get('/personalization/memory', { params: { query: { userId } } })
    assert.deepEqual(
      items.map((item) => [item.feedbackId, item.label]),
      [[feedbackId, 'ham']],
    )
    assert.deepEqual(
      await tamis.delete('/feedback/{feedbackId}', { params: { path: { feedbackId } } }),
      { status: 'removed', feedbackId },
    )
    assert.deepEqual(
      (await tamis.get('/personalization/memory', { params: { query: { userId } } })).items,
      [],
    )
  })

  it('forgets a user whose id has every kind of character, and follows the job', async () => {
    const userId = 'jürgen+test/a?b=c&d#e%20'
    await tamis.message('/feedback-stream', PHISHING, { userId, isSpam: true })
    await tamis.message('/tabs/feedback-stream', PHISHING, { userId, classification: 'updates' })
    const tabs = await tamis.delete('/personalization/tabs/data', { body: { userId } })
    assert.equal(tabs.deleted.feedback, 1)
    const { deleted, jobId } = await tamis.delete('/personalization/data', { body: { userId } })
    assert.equal(deleted.feedback, 1)
    assert.equal(
      (await tamis.get('/jobs/{jobId}', { params: { path: { jobId } } })).kind,
      'rebuild',
    )
  })
})

describe('TamisClientError', () => {
  it('names the header or field that is at fault', async () => {
    await assert.rejects(tamis.message('/classify-stream', MESSAGE, { senderIp: 'nowhere' }), {
      name: 'TamisClientError',
      code: 'HEADER_INVALID',
      status: 400,
      field: 'X-Sender-IP',
    })
    const rule = { userId: 'a b', ruleType: 'Sender', label: 'ham', pattern: 'a.example' } as const
    await assert.rejects(tamis.post('/personalization/rules', { body: rule }), { field: 'userId' })
  })

  it('sends again what found the service full, after the time that it names', async (t) => {
    const sent: string[] = []
    const fullAtFirst = await otherServer(t, async (request, response) => {
      const isFull = sent.push(await text(request)) === 1
      response.writeHead(isFull ? 503 : 200, { 'retry-after': '1' })
      response.end(isFull ? '{"error":"Full","code":"QUEUE_FULL"}' : '{"isSpam":false}')
    })
    assert.deepEqual(await fullAtFirst.message('/classify-stream', MESSAGE), { isSpam: false })
    assert.deepEqual(sent, [ORDER, ORDER])
  })

  it('does not wait longer than the time limit allows, nor with a stream', async (t) => {
    let asked = 0
    const answer: RequestListener = (request, response) => {
      asked++
      request.resume()
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' })
      response.end('{"error":"Full","code":"QUEUE_FULL","queueDepth":7}')
    }
    const full = await otherServer(t, answer)
    const hurried = await otherServer(t, answer, { timeoutMs: 500 })
    await assert.rejects(hurried.message('/classify-stream', MESSAGE), { code: 'QUEUE_FULL' })
    await assert.rejects(full.message('/classify-stream', Readable.from([MESSAGE])), {
      code: 'QUEUE_FULL',
      retryAfterS: 1,
      queueDepth: 7,
    })
    assert.equal(asked, 2)
    const aborted = AbortSignal.timeout(50)
    await assert.rejects(full.message('/classify-stream', MESSAGE, { signal: aborted }), {
      name: 'TimeoutError',
    })
  })

  it('is UNREACHABLE where nobody listens', async () => {
    const nobody = new TamisClient({ url: 'http://127.0.0.1:1' })
    await assert.rejects(nobody.get('/health'), (error: Error & { code: string }) => {
      assert.equal(error.code, 'UNREACHABLE')
      assert.match(
        error.message,
        /^http:\/\/127\.0\.0\.1:1 did not answer: .*(ECONNREFUSED|bad port)/,
      )
      return true
    })
  })

  for (const [what, answer, error] of [
    ['TIMEOUT where no answer comes in time', () => {}, { code: 'TIMEOUT', status: undefined }],
    [
      'TIMEOUT where the answer begins and does not end',
      (_, response) => response.write('{'),
      { code: 'TIMEOUT' },
    ],
    [
      'ANSWER_INVALID where a proxy answers, with its status',
      (_, response) => response.writeHead(502, { 'retry-after': '30' }).end('<h1>Bad gateway</h1>'),
      { code: 'ANSWER_INVALID', status: 502, retryAfterS: 30 },
    ],
  ] satisfies [string, RequestListener, object][]) {
    it(`is ${what}`, async (t) => {
      const server = await otherServer(t, answer, { timeoutMs: 500 })
      await assert.rejects(server.get('/health'), error)
    })
  }

  it('is UNREACHABLE where the message would be sent on to somebody else', async (t) => {
    const elsewhere = await otherServer(t, (_request, response) => {
      response.writeHead(307, { location: `${url}/classify-stream` })
      response.end()
    })
    await assert.rejects(elsewhere.message('/classify-stream', MESSAGE), { code: 'UNREACHABLE' })
  })
})

describe('TamisClient', () => {
  it('rejects with the reason of a signal that was aborted, before and during a call', async (t) => {
    const silent = await otherServer(t, () => {})
    const reason = new Error('the SMTP client went away')
    await assert.rejects(silent.get('/health', { signal: AbortSignal.abort(reason) }), reason)
    const going = new AbortController()
    const call = silent.get('/health', { signal: going.signal })
    going.abort(reason)
    await assert.rejects(call, reason)
  })

  it('rejects with a TypeError for a header that cannot be sent', async () => {
    await assert.rejects(
      tamis.message('/classify-stream', MESSAGE, { userId: 'a\r\nX-Evil: b' }),
      TypeError,
    )
  })

  it('sends the key, and to a path in front of the service', async () => {
    const asked: unknown[] = []
    const recorded = new TamisClient({
      url: 'https://mail.example.org/tamis/',
      key: 'tamis_secret',
      fetch: (request) => {
        asked.push(request.url, request.headers.get('authorization'))
        return Promise.resolve(new Response('{"status":"ok"}'))
      },
    })
    await recorded.get('/health')
    assert.deepEqual(asked, ['https://mail.example.org/tamis/health', 'Bearer tamis_secret'])
  })

  it('refuses a time limit that no timer has', async () => {
    for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => new TamisClient({ url, timeoutMs }), RangeError)
    }
  })

  it('refuses a URL that is not http, or has a user or a query', () => {
    for (const url of ['ftp://a.example', 'http://ann@a.example', 'http://a.example/?b', 'a']) {
      assert.throws(() => new TamisClient({ url }), TypeError)
    }
  })
})
