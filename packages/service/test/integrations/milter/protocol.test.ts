/** Packets of the milter protocol, whole, in pieces, and made up. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ByteBudget } from '../../../admission/byte-budget.ts'
import {
  ACTION,
  agree,
  clientOf,
  headerFieldOf,
  isReplied,
  macrosOf,
  PACKET_BYTES_MAX,
  PacketReader,
  ProtocolError,
  type RepliedStep,
} from '../../../integrations/milter/protocol.ts'
import { packet, uint32s } from './milter.ts'

const ROOMY = 64 * 1024 * 1024

function read(chunks: readonly Buffer[], reader = new PacketReader(new ByteBudget(ROOMY))) {
  const found: string[] = []
  for (const chunk of chunks) {
    for (const { command, data } of reader.add(chunk)) found.push(`${command} ${data.toString()}`)
  }
  return found
}

describe('PacketReader', () => {
  const bytes = Buffer.concat([packet('H', 'mx\0'), packet('N'), packet('B', 'x'.repeat(70_000))])
  const whole = ['H mx\0', 'N ', `B ${'x'.repeat(70_000)}`]

  for (const size of [1, 3, 5, 4_096, 65_536]) {
    it(`gives the same of chunks of ${size} bytes, and then holds nothing`, () => {
      const budget = new ByteBudget(ROOMY)
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      assert.deepEqual(read(chunks, new PacketReader(budget)), whole)
      assert.equal(budget.taken, 0)
    })
  }

  it('takes the largest packet and refuses one with a byte more', () => {
    const largest = packet('B', Buffer.alloc(PACKET_BYTES_MAX))
    assert.equal(read([largest]).length, 1)
    assert.throws(() => read([uint32s(PACKET_BYTES_MAX + 2)]), ProtocolError)
  })

  it('holds no more than the bytes that came of a packet, whatever it says that it has', () => {
    const budget = new ByteBudget(ROOMY)
    read([Buffer.concat([uint32s(1_000_000), Buffer.from('Bxx')])], new PacketReader(budget))
    assert.ok(budget.taken <= 4_096, `${budget.taken}`)
  })

  it('refuses more bytes than all connections may hold, and gives them back at the end', () => {
    const budget = new ByteBudget(100_000)
    const reader = new PacketReader(budget)
    assert.throws(() => read([uint32s(1_000_000), Buffer.alloc(200_000)], reader), ProtocolError)
    reader.close()
    assert.equal(budget.taken, 0)
  })

  it('ends for any bytes in packets or a ProtocolError', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }), (chunks) => {
        const budget = new ByteBudget(ROOMY)
        const reader = new PacketReader(budget)
        try {
          read(
            chunks.map((chunk) => Buffer.from(chunk)),
            reader,
          )
        } catch (error) {
          assert.ok(error instanceof ProtocolError)
        }
        reader.close()
        assert.equal(budget.taken, 0)
      }),
    )
  })
})

describe('agree', () => {
  const offered = (version: number, actions: number, steps: number) =>
    agree(uint32s(version, actions, steps), ACTION.addHeaders | ACTION.changeHeaders)
  const STEPS: readonly RepliedStep[] = [
    'connect',
    'helo',
    'mail',
    'rcpt',
    'data',
    'header',
    'body',
  ]

  it('takes of version 6 every step but DATA without a reply, and fields as they came', () => {
    const agreement = offered(6, 0x1ff, 0x1f_ff_ff)
    assert.equal(agreement.version, 6)
    assert.equal(agreement.actions, 0x11)
    assert.equal(agreement.leadingSpace, true)
    assert.deepEqual(
      STEPS.filter((step) => isReplied(agreement, step)),
      ['data'],
    )
  })

  it('replies to every step of version 2, as Sendmail 8.12 spoke it', () => {
    const agreement = offered(2, 0x3f, 0x7f)
    assert.deepEqual([agreement.version, agreement.actions, agreement.steps], [2, 0x11, 0])
    assert.ok(STEPS.every((step) => isReplied(agreement, step)))
  })

  it('refuses version 1, and an offer that is cut', () => {
    assert.throws(() => offered(1, 0, 0), ProtocolError)
    assert.throws(() => agree(uint32s(6, 0), 0), ProtocolError)
  })
})

describe('clientOf', () => {
  for (const [text, client] of [
    ['mx.example.net\x004\x00\x19192.0.2.1\0', { host: 'mx.example.net', address: '192.0.2.1' }],
    [
      '[2001:db8::1]\x006\x00\x19IPv6:2001:db8::1\0',
      { host: '[2001:db8::1]', address: 'IPv6:2001:db8::1' },
    ],
    ['localhost\x00L\x00\x00/run/smtp\0', { host: 'localhost', address: undefined }],
    ['unknown\x00U', { host: 'unknown', address: undefined }],
  ] as const) {
    it(`reads ${JSON.stringify(text)}`, () => {
      assert.deepEqual(clientOf(Buffer.from(text, 'latin1')), client)
    })
  }
})

describe('macrosOf', () => {
  it('reads no more than it is asked for', () => {
    assert.equal(macrosOf(Buffer.from(`M${'a\0b\0'.repeat(1_000)}`), 10).size, 1)
  })
})

describe('headerFieldOf', () => {
  for (const [text, name, body] of [
    ['Subject\0 Hello\0', 'Subject', ' Hello'],
    ['Subject\0\0', 'Subject', ''],
    ['Subject\0 caf\xe9\n two\0', 'Subject', ' caf\xe9\n two'],
    ['Subject', 'Subject', ''],
    ['Subject\0cut', 'Subject', 'cut'],
  ] as const) {
    it(`reads ${JSON.stringify(text)}`, () => {
      const field = headerFieldOf(Buffer.from(text, 'latin1'))
      assert.deepEqual([field.name.toString('latin1'), field.body.toString('latin1')], [name, body])
    })
  }
})
