/** Requests that say twice what decides about them, over a connection: `inject` sends none that is malformed. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ORDER, open, type TestService } from './service.ts'

let service: TestService
let port = 0
before(async () => {
  service = await open({ config: { rspamdEndpoints: 'on' } })
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  port = (service.app.server.address() as AddressInfo).port
})
after(() => service.close())

const HOST = 'Host: localhost:8025'

interface Answer {
  readonly status: number
  readonly body: { readonly code?: string; readonly error?: string; readonly header?: string }
}

/** The answer to a request of these lines, the last on its connection. */
async function ask(lines: readonly string[], body = ''): Promise<Answer> {
  return await send([...lines, `Content-Length: ${Buffer.byteLength(body)}`], body)
}

async function send(lines: readonly string[], body: string | Buffer): Promise<Answer> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
  socket.write(body)
  const [head = '', json = ''] = (await text(socket)).split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: json.startsWith('{') ? JSON.parse(json) : {} }
}

describe('a request', () => {
  const answered: [sentence: string, ...lines: string[]][] = [
    ['with a path', 'GET /health HTTP/1.1', HOST],
    ['with a URL that names the same host', 'GET http://localhost:8025/health HTTP/1.1', HOST],
    [
      'with a URL that names the same host in other letters and with the usual port',
      'GET http://LocalHost:80/health HTTP/1.1',
      'Host: localhost',
    ],
    ['of HTTP/1.0 without a host', 'GET /health HTTP/1.0'],
    ['of HTTP/1.1 with an address of IPv6', 'GET /health HTTP/1.1', 'Host: [::1]:8025'],
  ]
  for (const [sentence, ...lines] of answered) {
    it(`${sentence} is answered`, async () => {
      assert.deepEqual(await ask(lines), { status: 200, body: { status: 'ok' } })
    })
  }

  const SEVERAL = 'The request has several Host fields'
  const INVALID = 'Host is not a host with or without a port'
  const OTHERS = 'The request target and Host name different hosts'
  const NO_TARGET = 'The request target is neither a path nor a URL of HTTP'
  const refused: [sentence: string, error: string, ...lines: string[]][] = [
    ['two hosts', SEVERAL, 'GET /health HTTP/1.1', HOST, 'Host: mail.example.com'],
    ['the same host twice', SEVERAL, 'GET /health HTTP/1.1', HOST, HOST],
    ['two hosts in HTTP/1.0', SEVERAL, 'GET /health HTTP/1.0', HOST, HOST],
    ['two hosts at an unknown path', SEVERAL, 'GET /nothing HTTP/1.1', HOST, HOST],
    ['two hosts for Rspamd’s clients', SEVERAL, 'GET /ping HTTP/1.1', HOST, HOST],
    ['no host', 'The request has no Host field', 'GET /health HTTP/1.1'],
    ['an empty host', INVALID, 'GET /health HTTP/1.1', 'Host:'],
    ['a user name in Host', INVALID, 'GET /health HTTP/1.1', 'Host: ann@localhost'],
    ['a list of hosts', INVALID, 'GET /health HTTP/1.1', 'Host: localhost, mail.example.com'],
    ['a path in Host', INVALID, 'GET /health HTTP/1.1', 'Host: localhost/health'],
    ['a URL with another host', OTHERS, 'GET http://mail.example.com/health HTTP/1.1', HOST],
    ['a URL with another port', OTHERS, 'GET http://localhost:80/health HTTP/1.1', HOST],
    ['a URL and no host', OTHERS, 'GET http://localhost:8025/health HTTP/1.0'],
    ['a URL with a user name', NO_TARGET, 'GET http://ann@localhost:8025/health HTTP/1.1', HOST],
    ['a URL of FTP', NO_TARGET, 'GET ftp://localhost:8025/health HTTP/1.1', HOST],
  ]
  for (const [sentence, error, ...lines] of refused) {
    it(`with ${sentence} is refused`, async () => {
      const body = { error, code: 'REQUEST_MALFORMED' }
      assert.deepEqual(await ask(lines), { status: 400, body })
    })
  }

  it('whose Host goes on in a second line is refused', async () => {
    const { status, body } = await ask(['GET /health HTTP/1.1', 'Host: local', ' host'])
    assert.deepEqual([status, body.code], [400, 'REQUEST_MALFORMED'])
  })

  for (const [name, ...values] of [
    ['Authorization', 'Bearer tamis_1', 'Bearer tamis_2'],
    ['Password', 'tamis_1', 'tamis_2'],
    ['Content-Type', 'message/rfc822', 'application/json'],
    ['X-User-ID', 'ann', 'ann'],
    ['X-User-IDs', '["ann"', '"bob"]'],
    ['X-Is-Spam', 'true', 'false'],
    ['X-Sender-IP', '192.0.2.1', ''],
    ['X-Sender-Email', '"a', 'b"@example.com'],
    ['X-Summary', 'true', 'true'],
  ] as const) {
    it(`with two ${name} fields is refused, and the answer names the field`, async () => {
      const fields = values.map((value) => `${name.toLowerCase()}: ${value}`)
      assert.deepEqual(await ask(['POST /classify-stream HTTP/1.1', HOST, ...fields], ORDER), {
        status: 400,
        body: { error: `${name} may only be sent once`, code: 'HEADER_INVALID', header: name },
      })
    })
  }

  const chunked = (bytes: Buffer) =>
    Buffer.concat([
      Buffer.from(`${bytes.length.toString(16)}\r\n`),
      bytes,
      Buffer.from('\r\n0\r\n\r\n'),
    ])
  const POST = ['POST /classify-stream HTTP/1.1', HOST, 'Content-Type: message/rfc822']

  for (const fields of [['Transfer-Encoding: chunked'], ['transfer-encoding:  Chunked ']]) {
    it(`with ${fields.join(' and ')} is answered`, async () => {
      assert.equal((await send([...POST, ...fields], chunked(Buffer.from(ORDER)))).status, 200)
    })
  }

  for (const fields of [
    ['Transfer-Encoding: gzip, chunked'],
    ['Transfer-Encoding: deflate,chunked'],
    ['Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: x-own, chunked'],
  ]) {
    it(`with ${fields.join(' and ')} is refused, and not judged by its compressed bytes`, async () => {
      assert.deepEqual(await send([...POST, ...fields], chunked(gzipSync(ORDER))), {
        status: 501,
        body: {
          error: 'The only Transfer-Encoding that is accepted is chunked',
          code: 'TRANSFER_ENCODING_UNSUPPORTED',
        },
      })
    })
  }
})
