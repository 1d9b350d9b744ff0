/** What holds of every request and every answer: framing, types, sizes and headers, over real connections where inject has none. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { asciiHeaderValue, headerValue } from '../../http/header-value.ts'
import { ignoredHeaders } from '../../http/request-fault.ts'
import { ask as askSpamd, openSpamd, request as spamdRequest } from '../integrations/spamd/spamd.ts'
import { build, buildOnce, listen, ORDER, open, post, type TestService } from './service.ts'
import { answer, connected, head, written } from './wire.ts'

/** What holds of every answer, whatever was asked: its headers. */
describe('every answer', () => {
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
    ["a verdict for Rspamd's clients", 200, head('POST /checkv2', ...MESSAGE) + ORDER],
    ['health', 200, head('GET /health', CLOSE)],
    ['the page about it', 200, head('GET /docs', CLOSE)],
    ['a path that is not there', 404, head('GET /nothing', CLOSE)],
    ['a method that is not there', 405, head('GET /classify-stream', CLOSE)],
    ['a stranger', 403, head('GET /health', CLOSE).replace('localhost', 'example.com')],
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
})

/** JSON bodies that are too large, no UTF-8, or name a user by what is no text. */
describe('JSON bodies', () => {
  const KIB = 1024

  const app = buildOnce({ config: { pathRoots: [temporaryFolder()], learning: 'off' } })

  async function send(url: string, payload: string | Buffer) {
    const headers = { 'content-type': 'application/json' }
    const response = await app().inject({ method: 'POST', url, headers, payload })
    return { status: response.statusCode, code: response.json().code }
  }

  for (const [path, bytesMax] of [
    ['/classify/embed-text', 4 * KIB * KIB],
    ['/classify', 32 * KIB],
    ['/personalization/rules', 16 * KIB],
  ] as const) {
    it(`of more than ${bytesMax} bytes are refused at ${path}`, async () => {
      const large = `{"text":"${'a'.repeat(bytesMax - 10)}"}`
      assert.deepEqual(await send(path, large), { status: 413, code: 'MESSAGE_TOO_LARGE' })
      assert.notEqual((await send(path, large.replace('aa', 'a'))).status, 413)
    })
  }

  const RULE = { ruleType: 'Sender', label: 'spam', pattern: 'ann@example.com' }

  for (const [what, body] of [
    ['is not UTF-8', Buffer.from('{"userId":"\xff"}', 'latin1')],
    // JSON.stringify writes a lone surrogate as an escape.
    ['names a user by half a character', JSON.stringify({ ...RULE, userId: 'user-\ud800' })],
    ['is empty', ''],
  ] as const) {
    it(`that ${what} are refused`, async () => {
      const { status, code } = await send('/personalization/rules', body)
      assert.deepEqual([status, code], [400, 'FIELD_INVALID'])
    })
  }

  for (const query of ['userId=user-%ff', 'userId=user-%f', 'userId=user-%ed%a0%80']) {
    it(`have the same rule in a query: ${query}`, async () => {
      const { statusCode, body } = await app().inject(`/personalization/rules?${query}`)
      assert.equal(statusCode, 400)
      assert.match(body, /"code":"FIELD_INVALID"/)
    })
  }
})

/** Headers that are nearly one of ours, of which the answer and the log tell. */
describe('misspelled headers', () => {
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const app = buildOnce({ log: { level: 'info', stream } })

  it('are named in the answer and in the log, without their values, and our own and others are not', async () => {
    const answer = await post(app(), '/classify-stream', ORDER, {
      'x-userid': 'ann@example.com',
      x_sender_ip: '192.0.2.9',
      'sender-email': 'ann@example.com',
      'X-USER-ID': 'ann',
      'x-forwarded-for': '192.0.2.9',
      'x-real-ip': '192.0.2.9',
    })
    const named =
      'x-userid (X-User-ID?), x_sender_ip (X-Sender-IP?), sender-email (X-Sender-Email?)'
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.headers['x-tamis-ignored'], named)
    const line = lines.find((each) => each.includes('"msg":"request"'))!
    assert.equal(JSON.parse(line).ignoredHeaders, named)
    assert.doesNotMatch(lines.join(''), /ann@example|192\.0\.2\.9/)
  })

  it('are eight at most, and looked for in a hundred', () => {
    const headers = (name: string, count: number) => Array<string[]>(count).fill([name, 'a']).flat()
    assert.equal(ignoredHeaders(headers('X-UserID', 50)).split(',').length, 8)
    assert.equal(ignoredHeaders([...headers('X-Other', 100), ...headers('X-UserID', 1)]), '')
  })
})

/** Requests that say twice what decides about them, over a connection: `inject` sends none that is malformed. */
describe('malformed requests', () => {
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
    return {
      status: Number(head.split(' ')[1]),
      body: json.startsWith('{') ? JSON.parse(json) : {},
    }
  }

  describe('a request', () => {
    const answered: [sentence: string, ...lines: string[]][] = [
      ['with a path', 'GET /health HTTP/1.1', HOST],
      ['with a URL that names the same host', 'GET http://localhost:8025/health HTTP/1.1', HOST],
      ['with a URL in other letters', 'GET http://LocalHost:80/health HTTP/1.1', 'Host: localhost'],
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
      ['two hosts for Rspamd’s clients', SEVERAL, 'GET /ping HTTP/1.1', HOST, HOST],
      ['no host', 'The request has no Host field', 'GET /health HTTP/1.1'],
      ['an empty host', INVALID, 'GET /health HTTP/1.1', 'Host:'],
      ['a user name in Host', INVALID, 'GET /health HTTP/1.1', 'Host: ann@localhost'],
      ['a list of hosts', INVALID, 'GET /health HTTP/1.1', 'Host: localhost, mail.example.com'],
      ['a path in Host', INVALID, 'GET /health HTTP/1.1', 'Host: localhost/health'],
      ['a URL with another host', OTHERS, 'GET http://mail.example.com/health HTTP/1.1', HOST],
      ['a URL with another port', OTHERS, 'GET http://localhost:80/health HTTP/1.1', HOST],
      ['a URL and no host', OTHERS, 'GET http://localhost:8025/health HTTP/1.0'],
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
      ['X-Sender-IP', '192.0.2.1', ''],
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

    it('in chunks is answered, and refused with another coding, not judged by its compressed bytes', async () => {
      const fields = [...POST, 'transfer-encoding:  Chunked ']
      assert.equal((await send(fields, chunked(Buffer.from(ORDER)))).status, 200)
      for (const codings of [['gzip, chunked'], ['gzip', 'chunked'], ['x-own, chunked']]) {
        const coded = codings.map((coding) => `Transfer-Encoding: ${coding}`)
        const { status, body } = await send([...POST, ...coded], chunked(gzipSync(ORDER)))
        assert.deepEqual([status, body.code], [501, 'TRANSFER_ENCODING_UNSUPPORTED'])
      }
    })
  })
})

describe('a refused body', () => {
  const LENGTH = 32 * 1024 * 1024
  const app = buildOnce({ config: { messageBytesMax: 100_000 } })
  let port = 0
  before(async () => {
    port = (await listen(app())).port
  })

  for (const connection of ['keep-alive', 'close']) {
    it(`may be sent whole before the answer is read (Connection: ${connection})`, async (t) => {
      const socket = await connected(t, { port })
      const fields = [`Connection: ${connection}`, `Content-Length: ${LENGTH}`]
      socket.write(head('POST /classify-stream', ...fields))
      await written(socket, Buffer.alloc(LENGTH))
      assert.match(await answer(socket), /^HTTP\/1\.1 413 /)
      if (connection === 'close') await once(socket, 'close')
      else {
        socket.write(`${head('POST /classify-stream', `Content-Length: ${ORDER.length}`)}${ORDER}`)
        assert.match(await answer(socket), /^HTTP\/1\.1 200 /)
      }
    })
  }
})

/** What a message says, where it goes into a header field: by itself, and through every integration. */
describe('header values', () => {
  /** Everything that a program may take for the end of a line, and NUL. */
  const LINE_ENDS = ['\r\n', '\n', '\r', '\0', '\v', '\f', '\x1c', '\x85', '\u2028', '\u2029']

  const CONTROL = /[\p{Cc}\u2028\u2029]/u

  /** Words that would be a field of their own, were a line to end before them. */
  const FIELD = 'Bcc: eve@example.com'

  /** An encoded word of those, and of what is written so in other fields. */
  function encoded(text: string): string {
    return `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`
  }

  const HOSTILE = [
    `From: ${encoded(`Pharmacy\r\n${FIELD}`)} <deals@pills.example.net>`,
    'Reply-To: other@example.org',
    'To: undisclosed-recipients:;',
    `Subject: ${encoded(`Re: pills${LINE_ENDS.map((end) => end + FIELD).join('')}`)}`,
    'Date: Tue, 1 Jan 2030 12:00:00\v +0000',
    `Message-ID: <pills\v\x85@pills.example.net>`,
    'Content-Type: text/html; charset=utf-8',
    '',
    '<a href="http://192.0.2.1/&#13;&#10;Bcc:x">http://bank.example.com/&#13;&#10;Bcc: eve</a>',
    `<p>Buy${LINE_ENDS.map((end) => `${end}pills`).join('')}</p>`,
    '',
  ].join('\r\n')

  /** All texts in `value`, names of fields included, wherever they stand. */
  function textsIn(value: unknown): string[] {
    if (typeof value === 'string') return [value]
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([name, each]) => [name, ...textsIn(each)])
  }

  describe('headerValue', () => {
    it('has no end of a line, half character, or other than ASCII where that is wanted', () => {
      for (const end of LINE_ENDS) {
        assert.equal(headerValue(`${end}a${end}${end}b${end}`), 'a b', JSON.stringify(end))
      }
      const text = 'Grüße, 漢字 \u{1f600}: a\u200db'
      assert.deepEqual([headerValue(text), headerValue('\ud800')], [text, '\ufffd'])
      assert.equal(asciiHeaderValue('Grüße\r\nan \u{1f600}'), 'Gr??e an ?')
    })
  })

  describe('words of a message', () => {
    it("end no field of what Rspamd's clients are told", async (t) => {
      const { app } = await build(t, {
        config: { rspamdEndpoints: 'on', learning: 'off' },
      })
      const response = await app.inject({ method: 'POST', url: '/checkv2', payload: HOSTILE })
      const answer = response.json()
      assert.equal(answer['message-id'], 'pills @pills.example.net')
      for (const text of textsIn(answer)) assert.doesNotMatch(text, CONTROL)
      for (const [, value] of Object.entries(response.headers))
        assert.doesNotMatch(`${value}`, CONTROL)
    })

    it("end no line of what SpamAssassin's clients are told", async (t) => {
      const { app } = await build(t, { config: { learning: 'off' } })
      const { spamd, port } = await openSpamd(app)
      t.after(() => spamd.close())
      for (const command of ['CHECK', 'SYMBOLS', 'REPORT', 'HEADERS', 'PROCESS']) {
        const answer = await askSpamd(port, spamdRequest(command, HOSTILE))
        assert.doesNotMatch(answer, /^\s*Bcc:/m)
        // What follows is the message as it came.
        const [own = ''] = answer.split('From: ', 1)
        assert.doesNotMatch(own.replaceAll(/\r?\n\t?/g, ''), CONTROL)
      }
    })
  })
})
