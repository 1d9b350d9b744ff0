/** A queue that is full: requests for verdicts are refused as they arrive, in the words and with the traces of any refusal. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { addKeys, bearer } from '../helpers/keys.ts'
import { build, listen, ORDER } from './service.ts'
import { letGoOn, STUCK_WORKER, threadStuck } from './stuck.ts'

/** Long enough for all that is asked meanwhile: tests let it go on. */
const STUCK = 'Subject: stuck\r\nX-Stuck-Ms: 60000\r\n\r\nHello'

const HEAD = `POST /classify-stream HTTP/1.1\r\nHost: localhost\r\nContent-Type: message/rfc822\r\nContent-Length: ${ORDER.length}\r\n\r\n`

/** Connections that ask again as soon as they are refused, and for how long. */
const _HASTY = 50
const _HASTE_MS = 900

/** Between two refusals on one connection, at least. */
const _INTERVAL_MS = 250

/** The first worker is busy for a while, and nobody may wait. */
async function fullService(t: TestContext, dataDir?: string) {
  const lines: string[] = []
  const { app } = await build(t, {
    config: { queueDepth: 0, workerKillMs: 60_000, ...(dataDir !== undefined && { dataDir }) },
    modules: STUCK_WORKER,
    log: { level: 'info', stream: { write: (line) => void lines.push(line) } },
  })
  const { url, port } = await listen(app)
  const send = (body: string, headers: Record<string, string> = {}, path = '/classify-stream') =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822', ...headers },
      body,
    })
  return { app, url, port, send, lines }
}

/** Keeps the worker busy until the test lets it go on; resolves once it is. */
async function busyWith(
  send: Awaited<ReturnType<typeof fullService>>['send'],
  headers: Record<string, string> = {},
) {
  const stuck = threadStuck()
  const running = send(STUCK, headers)
  await stuck
  return { running }
}

describe('while the queue is full', () => {
  it('a request is refused as ever: code, depth, Retry-After, told in the log, and counted', async (t) => {
    const { app, send, lines } = await fullService(t)
    const { running } = await busyWith(send)
    lines.length = 0
    const refused = await send(ORDER)
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.equal(refused.headers.get('x-content-type-options'), 'nosniff')
    assert.deepEqual(await refused.json(), {
      error: 'The classification queue is full',
      code: 'QUEUE_FULL',
      queueDepth: 0,
    })
    letGoOn()
    assert.equal((await running).status, 200)
    const refusals = () =>
      lines.map((each) => JSON.parse(each)).filter((each) => each.status === 503)
    // Those of a second are told together.
    await eventually(() => refusals().length > 0)
    const told = refusals()
    assert.deepEqual(
      told.map(({ route, method, requests, msg }) => ({ route, method, requests, msg })),
      [{ route: '/classify-stream', method: 'POST', requests: 1, msg: 'requests refused' }],
    )
    const { body } = await app.inject('/metrics')
    assert.match(body, /_count\{route="\/classify-stream",method="POST",status="503"\} 1/)
  })

  it('a connection serves on after a refusal, whose body came behind it', async (t) => {
    const { port, send } = await fullService(t)
    const { running } = await busyWith(send)
    const socket = connect(port, '127.0.0.1')
    t.after(() => socket.destroy())
    let answers = ''
    socket.on('data', (bytes) => {
      answers += String(bytes)
    })
    socket.write(HEAD + ORDER.slice(0, 10))
    await once(socket, 'data')
    assert.match(answers, /^HTTP\/1.1 503 /)
    socket.write(ORDER.slice(10))
    letGoOn()
    await running
    answers = ''
    socket.write(HEAD + ORDER)
    await once(socket, 'data')
    assert.match(answers, /^HTTP\/1.1 200 /)
  })

  it('a connection that sends hundreds of requests at once is refused a few times and closed', async (t) => {
    const { port, send } = await fullService(t)
    const { running } = await busyWith(send)
    const socket = connect(port, '127.0.0.1')
    let answers = ''
    socket.setEncoding('latin1').on('data', (text) => {
      answers += text
    })
    const closed = once(socket, 'close')
    const one = HEAD.replace(`${ORDER.length}`, '1')
    // They are few enough to arrive in one read: what is left unread would reset the connection.
    socket.write(`${one}a`.repeat(300))
    await closed
    const refusals = answers.split('HTTP/1.1 503 ').length - 1
    assert.ok(refusals > 0 && refusals < 10, `${refusals} refusals`)
    assert.match(answers, /\r\nconnection: close\r\n/)
    letGoOn()
    await running
  })

  it('strangers are told that they are, as ever', async (t) => {
    const dataDir = temporaryFolder()
    await addKeys(
      { dataDir },
      {
        'key-for-classify': { scopes: ['classify'] },
        'key-for-feedback': { scopes: ['feedback'] },
      },
    )
    const { send } = await fullService(t, dataDir)
    const statusFor = async (key: string) => (await send(ORDER, bearer(key))).status
    assert.equal(await statusFor('key-for-classify'), 200)
    assert.equal(await statusFor('key-for-feedback'), 403)
    const { running } = await busyWith(send, bearer('key-for-classify'))
    assert.equal(await statusFor('key-for-classify'), 503)
    assert.equal(await statusFor('key-for-feedback'), 403)
    assert.equal(await statusFor('no-such-key'), 401)
    assert.equal((await send(ORDER)).status, 401)
    // Another spelling goes the long way and is told the same.
    for (const path of ['/%63lassify-stream', '/classify-stream?']) {
      assert.equal((await send(ORDER, bearer('key-for-feedback'), path)).status, 403)
      assert.equal((await send(ORDER, bearer('key-for-classify'), path)).status, 503)
    }
    letGoOn()
    await running
  })
})
