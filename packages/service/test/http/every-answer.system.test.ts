/** What holds of every answer, whatever was asked: its headers, and what it costs others. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type ServiceProcess, startService } from '../helpers/service-process.ts'
import { ORDER } from './service.ts'

let service: ServiceProcess

before(async () => {
  service = await startService({ environment: { TAMIS_RSPAMD_ENDPOINTS: 'on' } })
})
after(() => service.stop())

/** All that is answered on one connection until the service closes it. */
async function exchange(sent: string): Promise<string> {
  const socket = connect(service.port, '127.0.0.1').setEncoding('latin1')
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
  for (const [name, status, sent] of ANSWERS) {
    it(`to ${name} is ${status}, and not to be taken for what it does not say it is`, async () => {
      const [fields = ''] = (await exchange(sent)).split('\r\n\r\n', 1)
      assert.match(fields, new RegExp(`^HTTP/1\\.1 ${status} `))
      assert.equal(fields.match(/^x-content-type-options: nosniff$/gim)?.length, 1, fields)
    })
  }
})

describe('what is the same for everybody', () => {
  /** As many as one connection may have in progress; more are cut. */
  const REQUESTS = 120

  /** For all of them together: whoever else asks waits for it. Written for each, the document took 90. */
  const HELD_UP_MS_MAX = 50

  /** Of which the best counts: the first has code to compile, and a page to write. */
  const ROUNDS = 4

  for (const path of [
    '/docs',
    '/docs/static/swagger-ui-bundle.js',
    '/openapi.json',
    '/metrics',
    '/',
    '/health',
    '/ready',
  ]) {
    it(`is not written for each who asks: ${REQUESTS} requests at once for ${path} hold others up for less than 50 ms`, async () => {
      const costs: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const started = await service.mainThreadCpuMs()
        const requests = head(`GET ${path}`).repeat(REQUESTS - 1) + head(`GET ${path}`, CLOSE)
        const received = await exchange(requests)
        costs.push((await service.mainThreadCpuMs()) - started)
        // A body does not end its line before the next answer.
        assert.equal(received.match(/HTTP\/1\.1 \d{3} /g)?.length, REQUESTS)
      }
      assert.ok(Math.min(...costs) < HELD_UP_MS_MAX, `${costs.map(Math.round).join(', ')} ms`)
    })
  }
})
