/**
 * Clients who would take all the room for bodies, over real connections: by announcing what they
 * do not send, by sending all they can and stopping, by a byte at a time. Others are served meanwhile.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { REQUEST_BYTES } from '../../admission/receive.ts'
import type { Config } from '../../config.ts'
import { addKeys, bearer } from '../helpers/keys.ts'
import { build, listen, ORDER } from './service.ts'
import { connected, head } from './wire.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** For a message of some megabytes to be judged, on a busy machine. */
const PATIENCE_MS = 60_000

/** What the test itself asks with, where there are keys. */
const METRICS_KEY = 'metrics'

/** Room for eight of the largest bodies that are kept in memory. */
const SMALL = { memoryBytesMax: MIB, bufferBytes: 8 * (MIB + REQUEST_BYTES) }

describe('room for bodies', () => {
  it('is not taken by those who announce 10 MiB each and send 3 kB', async (t) => {
    const service = await listening(t)
    const liars = await Promise.all(Array.from({ length: 200 }, () => connected(t, service)))
    for (const client of liars) {
      client.write(headOf(`Content-Length: ${10 * MIB}`))
      client.write('a'.repeat(3 * KIB))
    }
    await until(() => buffered(service.app), liars.length * (REQUEST_BYTES + 3 * KIB))
    assert.ok((await buffered(service.app)) < 10 * MIB)
    assert.equal(await send(t, service, ORDER), 200)
    assert.equal(await send(t, service, messageOf(9 * MIB)), 200)
  })

  it('is half taken by one address that sends all it can, and the rest is there for others', async (t) => {
    const service = await listening(t, { config: SMALL })
    const greedy = await takeAll(t, service)
    assert.equal(greedy.held.length, 4)
    assert.match(greedy.refusal, /^HTTP\/1\.1 503 .*"code":"BUFFERS_FULL"/s)
    const other = { ...service, address: '127.0.0.2' }
    assert.equal(await send(t, other, ORDER), 200)
    assert.equal(await send(t, other, messageOf(MIB)), 200)
    for (const client of greedy.held) client.destroy()
    await until(() => buffered(service.app), 0)
    assert.equal(await send(t, service, messageOf(MIB)), 200)
  })

  it('goes to some of those who ask for more of it than there is, and not to none', async (t) => {
    const config = { ...SMALL, queueTimeoutMs: PATIENCE_MS }
    const service = await listening(t, { config })
    const statuses = await Promise.all(
      Array.from({ length: 24 }, () => send(t, service, messageOf(MIB))),
    )
    const served = statuses.filter((status) => status === 200).length
    assert.ok(served >= 4, `${served} were served`)
    assert.equal(statuses.filter((status) => status === 503).length, statuses.length - served)
    assert.equal(await buffered(service.app), 0)
  })
})

interface Target {
  readonly app: FastifyInstance
  readonly port: number
  /** Where clients come from. */
  readonly address: string
  readonly key?: string
}

async function listening(
  t: TestContext,
  { config = {}, keys = [] }: { config?: Partial<Config>; keys?: readonly string[] } = {},
): Promise<Target> {
  const dataDir = temporaryFolder()
  const all = keys.length === 0 ? [] : [...keys, METRICS_KEY]
  const terms = { scopes: ['classify', 'operator'] }
  await addKeys({ dataDir }, Object.fromEntries(all.map((name) => [name, terms])))
  const { app } = await build(t, { config: { ...config, dataDir } })
  await listen(app)
  const { port } = app.server.address() as AddressInfo
  return { app, port, address: '127.0.0.1' }
}

/** Bodies of 1 MiB, each all but its last byte, until one is refused. */
async function takeAll(
  t: TestContext,
  target: Target,
): Promise<{ held: Socket[]; refusal: string }> {
  const held: Socket[] = []
  for (;;) {
    const client = await connected(t, target)
    client.write(headOf(`Content-Length: ${MIB}`, target.key))
    const answered = answerOf(client)
    client.write(messageOf(MIB).subarray(1))
    const wanted = (held.length + 1) * (MIB + REQUEST_BYTES - KIB)
    const refusal = await Promise.race([answered, until(() => buffered(target.app), wanted)])
    if (refusal !== undefined) return { held, refusal }
    held.push(client)
  }
}

/** Status of the answer to `message`. */
async function send(t: TestContext, target: Target, message: string | Buffer): Promise<number> {
  const client = await connected(t, target)
  const answered = answerOf(client)
  client.write(headOf(`Content-Length: ${Buffer.byteLength(message)}`, target.key))
  client.write(message)
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(await answered)?.[1])
  client.destroy()
  return status
}

/** What comes first on `client`; nothing is longer than what one write brings. */
async function answerOf(client: Socket): Promise<string> {
  const [bytes] = await once(client, 'data', { signal: AbortSignal.timeout(PATIENCE_MS) })
  return String(bytes)
}

/** The header of a request of which the body is announced so. */
function headOf(length: string, key?: string): string {
  const fields = key === undefined ? [] : [`Authorization: Bearer ${key}`]
  return head('POST /classify-stream', length, ...fields)
}

/** A message that is that long. */
function messageOf(bytes: number): Buffer {
  const start = 'From: a@example.com\r\nSubject: long\r\n\r\n'
  return Buffer.concat([
    Buffer.from(start),
    Buffer.alloc(bytes - start.length, 'a line of text\r\n'),
  ])
}

/** Bytes that bodies and their requests take up, as /metrics says. */
async function buffered(app: FastifyInstance): Promise<number> {
  const { body } = await app.inject({ url: '/metrics', headers: bearer(METRICS_KEY) })
  return Number(/^tamis_buffered_bytes (\d+)/m.exec(body)?.[1])
}

/** Resolves once `value` gives `wanted` or more; where that is 0, once it gives 0. */
async function until(value: () => Promise<number>, wanted: number): Promise<undefined> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const now = await value()
    if (wanted === 0 ? now === 0 : now >= wanted) return
    assert.ok(performance.now() < deadline, `${now} and not ${wanted}`)
    await sleep(10)
  }
}
