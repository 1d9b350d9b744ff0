/**
 * What happens on the wire: bodies that stream, stall, are cut off or have no end, and clients
 * that leave. Real connections, because `inject` has none.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { after, before, describe, it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { REQUEST_BYTES } from '../../admission/receive.ts'
import { letGoOn, STUCK_THREAD, threadStuck } from '../admission/stuck.ts'
import { addKeys, bearer } from '../helpers/keys.ts'
import { build, listen, ORDER, open, type TestService } from './service.ts'
import { answer, chunk, connected as connectedTo, head, written } from './wire.ts'

const MIB = 1024 * 1024

/** Of all tests that need no settings of their own. */
let shared: { readonly service: TestService; readonly port: number }

before(async () => {
  const service = await open()
  shared = { service, port: (await listen(service.app)).port }
})
after(() => shared.service.close())

describe('a body on the wire', () => {
  it('of 11 MiB goes through a temporary file, which is gone afterwards', async (t) => {
    const { service, client } = await connected(t)
    client.write(head('POST /classify-stream', 'Transfer-Encoding: chunked'))
    client.write(chunk(Buffer.from(ORDER)))
    for (let i = 0; i < 11; i++)
      await written(client, chunk(Buffer.alloc(MIB, 'a line of text\r\n')))
    await eventually(async () => (await service.temporaryFiles()).length === 1)
    client.write('0\r\n\r\n')
    assert.match(await answer(client), /^HTTP\/1\.1 200 OK/)
    assert.deepEqual(await service.temporaryFiles(), [])
  })

  it('is refused with 413 while it is read, and the connection serves the next request', async (t) => {
    const { service, client } = await connected(t, { config: { messageBytesMax: 12 * MIB } })
    client.write(head('POST /classify-stream', 'Transfer-Encoding: chunked'))
    client.write(chunk(Buffer.from(ORDER)))
    const answered = answer(client)
    for (let i = 0; i < 13; i++) await written(client, chunk(Buffer.alloc(MIB, 'x')))
    const refusal = await answered
    assert.match(refusal, /^HTTP\/1\.1 413 /)
    assert.match(refusal, /"code":"MESSAGE_TOO_LARGE"/)
    assert.deepEqual(await service.temporaryFiles(), [])
    client.write('0\r\n\r\n')
    client.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
    assert.match(await answer(client), /^HTTP\/1\.1 200 OK/)
  })

  it('that never goes on, wherever it stalls, is answered 408 and cut off in the end', async (t) => {
    const { app } = await build(t, { modules: { times: { receiveMs: 300 } } })
    const { port } = await listen(app)
    for (const start of [
      '',
      'POST /classify-stream HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
      head('POST /classify-stream', 'Content-Length: 5000000'),
      `${head('POST /classify-stream', 'Transfer-Encoding: chunked')}fffff\r\n`,
    ]) {
      const client = await connectedTo(t, { port })
      client.write(start)
      const refusal = await answer(client)
      if (start !== '') assert.match(refusal, /^HTTP\/1\.1 408 .*"code":"REQUEST_TIMEOUT"/s)
      await once(client, 'close')
    }
  })

  for (const bytes of [100, 11 * MIB]) {
    it(`cut off after ${bytes} bytes leaves nothing behind`, async (t) => {
      const { service, client } = await connected(t)
      client.write(head('POST /classify-stream', `Content-Length: ${20 * MIB}`))
      await written(client, Buffer.alloc(bytes, 'a'))
      await eventually(async () => (await service.temporaryFiles()).length === 1)
      client.destroy()
      await eventually(async () => (await service.temporaryFiles()).length === 0)
      assert.equal((await service.app.inject('/health')).statusCode, 200)
    })
  }
})

describe('what is no HTTP request of ours', () => {
  it('is answered 400 in the same form', async (t) => {
    const { client } = await connected(t)
    client.write('HELO mail.example.com\r\n\r\n')
    const refusal = await answer(client)
    assert.match(refusal, /^HTTP\/1\.1 400 /)
    assert.match(refusal, /"code":"REQUEST_MALFORMED"/)
  })

  it('is answered 431 when its header is too large', async (t) => {
    const { client } = await connected(t)
    client.write(`GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`)
    assert.match(await answer(client), /^HTTP\/1\.1 431 .*"code":"REQUEST_HEADER_TOO_LARGE"/s)
  })
})

describe('a full service', () => {
  const stuck = `Subject: stuck\r\nX-Stuck-Ms: 60000\r\n\r\nHello`
  /** Keeps the only worker busy until the test lets it go on; resolves once it is. */
  const busyWith = async (url: string) => {
    const isStuck = threadStuck()
    const running = send(url, stuck)
    await isStuck
    return { running }
  }

  it('answers 503 at once with the depth where nobody may wait, to whom it knows, and 401 and 403 as ever', async (t) => {
    const dataDir = temporaryFolder()
    const scopes = { 'key-for-classify': ['classify'], 'key-for-feedback': ['feedback'] }
    await addKeys(
      { dataDir },
      Object.fromEntries(Object.entries(scopes).map(([key, of]) => [key, { scopes: of }])),
    )
    const config = { dataDir, queueDepth: 0 }
    const { url } = await listening(t, { modules: STUCK_THREAD, config })
    const sendBy = (key: string, body = ORDER) =>
      fetch(`${url}/classify-stream`, {
        method: 'POST',
        headers: { 'content-type': 'message/rfc822', ...bearer(key) },
        body,
      })
    assert.equal((await sendBy('key-for-classify')).status, 200)
    const isStuck = threadStuck()
    const running = sendBy('key-for-classify', stuck)
    await isStuck
    const refused = await sendBy('key-for-classify')
    assert.equal(refused.status, 503)
    assert.equal(refused.headers.get('retry-after'), '1')
    assert.deepEqual(await refused.json(), {
      error: 'The classification queue is full',
      code: 'QUEUE_FULL',
      queueDepth: 0,
    })
    assert.equal((await sendBy('key-for-feedback')).status, 403)
    assert.equal((await sendBy('no-such-key')).status, 401)
    letGoOn()
    assert.equal((await running).status, 200)
  })

  it('answers 503 with the depth of the queue and Retry-After when the wait is over', async (t) => {
    const service = await build(t, {
      modules: STUCK_THREAD,
      config: { queueTimeoutMs: 200 },
    })
    const { url } = await listen(service.app)
    const { running } = await busyWith(url)
    const response = await send(url, ORDER)
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('retry-after'), '1')
    assert.deepEqual(await response.json(), {
      error: 'The request waited 200 ms in the classification queue',
      code: 'QUEUE_TIMEOUT',
      queueDepth: 1,
    })
    letGoOn()
    assert.equal((await running).status, 200)
  })

  it('answers 503 when the buffers are full, before the body is sent', async (t) => {
    const config = { bufferBytes: 2 * REQUEST_BYTES + 1_500 }
    const { client, service } = await connected(t, { config })
    client.write(head('POST /classify-stream', 'Content-Length: 1000'))
    client.write('a'.repeat(900))
    await eventually(async () => (await metric(service, 'tamis_buffered_bytes')) >= 900)
    const { port } = service.app.server.address() as { port: number }
    const second = await connectedTo(t, { port })
    second.write(head('POST /classify-stream', 'Content-Length: 1000'))
    const refusal = await answer(second)
    assert.match(refusal, /^HTTP\/1\.1 503 /)
    assert.match(refusal, /retry-after: 1/i)
    assert.match(refusal, /"code":"BUFFERS_FULL"/)
  })

  it('drops what waits for a client that has left', async (t) => {
    const service = await build(t, { modules: STUCK_THREAD })
    const { url } = await listen(service.app)
    const { running } = await busyWith(url)
    const leaving = new AbortController()
    const left = send(url, ORDER, leaving.signal).catch((error: Error) => error.name)
    await eventually(async () => (await metric(service, 'tamis_queue_depth')) === 1)
    leaving.abort()
    assert.equal(await left, 'AbortError')
    letGoOn()
    assert.equal((await running).status, 200)
    assert.equal((await send(url, ORDER)).status, 200)
  })

  it('finishes what it has when it is told to end, and what comes on connections that have just begun', async (t) => {
    const modules = { ...STUCK_THREAD, times: { ...STUCK_THREAD.times, shutdownMs: 60_000 } }
    const service = await build(t, { modules })
    const { port, url } = await listen(service.app)
    const [accepted, late] = [await connectedTo(t, { port }), await connectedTo(t, { port })]
    const balancer = await connectedTo(t, { port })
    late.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nPOST /classify')
    await answer(late)
    const { running } = await busyWith(url)
    const closed = service.close()
    await eventually(() => !service.app.server.listening)
    letGoOn()
    assert.equal((await running).status, 200)
    balancer.write('GET /ready HTTP/1.1\r\nHost: localhost\r\n\r\n')
    assert.match(await answer(balancer), /^HTTP\/1\.1 503 .*"code":"NOT_READY"/s)
    late.write(head('-stream', `Content-Length: ${ORDER.length}`).replace('POST ', ''))
    accepted.write(head('POST /classify-stream', `Content-Length: ${ORDER.length}`))
    for (const client of [late, accepted]) {
      client.write(ORDER)
      assert.match(await answer(client), /^HTTP\/1\.1 200 .*connection: close.*"isSpam":false/is)
    }
    await closed
  })

  it('refuses what runs and what waits when its time to end is over', async (t) => {
    const modules = { ...STUCK_THREAD, times: { ...STUCK_THREAD.times, shutdownMs: 200 } }
    const service = await build(t, { modules })
    const { port, url } = await listen(service.app)
    const { running } = await busyWith(url)
    const waiting = await connectedTo(t, { port })
    waiting.write(head('POST /classify-stream', `Content-Length: ${ORDER.length}`))
    waiting.write(ORDER)
    await eventually(async () => (await metric(service, 'tamis_queue_depth')) === 1)
    const closed = service.close()
    assert.match(await answer(waiting), /^HTTP\/1\.1 503 .*"code":"SHUTTING_DOWN"/s)
    assert.equal((await running).status, 503)
    await closed
  })
})

/** A client of a service under `options`, of the shared one without. */
async function connected(
  t: TestContext,
  options?: Parameters<typeof build>[1],
): Promise<{ service: TestService; client: Socket }> {
  const { service, port } = options === undefined ? shared : await listening(t, options)
  return { service, client: await connectedTo(t, { port }) }
}

async function metric({ app }: TestService, name: string): Promise<number> {
  const { body } = await app.inject('/metrics')
  return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(body)?.[1])
}

async function listening(t: TestContext, options: Parameters<typeof build>[1]) {
  const service = await build(t, options)
  return { service, ...(await listen(service.app)) }
}

function send(url: string, body: string, signal?: AbortSignal): Promise<Response> {
  const headers = { 'content-type': 'message/rfc822' }
  return fetch(`${url}/classify-stream`, {
    method: 'POST',
    headers,
    body,
    ...(signal && { signal }),
  })
}
