/**
 * Clients that mean harm, against a service in a process of its own. Whatever they do, others are
 * answered, and when they are gone nothing of them is left: neither memory nor a descriptor nor a file.
 */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../test/eventually.ts'
import { type ServiceProcess, startService } from '../helpers/service-process.ts'
import { askHonestly, openConnections } from './hostile-clients.ts'
import { ORDER } from './service.ts'
import { answers, chunk, connected, head, written } from './wire.ts'

const MIB = 1024 * 1024

/** A refused body, the message in memory and the collector of garbage have room in it. */
const GROWTH_MAX = 96 * MIB

/** Clients at once of each kind that trickle, stall or lie. */
const CLIENTS = 40

describe('hostile clients', () => {
  let service: ServiceProcess
  /** Open when nobody is connected. */
  let descriptors: number

  before(async () => {
    service = await startService()
    await othersAreAnswered()
    descriptors = await settledDescriptors(service)
  })
  after(() => service?.stop())

  it('who upload 1 GB are refused at the limit, and cost no memory', async (t) => {
    const client = await connected(t, service)
    const before = await service.memoryBytes()
    let peak = before
    const answered = answers(client, 1)
    client.write(head('POST /classify-stream', 'Transfer-Encoding: chunked'))
    const megabyte = chunk(Buffer.alloc(MIB, 'x'))
    let sent = 0
    for (; sent < 1_024 && client.writable; sent++) {
      await written(client, megabyte)
      if (sent % 16 === 0) peak = Math.max(peak, await service.memoryBytes())
    }
    assert.match((await answered)[0]!, /^HTTP\/1\.1 413 .*"code":"MESSAGE_TOO_LARGE"/s)
    assert.ok(sent < 200, `${sent} MiB were taken`)
    assert.ok(peak - before < GROWTH_MAX, `${((peak - before) / MIB).toFixed(0)} MiB more`)
    assert.deepEqual(await service.temporaryFiles(), [])
  })

  it('who close their side, or reset the connection, before they are answered leave nothing behind', async () => {
    const clients = await openConnections(service.port, CLIENTS)
    for (const [at, client] of clients.entries()) {
      client.resume()
      if (at % 8 === 0) client.end()
      else if (at % 8 === 4)
        client.end(`${head('POST /classify-stream', 'Content-Length: 9')}a: b\n\nc\n`)
      else if (at % 4 === 1) client.end('POST /classify-stream HTTP/1.1\r\nHost: loc')
      else client.write(head('POST /classify-stream', `Content-Length: ${20 * MIB}`))
      if (at % 4 === 2) client.write(Buffer.alloc(MIB), () => client.resetAndDestroy())
      if (at % 4 === 3) client.end('Subject: half')
    }
    await eventually(async () => clients.every(({ destroyed }) => destroyed))
    await nothingLeft()
    await othersAreAnswered()
  })

  const CHUNKED = 'Transfer-Encoding: chunked'

  for (const [name, fields, body] of [
    ['a length below zero', ['Content-Length: -1'], ''],
    ['a length that is no number', ['Content-Length: 1e3'], ''],
    ['a length beyond all numbers', ['Content-Length: 99999999999999999999'], ''],
    ['two lengths', ['Content-Length: 5', 'Content-Length: 6'], 'a: b\n'],
    ['a length and chunks', ['Content-Length: 5', CHUNKED], '0\r\n\r\n'],
    ['chunks that are not the last coding', [`${CHUNKED}, gzip`], '0\r\n\r\n'],
    ['a chunk beyond all numbers', [CHUNKED], 'fffffffffffffffff\r\na: b\n'],
    ['a chunk without a size', [CHUNKED], 'x\r\na: b\n'],
    ['a chunk longer than its size', [CHUNKED], '2\r\na: b\n\r\n0\r\n\r\n'],
    ['a size with 64 KB behind it', [CHUNKED], `5;${'x'.repeat(65_536)}\r\n`],
    ['more than they announced', [`Content-Length: ${ORDER.length}`], ORDER + ORDER],
  ] as const) {
    it(`who send ${name} are refused with a code`, async (t) => {
      const client = await connected(t, service)
      const received = answers(client, name === 'more than they announced' ? 2 : 1)
      client.write(head('POST /classify-stream', ...fields) + body)
      assert.match((await received).at(-1)!, /^HTTP\/1\.1 4\d\d .*"code":"[A-Z_]+"/s)
      client.destroy()
      await nothingLeft()
    })
  }

  async function nothingLeft(): Promise<void> {
    await eventually(async () => (await service.descriptors()) <= descriptors)
    // A file is closed before it is removed.
    await eventually(async () => (await service.temporaryFiles()).length === 0)
  }

  async function othersAreAnswered(): Promise<void> {
    for (const { status, body } of await askHonestly(service.port)) assert.equal(status, 200, body)
  }
})

/** Once those of the first requests are closed. */
async function settledDescriptors(service: ServiceProcess): Promise<number> {
  let count = await service.descriptors()
  for (let same = 0; same < 10; ) {
    // That nothing changes any more is seen by the clock alone.
    await sleep(20)
    const now = await service.descriptors()
    same = now === count ? same + 1 : 0
    count = now
  }
  return count
}
