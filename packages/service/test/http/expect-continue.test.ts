/** Clients that ask before they send a body: curl does so for more than a megabyte. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { before, describe, it } from 'node:test'
import { buildOnce, listen, ORDER } from './service.ts'
import { answer, connected } from './wire.ts'

const app = buildOnce({ config: { messageBytesMax: 2_000 } })

function asking(path: string, type: string, length: number): string {
  const fields = [`Content-Type: ${type}`, `Content-Length: ${length}`, 'Expect: 100-continue']
  return [`POST ${path} HTTP/1.1`, 'Host: localhost', ...fields, '', ''].join('\r\n')
}

describe('a client that expects 100 Continue', () => {
  let port = 0
  before(async () => {
    port = (await listen(app())).port
  })

  for (const [what, path, type, body, status] of [
    ['a message', '/classify-stream', 'message/rfc822', ORDER, 200],
    ['JSON', '/personalization/correspondents', 'application/json', '{', 400],
  ] as const) {
    it(`is told to send ${what}, and then has its answer`, async (t) => {
      const socket = await connected(t, { port })
      socket.write(asking(path, type, body.length))
      const [told] = await once(socket, 'data')
      assert.equal(String(told), 'HTTP/1.1 100 Continue\r\n\r\n')
      socket.write(body)
      assert.match(await answer(socket), new RegExp(`^HTTP/1\\.1 ${status} `))
    })
  }

  for (const [what, path, type, length, status] of [
    ['a message over the limit', '/classify-stream', 'message/rfc822', 2_001, 413],
    ['JSON over the limit', '/personalization/correspondents', 'application/json', 10e6, 413],
    ['another type', '/classify-stream', 'image/png', 9, 415],
    ['an unknown path', '/nothing', 'message/rfc822', 9, 404],
  ] as const) {
    it(`is refused for ${what} before it sends it, and its connection closed`, async (t) => {
      const socket = await connected(t, { port })
      socket.write(asking(path, type, length))
      const refusal = await answer(socket)
      assert.match(refusal, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.match(refusal, /\r\nconnection: close\r\n/i)
    })
  }
})
