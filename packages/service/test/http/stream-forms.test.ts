/** What the stream forms take and refuse; the answers are whole. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildOnce, ORDER, post, STREAM_FORMS } from './service.ts'

const app = buildOnce()
const strict = buildOnce({ config: { messageBytesMax: 100 } })

const UNSUPPORTED = {
  error:
    'This path does not accept this Content-Type. Send a raw message as message/rfc822, and anything else as application/json.',
  code: 'CONTENT_TYPE_UNSUPPORTED',
}

for (const path of STREAM_FORMS) {
  describe(`POST ${path}`, () => {
    it('takes a message with all metadata headers', async () => {
      const response = await post(app(), path, ORDER, {
        'x-sender-ip': '[IPv6:2001:db8::1]',
        'x-sender-email': '<orders@shop.example.com>',
        'x-user-id': 'user-4711',
      })
      assert.equal(response.statusCode, 200)
    })

    it('takes a Content-Type with parameters', async () => {
      const headers = { 'content-type': 'Message/RFC822; charset=utf-8' }
      assert.equal((await post(app(), path, ORDER, headers)).statusCode, 200)
    })

    for (const [name, body] of [
      ['an empty body', ''],
      ['text without a header field', 'Hello, this is no message.\n'],
      ['nothing but an empty line', '\r\n'],
      ['bytes of an image', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ] as const) {
      it(`answers 400 for ${name}`, async () => {
        const response = await post(app(), path, body)
        assert.equal(response.statusCode, 400)
        assert.equal(response.json().code, 'NOT_A_MESSAGE')
        assert.deepEqual(Object.keys(response.json()), ['error', 'code'])
      })
    }

    for (const contentType of ['application/json', 'text/plain', 'message/rfc822x', 'nonsense']) {
      it(`answers 415 for ${contentType}`, async () => {
        const response = await post(app(), path, '{}', { 'content-type': contentType })
        assert.equal(response.statusCode, 415)
        assert.deepEqual(response.json(), UNSUPPORTED)
      })
    }

    it('answers 415 without a Content-Type, with a body or without', async () => {
      for (const payload of [ORDER, undefined]) {
        const response = await app().inject({
          method: 'POST',
          url: path,
          ...(payload && { payload }),
        })
        assert.equal(response.statusCode, 415)
        assert.equal(response.json().code, 'CONTENT_TYPE_UNSUPPORTED')
      }
    })

    it('answers 415 for a compressed body', async () => {
      const response = await post(app(), path, ORDER, { 'content-encoding': 'gzip' })
      assert.equal(response.statusCode, 415)
      assert.deepEqual(response.json(), {
        error: 'The body is compressed (gzip)',
        code: 'CONTENT_TYPE_UNSUPPORTED',
      })
    })

    for (const [header, value, rule] of [
      ['X-Sender-IP', '192.0.2.256', 'an IPv4 or IPv6 address'],
      ['X-Sender-Email', 'not an address', 'an email address (RFC 5321), or empty'],
      ['X-User-ID', 'two words', 'a text of 1 to 256 visible characters'],
    ] as const) {
      it(`answers 400 for a malformed ${header}, naming it`, async () => {
        const response = await post(app(), path, ORDER, { [header]: value })
        assert.equal(response.statusCode, 400)
        assert.deepEqual(response.json(), {
          error: `${header} must be ${rule}`,
          code: 'HEADER_INVALID',
          header,
        })
      })
    }

    it('answers 413 for an announced length over the limit', async () => {
      const response = await post(strict(), path, ORDER)
      assert.equal(response.statusCode, 413)
      assert.deepEqual(response.json(), {
        error: 'The message is larger than 100 bytes',
        code: 'MESSAGE_TOO_LARGE',
      })
    })

    it('answers other methods with 405 and those it takes', async () => {
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'] as const) {
        const response = await app().inject({ method, url: `${path}?userId=a`, payload: 'a' })
        assert.equal(response.statusCode, 405, method)
        assert.equal(response.headers['allow'], 'OPTIONS, POST')
      }
      const { body } = await app().inject({ method: 'PUT', url: path })
      assert.deepEqual(JSON.parse(body), {
        error: `${path} does not accept PUT`,
        code: 'METHOD_NOT_ALLOWED',
      })
    })

    it('answers OPTIONS with the methods it takes', async () => {
      const response = await app().inject({ method: 'OPTIONS', url: path })
      assert.equal(response.statusCode, 204)
      assert.equal(response.headers['allow'], 'OPTIONS, POST')
      assert.equal(response.body, '')
    })
  })
}
