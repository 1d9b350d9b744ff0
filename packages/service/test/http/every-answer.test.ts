/** What holds of every answer, whatever was asked: its headers. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { before, describe, it } from 'node:test'
import { buildOnce, listen, ORDER } from './service.ts'

let port: number

/** All that is answered on one connection until the service closes it. */
async function exchange(sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let received = ''
  socket.on('data', (text: string) => {
    received += text
  })
  const closed = once(socket, 'close')
  socket.write(sent)
  await closed
  return received
}

function head(line: string, ...fields: readonly string[]): string {
  return [`${line} HTTP/1.1`, 'Host: localhost', ...fields, '', ''].join('\r\n')
}

const CLOSE = 'Connection: close'
const MESSAGE = ['Content-Type: message/rfc822', `Content-Length: ${ORDER.length}`, CLOSE]

const ANSWERS: readonly (readonly [name: string, status: number, sent: string])[] = [
  ['a verdict', 200, head('POST /classify-stream', ...MESSAGE) + ORDER],
  ['a diagnostic', 200, head('POST /classify/diagnostic-stream', ...MESSAGE) + ORDER],
  ["a verdict for Rspamd's clients", 200, head('POST /checkv2', ...MESSAGE) + ORDER],
  ['health', 200, head('GET /health', CLOSE)],
  ['numbers', 200, head('GET /metrics', CLOSE)],
  ['the document', 200, head('GET /openapi.json', CLOSE)],
  ['the page about it', 200, head('GET /docs', CLOSE)],
  ['a header that is refused', 400, head('POST /classify-stream', 'X-Sender-IP: a', ...MESSAGE)],
  ['a path that is not there', 404, head('GET /nothing', CLOSE)],
  ['a path that cannot be read', 404, head('GET /%zz', CLOSE)],
  ['a method that is not there', 405, head('GET /classify-stream', CLOSE)],
  ['the methods that there are', 204, head('OPTIONS /classify-stream', CLOSE)],
  ['a stranger', 403, head('GET /health', CLOSE).replace('localhost', 'example.com')],
  ['another content type', 415, `${head('POST /classify-stream', CLOSE, 'Content-Length: 1')}a`],
  ['a path form', 501, head('POST /classify', CLOSE)],
  ['what is no HTTP', 400, 'EHLO example.com\r\n\r\n'],
  ['too many fields', 431, head('GET /health', `X: ${'a'.repeat(20_000)}`)],
]

describe('an answer', () => {
  const app = buildOnce({ config: { rspamdEndpoints: 'on' } })
  before(async () => {
    ;({ port } = await listen(app()))
  })

  for (const [name, status, sent] of ANSWERS) {
    it(`to ${name} is ${status}, and not to be taken for what it does not say it is`, async () => {
      const [fields = ''] = (await exchange(sent)).split('\r\n\r\n', 1)
      assert.match(fields, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.equal(fields.match(/^x-content-type-options: nosniff$/gim)?.length, 1, fields)
    })
  }
})
