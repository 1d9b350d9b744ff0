/** The client against a whole service that listens on a port of its own. */
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { localServer } from '../../../test/local-server.ts'
import { build, buildOnce, listen, ORDER } from '../../service/test/http/service.ts'
import { letGoOn, STUCK_WORKER, threadStuck } from '../../service/test/http/stuck.ts'
import { type BatchResult, TamisClient } from '../client.ts'

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
async function otherServer(t: TestContext, answer: RequestListener): Promise<TamisClient> {
  return new TamisClient(await localServer(t, createServer(answer)))
}

describe('classification by the client', () => {
  it('gives the verdict on a message', async () => {
    const verdict = await tamis.classifyStream(MESSAGE, {
      senderIp: '192.0.2.25',
      senderEmail: 'bounce@shop.example.com',
      userId: 'jürgen',
    })
    assert.equal(verdict.classification, 'transactions')
    assert.equal(verdict.bypassReason, null)
  })

  it('takes a stream of the web or of Node, whatever else gives bytes, and a file as a Blob', async () => {
    const whole = await tamis.classifyStream(MESSAGE)
    const { body } = new Response(MESSAGE)
    assert.deepEqual(await tamis.classifyStream(body!), whole)
    const [first, rest] = [MESSAGE.subarray(0, 100), MESSAGE.subarray(100)]
    assert.deepEqual(await tamis.classifyStream(Readable.from([first, rest])), whole)
    async function* pieces() {
      yield first
      yield rest
    }
    assert.deepEqual(await tamis.classifyStream(pieces()), whole)
    assert.deepEqual(await tamis.classifyStream(new Blob([MESSAGE])), whole)
  })

  it('rejects with what a stream throws, and does not blame the service', async () => {
    const reason = new Error('the disk cannot be read')
    async function* broken() {
      yield MESSAGE
      throw reason
    }
    await assert.rejects(tamis.classifyStream(broken()), reason)
    const stream = new ReadableStream({ pull: (controller) => controller.error(reason) })
    await assert.rejects(tamis.classifyStream(stream), reason)
  })

  it('refuses a stream of text, whose bytes nobody knows', async () => {
    const text = Readable.from([ORDER])
    await assert.rejects(tamis.classifyStream(text), {
      name: 'TypeError',
      message: 'A stream of a message must give Uint8Arrays; this one gave a string',
    })
    assert.ok(text.destroyed)
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
    await assert.rejects(refusing.classifyStream(endless()))
    await eventually(() => isEnded)
  })

  it('gives the verdict for each of several recipients', async () => {
    const shared = await tamis.classifyStream(MESSAGE)
    const userIds = ['bjørn@example.com', 'ann']
    assert.deepEqual(await tamis.classifyStreamRecipients(MESSAGE, { userIds }), {
      shared,
      recipients: userIds.map((userId) => ({ userId, ...shared })),
    })
  })

  it('gives the reasons for a verdict', async () => {
    const { score, requiredScore, sentence, reasons, ...verdict } =
      await tamis.classifyStreamReasons(MESSAGE)
    assert.deepEqual(verdict, await tamis.classifyStream(MESSAGE))
    assert.ok(score < requiredScore)
    assert.ok(reasons.length > 3)
    assert.match(sentence!, /^Suspicious, under your limit of \d+\.\d %: delivered, although .+\.$/)
  })

  it('gives the class alone, and the diagnostic', async () => {
    const { classification, elapsedMs } = await tamis.tabsClassifyStream(MESSAGE)
    assert.equal(classification, 'transactions')
    assert.ok(elapsedMs >= 0)
    const { result, timing } = await tamis.diagnosticStream(MESSAGE)
    assert.equal(result.classification, 'transactions')
    assert.ok(timing['parse']! >= 0)
  })

  it('embeds a text', async () => {
    const one = await tamis.embedText('Your parcel arrives tomorrow')
    assert.equal(one.length, 384)
  })
})

describe('many messages by the client', () => {
  it('have their results in their order, and a broken one harms no other', async () => {
    const messages = [MESSAGE, new Uint8Array(), PHISHING]
    const single = [await tamis.classifyStream(MESSAGE), await tamis.classifyStream(PHISHING)]
    for (const atOnce of [1, 8]) {
      const results: BatchResult[] = []
      for await (const result of tamis.classifyAll(messages, { atOnce })) results.push(result)
      assert.deepEqual(
        results.map(({ index, input }) => [index, input]),
        messages.map((message, index) => [index, message]),
      )
      assert.deepEqual([results[0]!.verdict, results[2]!.verdict], single)
      assert.equal(results[1]!.error?.code, 'NOT_A_MESSAGE')
    }
  })

  it('are taken only as fast as they are judged', async () => {
    let taken = 0
    async function* mailbox() {
      for (; taken < 100; taken++) yield MESSAGE
    }
    for await (const { verdict } of tamis.classifyAll(mailbox(), { atOnce: 2 })) {
      assert.equal(verdict?.classification, 'transactions')
      break
    }
    assert.ok(taken <= 2, `${taken}`)
  })
})

describe('corrections by the client', () => {
  it('corrects a verdict, sees it changed, and takes it back', async () => {
    const userId = newUser()
    const { status, feedbackId } = await tamis.feedbackStream(PHISHING, {
      userId,
      isSpam: false,
      skipRuleCreation: true,
    })
    assert.equal(status, 'success')
    const { bypassReason } = await tamis.classifyStream(PHISHING, { userId })
    assert.equal(bypassReason, 'knn_memory')
    const { items } = await tamis.memory(userId)
    assert.deepEqual(
      items.map((item) => [item.feedbackId, item.label]),
      [[feedbackId, 'ham']],
    )
    assert.deepEqual(await tamis.removeFeedback(feedbackId), { status: 'removed', feedbackId })
    assert.deepEqual((await tamis.memory(userId)).items, [])
  })

  it('forgets a user whose id has every kind of character, and follows the job', async () => {
    const userId = 'jürgen+test/a?b=c&d#e%20'
    await tamis.feedbackStream(PHISHING, { userId, isSpam: true })
    await tamis.tabsFeedbackStream(PHISHING, { userId, classification: 'updates' })
    const tabs = await tamis.deleteTabsData(userId)
    assert.equal(tabs.deleted.feedback, 1)
    const { deleted, jobId } = await tamis.deleteData(userId)
    assert.equal(deleted.feedback, 1)
    assert.equal((await tamis.job(jobId)).kind, 'rebuild')
  })
})

describe('TamisClientError', () => {
  it('names the header that is at fault', async () => {
    await assert.rejects(tamis.classifyStream(MESSAGE, { senderIp: 'nowhere' }), {
      name: 'TamisClientError',
      code: 'HEADER_INVALID',
      status: 400,
      field: 'X-Sender-IP',
    })
  })

  it('names the field that is at fault', async () => {
    const body = { userId: 'a b', ruleType: 'Sender', label: 'ham', pattern: 'a.example' } as const
    await assert.rejects(tamis.createRule(body), { code: 'FIELD_INVALID', field: 'userId' })
  })

  it('says how deep the queue is and when to come again', async (t) => {
    const { app } = await build(t, {
      config: { queueDepth: 0, workerKillMs: 60_000 },
      modules: STUCK_WORKER,
    })
    const { url } = await listen(app)
    const busy = new TamisClient({ url, retry: false })
    const isStuck = threadStuck()
    const running = busy.classifyStream(new TextEncoder().encode(`X-Stuck-Ms: 60000\r\n${ORDER}`))
    await isStuck
    const full = { code: 'QUEUE_FULL', status: 503, retryAfterS: 1, queueDepth: 0 }
    await assert.rejects(busy.classifyStream(MESSAGE), full)
    letGoOn()
    await running
  })

  it('sends again what found the service full, after the time that it names', async (t) => {
    const sent: string[] = []
    const fullAtFirst = await otherServer(t, async (request, response) => {
      const isFull = sent.push(await text(request)) === 1
      response.writeHead(isFull ? 503 : 200, { 'retry-after': '1' })
      response.end(isFull ? '{"error":"Full","code":"QUEUE_FULL"}' : '{"isSpam":false}')
    })
    const started = performance.now()
    assert.deepEqual(await fullAtFirst.classifyStream(MESSAGE), { isSpam: false })
    assert.ok(performance.now() - started >= 1_000, 'nothing waited')
    assert.deepEqual(sent, [ORDER, ORDER])
  })

  it('does not wait longer than the time limit allows, nor for a proxy, nor with a stream', async (t) => {
    let asked = 0
    const full = await otherServer(t, (request, response) => {
      asked++
      request.resume()
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' })
      response.end(
        request.url === '/health' ? '<h1>No</h1>' : '{"error":"Full","code":"QUEUE_FULL"}',
      )
    })
    await assert.rejects(full.classifyStream(MESSAGE, { timeoutMs: 500 }), { code: 'QUEUE_FULL' })
    await assert.rejects(full.health(), { code: 'ANSWER_INVALID' })
    await assert.rejects(full.classifyStream(new Response(MESSAGE).body!), { code: 'QUEUE_FULL' })
    await assert.rejects(full.classifyStream(Readable.from([MESSAGE])), {
      code: 'QUEUE_FULL',
      retryAfterS: 1,
    })
    assert.equal(asked, 4)
    const aborted = AbortSignal.timeout(50)
    await assert.rejects(full.classifyStream(MESSAGE, { signal: aborted }), {
      name: 'TimeoutError',
    })
  })

  it('has the service refuse a key that it does not know', async (t) => {
    const { app } = await build(t, { config: { host: '0.0.0.0' } })
    const { url } = await listen(app)
    const stranger = new TamisClient({ url, key: 'tamis_unknown' })
    await assert.rejects(stranger.stats(), { code: 'UNAUTHENTICATED', status: 401 })
  })

  it('is UNREACHABLE where nobody listens', async () => {
    const nobody = new TamisClient({ url: 'http://127.0.0.1:1' })
    await assert.rejects(nobody.health(), (error: Error & { code: string }) => {
      assert.equal(error.code, 'UNREACHABLE')
      assert.match(
        error.message,
        /^http:\/\/127\.0\.0\.1:1 did not answer: .*(ECONNREFUSED|bad port)/,
      )
      return true
    })
  })

  it('is UNREACHABLE where the connection breaks in the middle of the answer', async (t) => {
    const broken = await otherServer(t, (_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{', () => response.destroy())
    })
    await assert.rejects(broken.health(), { code: 'UNREACHABLE' })
  })

  it('is TIMEOUT where the answer takes longer than it may', async (t) => {
    const silent = await otherServer(t, () => {})
    await assert.rejects(silent.health({ timeoutMs: 50 }), { code: 'TIMEOUT', status: undefined })
  })

  it('is TIMEOUT where the answer begins and does not end', async (t) => {
    const slow = await otherServer(t, (_request, response) => response.write('{'))
    await assert.rejects(slow.health({ timeoutMs: 50 }), { code: 'TIMEOUT' })
  })

  it('is ANSWER_INVALID where a proxy answers, with its status', async (t) => {
    const proxy = await otherServer(t, (_request, response) => {
      response.writeHead(502, { 'content-type': 'text/html', 'retry-after': '30' })
      response.end('<h1>Bad gateway</h1>')
    })
    const error = { code: 'ANSWER_INVALID', status: 502, retryAfterS: 30 }
    await assert.rejects(proxy.health(), error)
  })

  it('is ANSWER_INVALID where an answer is no JSON', async (t) => {
    const page = await otherServer(t, (_request, response) => response.end('<h1>It works</h1>'))
    await assert.rejects(page.health(), { code: 'ANSWER_INVALID' })
  })

  it('is UNREACHABLE where the message would be sent on to somebody else', async (t) => {
    const elsewhere = await otherServer(t, (_request, response) => {
      response.writeHead(307, { location: `${url}/classify-stream` })
      response.end()
    })
    await assert.rejects(elsewhere.classifyStream(MESSAGE), { code: 'UNREACHABLE' })
  })
})

describe('TamisClient', () => {
  it('rejects with the reason of a signal that was aborted, before and during a call', async (t) => {
    const silent = await otherServer(t, () => {})
    const reason = new Error('the SMTP client went away')
    await assert.rejects(silent.health({ signal: AbortSignal.abort(reason) }), reason)
    const going = new AbortController()
    const call = silent.health({ signal: going.signal })
    going.abort(reason)
    await assert.rejects(call, reason)
  })

  it('rejects with a TypeError for a header that cannot be sent', async () => {
    await assert.rejects(tamis.classifyStream(MESSAGE, { userId: 'a\r\nX-Evil: b' }), TypeError)
  })

  it('sends the key, and to a path in front of the service', async () => {
    const asked: unknown[] = []
    const recorded = new TamisClient({
      url: 'https://mail.example.org/tamis/',
      key: 'tamis_secret',
      fetch: (url, init) => {
        asked.push(url, (init.headers as Record<string, string>)['authorization'])
        return Promise.resolve(new Response('{"status":"ok"}'))
      },
    })
    await recorded.health()
    assert.deepEqual(asked, ['https://mail.example.org/tamis/health', 'Bearer tamis_secret'])
  })

  it('refuses a time limit that no timer has', async () => {
    for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => new TamisClient({ url, timeoutMs }), RangeError)
      await assert.rejects(tamis.health({ timeoutMs }), RangeError)
    }
  })

  for (const wrong of [
    'localhost:8025',
    'ftp://example.org',
    'http://ann:secret@example.org',
    'http://example.org/?a=b',
    'nowhere',
  ]) {
    it(`refuses the URL ${wrong}`, () => {
      assert.throws(() => new TamisClient({ url: wrong }), TypeError)
    })
  }
})
