/** Clients that mean no good, or that leave; and a service that does not answer. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../../test/eventually.ts'
import { localServer } from '../../../../../test/local-server.ts'
import type { SpamdSettings } from '../../../integrations/spamd/server.ts'
import { buildOnce, listen, ORDER } from '../../http/service.ts'
import { ask, openSpamd, request, type TestSpamd } from './spamd.ts'

const app = buildOnce({ config: { learning: 'off' } })
let url: string | undefined

const KIB = 1024
const MIB = 1024 * KIB

async function spamdWith(t: TestContext, settings: Partial<SpamdSettings>): Promise<TestSpamd> {
  url ??= (await listen(app())).url
  const spamd = await openSpamd(url, settings)
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
const TOO_MANY = /^SPAMD\/1\.1 75 EX_TEMPFAIL Too many connections\r\n$/

/** Resolves once `text` is answered so: connections come and go a moment later than clients see. */
async function answered(port: number, text: string, answer: RegExp): Promise<void> {
  await eventually(async () => answer.test(await ask(port, text)), `The answer is not ${answer}`)
}

describe('tamis spamd', () => {
  it('gives up on a client that sends a byte at a time', async (t) => {
    const { port } = await spamdWith(t, { receiveTimeoutMs: 300 })
    const socket = open(t, port, 'CHECK SPAMC/1.5\r\n')
    const trickle = setInterval(() => socket.write('X'), 20)
    t.after(() => clearInterval(trickle))
    assert.equal(
      await textOf(socket),
      'SPAMD/1.1 79 EX_TIMEOUT The request did not arrive in time\r\n',
    )
  })

  it('refuses one connection more than it may have, and takes the next when one has gone', async (t) => {
    const { port } = await spamdWith(t, { connectionsMax: 3 })
    const idle = [1, 2, 3].map(() => open(t, port, 'CHECK '))
    await Promise.all(idle.map((socket) => once(socket, 'connect')))
    await answered(port, request('CHECK', ORDER), TOO_MANY)
    for (const socket of idle) socket.destroy()
    await answered(port, request('CHECK', ORDER), OK)
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
    const { port } = await spamdWith(t, { messageBytesMax: MIB, bufferBytes: MIB })
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

  it('ends what was asked for when the client leaves', async (t) => {
    const asked: Promise<void>[] = []
    const slow = createServer((incoming) => {
      incoming.on('error', () => {})
      asked.push(new Promise((resolve) => incoming.once('close', resolve)))
    })
    const { spamd, port: spamdPort } = await openSpamd((await localServer(t, slow)).url)
    t.after(() => spamd.close())
    const socket = open(t, spamdPort, request('CHECK', ORDER))
    await eventually(() => asked.length > 0)
    socket.resetAndDestroy()
    await asked[0]
  })

  it('has a message passed on when the service does not answer in time, and says so in the log', async (t) => {
    const silent = await localServer(t, createServer())
    const { spamd, port: spamdPort, log } = await openSpamd(silent.url, { timeoutMs: 200 })
    t.after(() => spamd.close())
    assert.equal(
      await ask(spamdPort, request('PROCESS', ORDER)),
      'SPAMD/1.1 75 EX_TEMPFAIL Tamis did not answer (TIMEOUT)\r\n',
    )
    const { level, command, response, reason } = JSON.parse(log.at(-1)!)
    assert.deepEqual(
      [level, command, response, reason],
      [40, 'PROCESS', 'EX_TEMPFAIL', 'Tamis did not answer (TIMEOUT)'],
    )
  })
})
