/** Clients that mean no good, or that leave. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../../test/eventually.ts'
import type { Config } from '../../../config.ts'
import { build, ORDER } from '../../http/service.ts'
import { ask, openSpamd, request } from './spamd.ts'

const KIB = 1024
const MIB = 1024 * KIB

async function spamdWith(t: TestContext, settings: Partial<Config>, receiveMs?: number) {
  const { app } = await build(t, { config: { learning: 'off', ...settings } })
  const spamd = await openSpamd(app, receiveMs)
  t.after(() => spamd.spamd.close())
  return spamd
}

function open(t: TestContext, port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write(text)
  t.after(() => socket.destroy())
  return socket
}

async function textOf(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'close')
  return text
}

const OK = /^SPAMD\/1\.1 0 EX_OK\r\n/

/** Resolves once `text` is answered so: connections come and go a moment later than clients see. */
async function answered(port: number, text: string, answer: RegExp): Promise<void> {
  await eventually(async () => answer.test(await ask(port, text)), `The answer is not ${answer}`)
}

describe('spamd', () => {
  it('gives up on a client that sends a byte at a time', async (t) => {
    const { port } = await spamdWith(t, {}, 300)
    const socket = open(t, port, 'CHECK SPAMC/1.5\r\n')
    const trickle = setInterval(() => socket.write('X'), 20)
    t.after(() => clearInterval(trickle))
    assert.equal(
      await textOf(socket),
      'SPAMD/1.1 79 EX_TIMEOUT The request did not arrive in time\r\n',
    )
  })

  it('refuses a message that is too large before it is sent', async (t) => {
    const { port } = await spamdWith(t, { messageBytesMax: 64 * KIB })
    const socket = open(t, port, `CHECK SPAMC/1.5\r\nContent-length: ${MIB}\r\n\r\n`)
    assert.equal(
      await textOf(socket),
      'SPAMD/1.1 98 EX_TOOBIG The message is larger than 65536 bytes\r\n',
    )
  })

  it('keeps no more bytes than it may, and gives them all back', async (t) => {
    const { port } = await spamdWith(t, { messageBytesMax: MIB, bufferBytes: MIB + 64 * KIB })
    const half = `CHECK SPAMC/1.5\r\nContent-length: ${MIB}\r\n\r\n${'A: b\r\n'.repeat(100_000)}`
    for (let rounds = 0; rounds < 5; rounds++) {
      // There is room for one of the two; nothing tells which of them is read first.
      const holding = [1, 2].map(() => open(t, port, half))
      const refusal = await Promise.race(holding.map(textOf))
      assert.match(refusal, /^SPAMD\/1\.1 75 EX_TEMPFAIL Too many messages /)
      for (const socket of holding) socket.destroy()
      await answered(port, half, /^SPAMD\/1\.1 76 EX_PROTOCOL Bad request: it is incomplete\r\n/)
      assert.match(await ask(port, request('CHECK', ORDER)), OK)
    }
  })
})
