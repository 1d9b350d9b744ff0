/** The endpoints that speak like Rspamd, on a whole service; packages/service/test/integrations/rspamd has the real client. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { reasonsResult } from '../../http/results.ts'
import { build, buildOnce, judged, listen, ORDER, PILLS } from './service.ts'

const app = buildOnce({ config: { rspamdEndpoints: 'on', learning: 'off' } })

/** What rspamc sends with every message. */
const RSPAMC = { 'content-type': 'text/plain', 'user-agent': 'rspamc', flags: 'body_block' }

function ask(
  path: string,
  payload: string | Buffer = ORDER,
  headers: Record<string, string> = {},
  service: FastifyInstance = app(),
) {
  return service.inject({ method: 'POST', url: path, headers: { ...RSPAMC, ...headers }, payload })
}

describe('POST /checkv2', () => {
  it("answers in Rspamd's shape the verdict and its reasons", async () => {
    const response = await ask('/checkv2')
    assert.equal(response.statusCode, 200)
    const { symbols, time_real, ...rest } = response.json()
    const { 'X-Tamis-Reasons': told, ...fields } = rest.milter.add_headers
    rest.milter.add_headers = fields
    assert.match(told.value, /^[A-Z][ -:<-~]+(; [+-]\d+\.\d [A-Z0-9_]+ \([ -~]+\)){1,5}$/)
    assert.equal(told.order, 1)
    const reasons = reasonsResult(await judged(app(), ORDER))
    const { score, spamProbability, shouldEscalate } = reasons
    const probability = (Math.floor(spamProbability * 10_000) / 10_000).toFixed(4)
    assert.deepEqual(rest, {
      is_skipped: false,
      score,
      required_score: 5,
      action: 'no action',
      thresholds: { 'add header': 5 },
      messages: {},
      'message-id': '4711@shop.example.com',
      milter: {
        remove_headers: {
          'X-Tamis-Verdict': 0,
          'X-Tamis-Class': 0,
          'X-Tamis-Reasons': 0,
          'X-Spam': 0,
          'X-Spam-Flag': 0,
        },
        add_headers: {
          'X-Tamis-Verdict': {
            value: `ham; probability=${probability}${shouldEscalate ? '; escalate=yes' : ''}`,
            order: 1,
          },
          'X-Tamis-Class': { value: 'transactions', order: 1 },
        },
      },
    })
    assert.ok(time_real > 0)
    assert.deepEqual(symbols.TAMIS_CLASS_TRANSACTIONS, {
      name: 'TAMIS_CLASS_TRANSACTIONS',
      score: 0,
      metric_score: 0,
      description: 'The message is about one order, payment, booking or delivery.',
    })
    const sum = Object.values<{ score: number }>(symbols).reduce((total, s) => total + s.score, 0)
    assert.ok(Math.abs(sum - score) < 0.001, `${sum} is not ${score}`)
  })

  it('takes the envelope sender from From, and client addresses also with a port', async () => {
    const symbolsFor = async (headers: Record<string, string>) =>
      Object.keys((await ask('/checkv2', ORDER, headers)).json().symbols)
    for (const ip of ['192.0.2.1', '192.0.2.1:4711', '[2001:db8::1]:4711']) {
      assert.ok((await symbolsFor({ ip, from: '<>' })).includes('SENDER_NULL'))
    }
    assert.ok(!(await symbolsFor({})).includes('SENDER_NULL'))
  })

  it('is asked with GET by rspamd_proxy', async () => {
    const post = (await ask('/checkv2')).json().score
    const headers = { 'queue-id': '4F00', flags: 'milter,body_block', rcpt: '<ann@example.com>' }
    const response = await app().inject({
      method: 'GET',
      url: '/checkv2',
      headers: { ...headers, 'content-length': `${ORDER.length}` },
      payload: ORDER,
    })
    assert.equal(response.json().score, post)
    assert.equal(response.headers['content-type'], 'application/json')
  })

  for (const name of ['File', 'Path', 'Shm']) {
    it(`refuses a message that is not sent but named: ${name}`, async () => {
      const response = await ask('/checkv2', ORDER, { [name]: '/etc/passwd' })
      assert.equal(response.statusCode, 400)
      assert.deepEqual(response.json(), {
        error: `${name} names a message that is not sent; send it as the body`,
        code: 'HEADER_INVALID',
        header: name,
      })
    })
  }
})

describe('actions', () => {
  it("are those of the operator's rules", async (t) => {
    const { app } = await build(t, { config: { rspamdEndpoints: 'on' } })
    const text =
      'block from pills.example.net\nquarantine-at 0.9 for example.com\nreject-at 0.9 for ann@example.com'
    await app.inject({ method: 'PUT', url: '/rules', payload: { text } })
    const actionFor = async (user: string) =>
      (await ask('/checkv2', PILLS, { 'deliver-to': user }, app)).json().action
    const actions = await Promise.all(
      ['ann@example.com', 'bo@example.com', 'cy@example.net'].map(actionFor),
    )
    assert.deepEqual(actions, ['reject', 'quarantine', 'add header'])
  })
})

describe('POST /learnspam and /learnham', () => {
  const verdictFor = async (headers: Record<string, string>) =>
    (await ask('/checkv2', PILLS, headers)).json()

  it('correct the user of Deliver-To, and nobody else', async () => {
    const bob = { 'deliver-to': 'Bob@Example.com' }
    const before = await verdictFor({})
    const response = await ask('/learnham', PILLS, bob)
    assert.deepEqual([response.statusCode, response.json()], [200, { success: true }])

    assert.equal((await verdictFor(bob)).score, -15)
    assert.equal((await verdictFor({ rcpt: '<bob@example.com>' })).score, -15)
    for (const other of [{}, { rcpt: 'alice@example.com' }, { user: 'bob@example.com' }]) {
      assert.equal((await verdictFor(other)).score, before.score)
    }
  })
})

describe('several recipients', () => {
  it('have the recipient-independent verdict, unless Deliver-To names one', async () => {
    const { port } = await listen(app())
    await ask('/learnspam', ORDER, { 'deliver-to': 'eve@example.com' })
    const nobody = (await ask('/checkv2')).json()
    const both = ['Rcpt: eve@example.com', 'Rcpt: fay@example.com']
    assert.equal((await overSocket(port, both)).score, nobody.score)
    assert.equal((await overSocket(port, [...both, 'Deliver-To: eve@example.com'])).score, 25)
  })
})

/** HTTP/1.0 without a Host, as rspamc speaks it. */
async function overSocket(port: number, fields: readonly string[]) {
  const socket = connect(port, '127.0.0.1')
  const length = `Content-Length: ${Buffer.byteLength(ORDER)}`
  socket.write(['POST /checkv2 HTTP/1.0', length, ...fields, '', ORDER].join('\r\n'))
  let text = ''
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'end')
  return JSON.parse(text.slice(text.indexOf('\r\n\r\n')))
}

describe('packed bodies', () => {
  it('are unpacked, by the header of Rspamd and by that of HTTP', async () => {
    const { score } = (await ask('/checkv2')).json()
    const packed = zstdCompressSync(ORDER)
    for (const headers of [{ compression: 'zstd' }, { 'content-encoding': 'zstd' }]) {
      const response = await ask('/checkv2', packed, headers as Record<string, string>)
      assert.equal(response.statusCode, 200, response.body)
      assert.equal(response.json().score, score)
    }
  })

  it('are refused when they are broken, cut short or packed otherwise', async () => {
    const packed = zstdCompressSync(ORDER)
    for (const [body, headers] of [
      [Buffer.from(ORDER), { compression: 'zstd' }],
      [packed.subarray(0, packed.length - 9), { compression: 'zstd' }],
      [packed, { compression: 'zstd', dictionary: '1' }],
      [packed, { compression: 'gzip' }],
    ] as const) {
      const response = await ask('/checkv2', body, headers)
      assert.equal(response.statusCode, 415, response.body)
      assert.equal(response.json().code, 'CONTENT_TYPE_UNSUPPORTED')
    }
  })
})
