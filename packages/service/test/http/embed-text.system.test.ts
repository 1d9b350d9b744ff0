/**
 * Texts on new connections while messages wait. How many of these are judged first depends on what else runs on
 * the machine, so nothing runs beside it.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { build, listen, ORDER, post } from './service.ts'

/** New connections at once, each with a text; and how many messages, of twice as many, may be judged before all have their embedding. */
const CONNECTIONS = 40
const JUDGED_BEFORE_MAX = 20

describe('POST /classify/embed-text', () => {
  it('is answered before the messages that wait on each of many new connections', async (t) => {
    const { app: own } = await build(t, { config: { queueTimeoutMs: 600_000 } })
    const { port } = await listen(own)
    let judged = 0
    // Each takes a turn of the event loop.
    const message = ORDER + 'Your order has been shipped today.\r\n'.repeat(5_000)
    const waiting = Array.from({ length: 2 * CONNECTIONS }, async () => {
      await post(own, '/classify-stream', message)
      judged++
    })
    const body = '{"text":"hello"}'
    const request = `POST /classify/embed-text HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const answers = Array.from({ length: CONNECTIONS }, async () => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request))
      const [answer] = await once(socket, 'data')
      socket.destroy()
      return String(answer).slice(0, 'HTTP/1.1 200'.length)
    })
    assert.deepEqual(await Promise.all(answers), Array(CONNECTIONS).fill('HTTP/1.1 200'))
    const before = judged
    await Promise.all(waiting)
    assert.ok(before < JUDGED_BEFORE_MAX, `${before} messages came first`)
  })
})
