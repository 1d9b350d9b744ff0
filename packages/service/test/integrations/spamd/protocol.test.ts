/** The spamd protocol byte by byte: what spamd answers, and what clients send that are not spamc. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import { temporaryFolder } from '../../../../../test/temporary-folder.ts'
import { Spamd } from '../../../integrations/spamd/server.ts'
import { buildOnce, filterPartsOf, ORDER } from '../../http/service.ts'
import { listenWith } from '../listening.ts'
import { ask, openSpamdOnce, request } from './spamd.ts'

const app = buildOnce({ config: { learning: 'off' } })
const spamd = openSpamdOnce(app)

const told = (text: string | Buffer, stays = false) => ask(spamd().port, text, stays)

/** Header and body of an answer. */
function parts(answer: string): { head: string; body: string } {
  const at = answer.indexOf('\r\n\r\n')
  return { head: answer.slice(0, at + 4), body: answer.slice(at + 4) }
}

const OK = 'SPAMD/1.1 0 EX_OK\r\n'
const SPAM = /^Spam: False ; -?\d+\.\d \/ 5\.0\r\n/

describe('CHECK', () => {
  it('answers a line of verdict, score and required score', async () => {
    const answer = await told(request('CHECK', ORDER))
    assert.match(answer, /^SPAMD\/1\.1 0 EX_OK\r\nSpam: False ; -?\d+\.\d \/ 5\.0\r\n\r\n$/)
  })

  it('takes a message without Content-length to the end of what is sent', async () => {
    assert.match(await told(`CHECK SPAMC/1.2\r\n\r\n${ORDER}`), /^SPAMD\/1\.1 0 EX_OK\r\nSpam: /)
  })

  it('takes header lines that end with LF alone, in any case, and does not mind unknown ones', async () => {
    const fields = ['CHECK SPAMC/1.5', `content-LENGTH:${ORDER.length}`, 'X-Other: what: ever']
    assert.match(await told(`${fields.join('\n')}\n\n${ORDER}`), /^SPAMD\/1\.1 0 EX_OK\r\nSpam: /)
  })
})

describe('SYMBOLS, REPORT and REPORT_IFSPAM', () => {
  it('have length and verdict before their text from 1.3 on', async () => {
    for (const command of ['SYMBOLS', 'REPORT', 'REPORT_IFSPAM']) {
      const { head, body } = parts(await told(request(command, ORDER, { version: '1.3' })))
      const [, length, verdict] = head.split('\r\n')
      assert.equal(length, `Content-length: ${body.length}`)
      assert.match(`${verdict}\r\n`, command === 'REPORT_IFSPAM' ? /^Spam: No ; / : SPAM)
    }
  })

  it('have the verdict alone before their text under 1.2, as Exim reads it', async () => {
    const { head, body } = parts(await told(request('REPORT', ORDER, { version: '1.2' })))
    assert.match(head, /^SPAMD\/1\.1 0 EX_OK\r\nSpam: False ; -?\d+\.\d \/ 5\.0\r\n\r\n$/)
    assert.match(body, /^Tamis 0\.1\.0 on /)
  })
})

describe('PROCESS and HEADERS', () => {
  it('have the length first', async () => {
    for (const command of ['PROCESS', 'HEADERS']) {
      const { head, body } = parts(await told(request(command, ORDER, { version: '1.4' })))
      assert.match(
        head,
        /^SPAMD\/1\.1 0 EX_OK\r\nContent-length: \d+\r\nSpam: False ; \S+ \/ 5\.0\r\n\r\n$/,
      )
      assert.equal(Number(/Content-length: (\d+)/.exec(head)?.[1]), body.length)
      const rest = command === 'PROCESS' ? ORDER : ORDER.slice(0, ORDER.indexOf('\r\n\r\n') + 4)
      assert.ok(body.endsWith(`\r\n${rest}`), body)
    }
  })
})

describe('PING and SKIP', () => {
  it('are answered at once up to 1.4, and after the header from 1.5 on', async () => {
    assert.equal(await told('PING SPAMC/1.2\r\n', true), 'SPAMD/1.5 0 PONG\r\n')
    assert.equal(await told('PING SPAMC/1.5\r\n\r\n', true), 'SPAMD/1.5 0 PONG\r\n')
    assert.equal(await told('SKIP SPAMC/1.2\r\n', true), '')
    assert.equal(await told('SKIP SPAMC/1.5\r\n\r\n', true), '')
  })
})

describe('TELL', () => {
  const tell = (...fields: string[]) => told(request('TELL', ORDER, { fields }))
  const user = (name: string) => `User: ${name}@example.com`

  it('says what it did', async () => {
    const spam = ['Message-class: spam', 'Set: local']
    assert.equal(await tell(user('kim'), ...spam), `${OK}DidSet: local\r\n\r\n`)
    assert.equal(await tell(user('kim'), ...spam), `${OK}\r\n`)
    const ham = ['Message-class: HAM', 'Set: local, remote']
    assert.equal(await tell(user('kim'), ...ham), `${OK}DidSet: local\r\n\r\n`)
    assert.equal(await tell(user('kim'), 'Remove: local'), `${OK}DidRemove: local\r\n\r\n`)
    assert.equal(await tell(user('kim'), 'Remove: local'), `${OK}\r\n`)
  })

  for (const [what, fields, answer] of [
    ['both ways at once', ['Set: local', 'Remove: local'], '76 EX_PROTOCOL'],
    ['a class that is none', ['Message-class: maybe', 'Set: local'], '76 EX_PROTOCOL'],
    ['no class', ['Set: local'], '76 EX_PROTOCOL'],
  ] as const) {
    it(`is refused with ${what}`, async () => {
      assert.ok((await tell(user('max'), ...fields)).startsWith(`SPAMD/1.1 ${answer} `))
    })
  }

  it('is taken on a Unix socket, and not where nothing says who asks', async (t) => {
    const path = join(temporaryFolder(), 'spamd.sock')
    for (const [address, answer] of [
      [`unix:${path}`, /^SPAMD\/1\.1 0 EX_OK\r\nDidSet: local/],
      ['inet:0@127.0.0.1', /EX_UNAVAILABLE TELL is taken on a Unix socket alone/],
    ] as const) {
      const filter = new Spamd('address', filterPartsOf(app()))
      const listening = await listenWith(filter, { allowHalfOpen: true, address })
      t.after(listening.close)
      const fields = [user('lea'), 'Message-class: spam', 'Set: local']
      assert.match(await ask(listening.port || path, request('TELL', ORDER, { fields })), answer)
    }
  })

  it('needs a user that can be one', async () => {
    const spam = ['Message-class: spam', 'Set: local']
    for (const fields of [spam, ['User: two words', ...spam], ['User: \xff', ...spam]]) {
      const answer = await tell(...fields)
      assert.equal(answer, 'SPAMD/1.1 67 EX_NOUSER TELL needs a valid User\r\n')
    }
  })
})

describe('User', () => {
  it('may be of any script, in UTF-8', async () => {
    const fields = [`User: ${Buffer.from('bjørn@example.com').toString('latin1')}`]
    await told(request('TELL', ORDER, { fields: [...fields, 'Message-class: spam', 'Set: local'] }))
    const response = await app().inject(
      `/personalization/rules?userId=${encodeURIComponent('bjørn@example.com')}`,
    )
    assert.equal(response.json().rules.length, 1)
  })
})

describe('Compress', () => {
  const packed = (bytes: Uint8Array, length = bytes.length, coding = 'zlib') =>
    Buffer.concat([
      Buffer.from(`PROCESS SPAMC/1.5\r\nCompress: ${coding}\r\nContent-length: ${length}\r\n\r\n`),
      bytes,
    ])

  it('zlib is unpacked, and the answer is not packed', async () => {
    const plain = await told(request('PROCESS', ORDER))
    assert.equal(await told(packed(deflateSync(ORDER))), plain)
  })

  it('is refused when it is broken, cut short or of another kind', async () => {
    const whole = deflateSync(ORDER)
    for (const [bytes, coding, answer] of [
      [Buffer.from(ORDER), 'zlib', '65 EX_DATAERR'],
      [whole.subarray(0, -10), 'zlib', '65 EX_DATAERR'],
      [whole, 'gzip', '76 EX_PROTOCOL'],
    ] as const) {
      const refused = await told(packed(bytes, bytes.length, coding))
      assert.ok(refused.startsWith(`SPAMD/1.1 ${answer} `), refused)
    }
  })
})

describe('what is no request', () => {
  const many = Array.from({ length: 65 }, (_, at) => `X-${at}: 1`)
  for (const [what, text] of [
    ['another command', 'DELETE SPAMC/1.5\r\n\r\n'],
    ['another protocol', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a version before 1.2', 'CHECK SPAMC/1.0\r\n\r\n'],
    ['a line without a colon', 'CHECK SPAMC/1.5\r\nfoo\r\n\r\n'],
    ['a length that is no number', 'CHECK SPAMC/1.5\r\nContent-length: -1\r\n\r\n'],
    ['a User with control characters', 'CHECK SPAMC/1.5\r\nUser: a\0b\r\n\r\n'],
    ['a message that is shorter than it says', 'CHECK SPAMC/1.5\r\nContent-length: 9\r\n\r\nA: b'],
    ['a message that is longer than it says', 'CHECK SPAMC/1.5\r\nContent-length: 2\r\n\r\nA: b'],
    ['an end before the end of the header', 'CHECK SPAMC/1.5\r\nUser: a\r\n'],
    ['65 header lines', `CHECK SPAMC/1.5\r\n${many.join('\r\n')}\r\n\r\n`],
    ['a header line of 3,000 bytes', `CHECK SPAMC/1.5\r\nX: ${'a'.repeat(3_000)}`],
  ] as const) {
    it(`is refused in one line: ${what}`, async () => {
      assert.match(await told(text), /^SPAMD\/1\.1 76 EX_PROTOCOL Bad request: [ -~]+\r\n$/)
    })
  }

  it('is no message when there is no header field', async () => {
    for (const message of ['', 'hello\r\n']) {
      assert.equal(
        await told(request('PROCESS', message)),
        'SPAMD/1.1 65 EX_DATAERR The message has no header field\r\n',
      )
    }
  })
})

describe('other clients', () => {
  it("Haraka's plugin: HEADERS, fields of its own before the message, no length", async () => {
    const lines = [
      'HEADERS SPAMC/1.4',
      'User: default@example.com',
      '',
      'X-Envelope-From: orders@shop.example.com',
      'X-Haraka-UUID: 4711',
      ORDER,
    ]
    const { head, body } = parts(await told(lines.join('\r\n')))
    assert.match(
      head,
      /^SPAMD\/1\.1 0 EX_OK\r\nContent-length: \d+\r\nSpam: False ; \S+ \/ 5\.0\r\n\r\n$/,
    )
    assert.match(body, /^X-Spam-Status: No, score=/m)
    assert.match(body, /^X-Haraka-UUID: 4711\r\n/m)
  })
})
