import assert from 'node:assert/strict'
import { readSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { PassThrough, Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { AdmissionMemory } from '../../admission/admission-memory.ts'
import type { MessageBody } from '../../admission/message-body.ts'
import {
  type Arriving,
  REQUEST_BYTES,
  Receiver,
  type ReceiverSettings,
} from '../../admission/receive.ts'
import { ALONE_SHARED } from '../../threads/shared.ts'
import { filesOf } from '../helpers/open-files.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** What `use` makes of the body of `arriving`, which is given back when that is done. */
async function receiveFor<T>(
  receiver: Receiver,
  arriving: Arriving,
  use: (body: MessageBody) => Promise<T>,
): Promise<T> {
  await using body = await receiver.receive(arriving)
  return await use(body)
}

describe('Receiver', () => {
  it('keeps a body up to the limit for memory in memory, its length announced or not', async () => {
    const { receiver } = await open()
    const bytes = someBytes(10 * KIB)
    for (const declaredLength of [bytes.length, undefined]) {
      const content = await receiveFor(
        receiver,
        from(chunked(bytes, 1_000), declaredLength),
        async (body) => {
          assert.equal(body.kind, 'memory')
          return contentOf(body)
        },
      )
      assert.deepEqual(content, bytes)
    }
  })

  it('puts a body one byte longer into a file that has no name', async () => {
    const { receiver, folder } = await open()
    const bytes = someBytes(10 * KIB + 1)
    for (const declaredLength of [bytes.length, undefined]) {
      const content = await receiveFor(
        receiver,
        from(chunked(bytes, 1_000), declaredLength),
        async (body) => {
          assert.equal(body.kind, 'file')
          assert.deepEqual(await readdir(folder), [])
          assert.equal((await filesOf(folder)).length, 1)
          return contentOf(body)
        },
      )
      assert.deepEqual(content, bytes)
      assert.deepEqual(await filesOf(folder), [])
    }
  })

  it('refuses an announced length over the limit before it reads anything', async () => {
    const { receiver } = await open()
    const stream = new PassThrough()
    stream.write('Hello')
    await assert.rejects(receiveFor(receiver, from(stream, 20 * KIB + 1), neverUsed), {
      code: 'MESSAGE_TOO_LARGE',
    })
    assert.equal(stream.readableLength, 5)
    assert.equal(stream.destroyed, false)
  })

  it('refuses an unannounced length while it reads, and removes the file', async () => {
    const { receiver, folder } = await open()
    const endless = new Readable({ read: () => endless.push(someBytes(KIB)) })
    await assert.rejects(receiveFor(receiver, from(endless), neverUsed), {
      code: 'MESSAGE_TOO_LARGE',
    })
    assert.equal(endless.destroyed, false)
    assert.deepEqual(await filesOf(folder), [])
    endless.destroy()
  })

  it('takes from the budget what has arrived, and nothing for what is announced', async () => {
    const { receiver } = await open({ bufferBytes: MIB })
    const slow = new PassThrough()
    const first = receiveFor(receiver, from(slow, 10 * KIB), async (body) => body.kind)
    assert.equal(receiver.bufferedBytes, REQUEST_BYTES)
    slow.write(someBytes(3 * KIB))
    await turn()
    assert.equal(receiver.bufferedBytes, REQUEST_BYTES + 4 * KIB)
    slow.write(someBytes(6 * KIB))
    await turn()
    assert.equal(receiver.bufferedBytes, REQUEST_BYTES + 9 * KIB)
    slow.end(someBytes(KIB))
    assert.equal(await first, 'memory')
    assert.equal(receiver.bufferedBytes, 0)
  })

  it('refuses before it reads anything what has no room as things stand', async () => {
    const { receiver } = await open({ bufferBytes: 2 * REQUEST_BYTES + 15 * KIB })
    const slow = new PassThrough()
    const first = receiveFor(receiver, from(slow), async (body) => body.kind)
    slow.write(someBytes(10 * KIB))
    await turn()
    const second = new PassThrough()
    await assert.rejects(receiveFor(receiver, from(second, 5 * KIB + 1), neverUsed), {
      code: 'BUFFERS_FULL',
    })
    assert.equal(second.listenerCount('data'), 0)
    const fits = receiveFor(
      receiver,
      from(chunked(someBytes(5 * KIB), KIB), 5 * KIB),
      async () => 'ok',
    )
    assert.equal(await fits, 'ok')
    slow.end()
    assert.equal(await first, 'memory')
    assert.equal(receiver.bufferedBytes, 0)
  })

  it('refuses what turns out to have no room, and takes nothing more of it', async () => {
    const { receiver } = await open({ bufferBytes: REQUEST_BYTES + 5 * KIB })
    await assert.rejects(receiveFor(receiver, from(chunked(someBytes(6 * KIB), KIB)), neverUsed), {
      code: 'BUFFERS_FULL',
    })
    assert.equal(receiver.bufferedBytes, 0)
  })

  it('counts each request beside its body, so that clients who send a byte each come to an end', async () => {
    const { receiver } = await open({ bufferBytes: 50 * REQUEST_BYTES })
    const slow = Array.from({ length: 60 }, () => new PassThrough())
    const held = slow.map((stream) =>
      receiveFor(receiver, from(stream), async () => 'taken').catch(({ code }) => code),
    )
    const refused = await Promise.all(held.slice(50))
    assert.deepEqual(new Set(refused), new Set(['BUFFERS_FULL']))
    assert.equal(receiver.bufferedBytes, 50 * REQUEST_BYTES)
    for (const stream of slow) stream.destroy()
    await Promise.all(held)
    assert.equal(receiver.bufferedBytes, 0)
  })

  it('says when a body ends before its announced end, and leaves nothing behind', async () => {
    const { receiver, folder } = await open()
    for (const bytes of [5 * KIB, 15 * KIB]) {
      const stream = new PassThrough()
      const received = receiveFor(receiver, from(stream, 16 * KIB), neverUsed)
      stream.write(someBytes(bytes))
      setTimeout(() => stream.destroy(new Error('aborted')), 20)
      await assert.rejects(received, { code: 'BODY_TRUNCATED' })
      assert.deepEqual(await filesOf(folder), [])
      assert.equal(receiver.bufferedBytes, 0)
    }
  })
})

const settings = { messageBytesMax: 20 * KIB, memoryBytesMax: 10 * KIB, bufferBytes: MIB }

async function open(
  changes: Partial<ReceiverSettings> = {},
): Promise<{ receiver: Receiver; folder: string }> {
  const folder = temporaryFolder()
  const memory = await AdmissionMemory.open(ALONE_SHARED)
  return { receiver: await Receiver.open({ ...settings, folder, memory, ...changes }), folder }
}

function someBytes(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => index % 251))
}

function chunked(bytes: Buffer, chunkBytes: number): Readable {
  const starts = Array.from(
    { length: Math.ceil(bytes.length / chunkBytes) },
    (_, i) => i * chunkBytes,
  )
  return Readable.from(starts.map((start) => bytes.subarray(start, start + chunkBytes)))
}

function contentOf(body: MessageBody): Buffer {
  if (body.kind === 'memory') return Buffer.from(body.bytes)
  const content = Buffer.alloc(body.length)
  readSync(body.descriptor, content, 0, body.length, 0)
  return content
}

function from(stream: Readable, declaredLength?: number): Arriving {
  return { stream, declaredLength }
}

const neverUsed = async () => assert.fail('The body was used')
