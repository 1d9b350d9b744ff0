/**
 * What goes over the connection to clamd, and what becomes of answers that are none. The servers here are ports that
 * keep silent, hang up or speak another protocol; a real clamd is asked in scanner.system.test.ts.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import {
  clamdAddress,
  readAnswer,
  SCANNED_BYTES_MAX,
  scanWithClamd,
  unscanned,
} from '../../scanner/clamd.ts'

const CLEAN = { finding: { signature: null, isPartial: false, failure: null } }

/** A port at which `serve` speaks with whoever connects; it closes with the test. */
async function port(t: TestContext, serve: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

function scanned(
  bytes: Uint8Array,
  address: Parameters<typeof scanWithClamd>[1],
  timeoutMs = 5_000,
) {
  return scanWithClamd(memoryOctets(bytes), address, timeoutMs)
}

/** The message in an INSTREAM command, once all of it is there. */
function messageIn(received: Buffer): Buffer | undefined {
  const command = 'zINSTREAM\0'
  if (received.length < command.length) return undefined
  assert.equal(received.toString('latin1', 0, command.length), command)
  const chunks: Buffer[] = []
  for (let at = command.length; at + 4 <= received.length; ) {
    const size = received.readUInt32BE(at)
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(received.subarray(at + 4, at + 4 + size))
    at += 4 + size
  }
  return undefined
}

describe('a message on its way to clamd', () => {
  for (const [size, sent] of [
    [0, 0],
    [300_000, 300_000],
    [SCANNED_BYTES_MAX + 1, SCANNED_BYTES_MAX],
  ] as const) {
    it(`goes over in chunks up to the bound, of ${size} bytes`, async (t) => {
      const message = Buffer.alloc(size, 'From: ann@example.com\r\n')
      const got = Promise.withResolvers<Buffer>()
      const address = await port(t, (socket) => {
        const parts: Buffer[] = []
        socket.on('data', (part) => {
          parts.push(part)
          if (!part.subarray(-4).equals(Buffer.alloc(4))) return
          const whole = messageIn(Buffer.concat(parts))
          if (whole === undefined) return
          got.resolve(whole)
          socket.end('stream: OK\0')
        })
      })
      const { finding } = await scanned(message, address)
      assert.deepEqual(finding, { signature: null, isPartial: sent < size, failure: null })
      assert.ok((await got.promise).equals(message.subarray(0, sent)))
    })
  }
})

describe('a scanner that does not scan', () => {
  const MESSAGE = Buffer.alloc(1_000_000, 'x')

  it('is not waited for beyond the deadline', async (t) => {
    const address = await port(t, () => {})
    assert.deepEqual(await scanned(MESSAGE, address, 200), unscanned('NO_ANSWER'))
  })

  it('cannot be reached', async () => {
    const path = join(temporaryFolder(), 'clamd.ctl')
    assert.deepEqual(await scanned(MESSAGE, { path }), unscanned('UNREACHABLE', 'ENOENT'))
  })

  it('breaks the connection, and is asked once more', async (t) => {
    for (const [breaks, expected] of [
      [1, CLEAN.finding],
      [2, unscanned('UNREACHABLE').finding],
    ] as const) {
      let connections = 0
      const address = await port(t, (socket) => {
        const isBroken = ++connections <= breaks
        socket.once('data', () => {
          if (isBroken) socket.resetAndDestroy()
          else socket.resume().end('stream: OK\0')
        })
      })
      const { finding } = await scanned(MESSAGE, address)
      assert.deepEqual(finding, expected)
      assert.equal(connections, 2)
    }
  })

  it('says too little, too much or something else', async (t) => {
    for (const [answer, expected] of [
      ['220 mx.example.com ESMTP\r\n', unscanned('NOT_A_SCANNER')],
      ['\0', unscanned('UNREACHABLE', 'CLOSED')],
      ['y'.repeat(1_000_000), unscanned('NOT_A_SCANNER')],
    ] as const) {
      const address = await port(t, (socket) => socket.resume().end(answer))
      assert.deepEqual(await scanned(Buffer.from('x'), address), expected)
    }
  })
})

describe('an answer of clamd', () => {
  it('names what it has found', () => {
    for (const [answer, signature] of [
      ['stream: Win.Test.EICAR_HDB-1 FOUND', 'Win.Test.EICAR_HDB-1'],
      ['stream: Eicar(44d88612fea8a8f36de82e1278abb02f:68) FOUND', 'Eicar'],
      ['stream: A bad"name FOUND', 'A_bad_name'],
    ] as const) {
      const finding = { signature, isPartial: false, failure: null }
      assert.deepEqual(readAnswer(answer, false), { finding })
    }
  })
})

describe('where clamd listens', () => {
  it('is a path, or a host and a port', () => {
    assert.equal(clamdAddress(''), undefined)
    assert.deepEqual(clamdAddress('/run/clamav/clamd.ctl'), { path: '/run/clamav/clamd.ctl' })
    assert.deepEqual(clamdAddress('192.0.2.7:3310'), { host: '192.0.2.7', port: 3310 })
    assert.deepEqual(clamdAddress('[2001:db8::7]:3310'), { host: '2001:db8::7', port: 3310 })
  })
})
