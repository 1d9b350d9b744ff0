import assert from 'node:assert/strict'
import { readSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, it, type TestContext } from 'node:test'
import type { MessageBody } from '../../src/admission/message-body.ts'
import { Receiver, type ReceiverSettings } from '../../src/admission/receive.ts'

const KIB = 1024

describe('Receiver', () => {
  it('keeps a body up to the limit for memory in memory, its length announced or not', async (t) => {
    const { receiver } = await open(t)
    const bytes = someBytes(10 * KIB)
    for (const declaredLength of [bytes.length, undefined]) {
      const content = await receiver.receive(
        chunked(bytes, 1_000),
        declaredLength,
        async (body) => {
          assert.equal(body.kind, 'memory')
          return contentOf(body)
        },
      )
      assert.deepEqual(content, bytes)
    }
  })

  it('puts a body one byte longer into a file, and removes the file afterwards', async (t) => {
    const { receiver, folder } = await open(t)
    const bytes = someBytes(10 * KIB + 1)
    for (const declaredLength of [bytes.length, undefined]) {
      const content = await receiver.receive(
        chunked(bytes, 1_000),
        declaredLength,
        async (body) => {
          assert.equal(body.kind, 'file')
          const [name] = await readdir(folder)
          assert.deepEqual(await readFile(join(folder, `${name}`)), bytes)
          return contentOf(body)
        },
      )
      assert.deepEqual(content, bytes)
      assert.deepEqual(await readdir(folder), [])
    }
  })

  it('hands over a body that is alone in its buffer', async (t) => {
    const { receiver } = await open(t)
    await receiver.receive(Readable.from([Buffer.from('Hello')]), undefined, async (body) => {
      assert.ok(body.kind === 'memory')
      structuredClone(body.bytes, { transfer: [body.bytes.buffer] })
      assert.equal(body.bytes.length, 0)
    })
    assert.equal(receiver.bufferedBytes, 0)
  })

  it('refuses an announced length over the limit before it reads anything', async (t) => {
    const { receiver } = await open(t)
    const stream = new PassThrough()
    stream.write('Hello')
    await assert.rejects(receiver.receive(stream, 20 * KIB + 1, neverUsed), {
      code: 'MESSAGE_TOO_LARGE',
    })
    assert.equal(stream.readableLength, 5)
    assert.equal(stream.destroyed, false)
  })

  it('refuses an unannounced length while it reads, and removes the file', async (t) => {
    const { receiver, folder } = await open(t)
    const endless = new Readable({ read: () => endless.push(someBytes(KIB)) })
    await assert.rejects(receiver.receive(endless, undefined, neverUsed), {
      code: 'MESSAGE_TOO_LARGE',
    })
    assert.equal(endless.destroyed, false)
    assert.deepEqual(await readdir(folder), [])
    endless.destroy()
  })

  it('takes the announced length from the budget before the body, and gives it back', async (t) => {
    const { receiver } = await open(t, { bufferBytes: 10 * KIB })
    const slow = new PassThrough()
    const first = receiver.receive(slow, 6 * KIB, async (body) => body.kind)
    assert.equal(receiver.bufferedBytes, 6 * KIB)
    await assert.rejects(receiver.receive(new PassThrough(), 5 * KIB, neverUsed), {
      code: 'BUFFERS_FULL',
    })
    slow.end(someBytes(6 * KIB))
    assert.equal(await first, 'memory')
    assert.equal(receiver.bufferedBytes, 0)
  })

  it('takes an unannounced length from the budget as it grows', async (t) => {
    const { receiver } = await open(t, { bufferBytes: 5 * KIB })
    await assert.rejects(receiver.receive(chunked(someBytes(6 * KIB), KIB), undefined, neverUsed), {
      code: 'BUFFERS_FULL',
    })
    assert.equal(receiver.bufferedBytes, 0)
  })

  it('needs no budget for a body in a file', async (t) => {
    const { receiver } = await open(t, { memoryBytesMax: 0, bufferBytes: 1 })
    const length = await receiver.receive(chunked(someBytes(KIB), 100), undefined, async (body) => {
      assert.equal(receiver.bufferedBytes, 0)
      return contentOf(body).length
    })
    assert.equal(length, KIB)
  })

  it('says when a body ends before its announced end, and leaves nothing behind', async (t) => {
    const { receiver, folder } = await open(t)
    for (const bytes of [5 * KIB, 15 * KIB]) {
      const stream = new PassThrough()
      const received = receiver.receive(stream, 16 * KIB, neverUsed)
      stream.write(someBytes(bytes))
      setTimeout(() => stream.destroy(new Error('aborted')), 20)
      await assert.rejects(received, { code: 'BODY_TRUNCATED' })
      assert.deepEqual(await readdir(folder), [])
      assert.equal(receiver.bufferedBytes, 0)
    }
  })

  it('leaves nothing behind when whoever uses the body fails', async (t) => {
    const { receiver, folder } = await open(t)
    const failing = receiver.receive(chunked(someBytes(15 * KIB), KIB), undefined, () =>
      Promise.reject(new Error('Broken')),
    )
    await assert.rejects(failing, { message: 'Broken' })
    assert.deepEqual(await readdir(folder), [])
  })

  it('does not read on while the disk is busy', async (t) => {
    const { receiver } = await open(t, { memoryBytesMax: 0, messageBytesMax: 64 * KIB * KIB })
    let reads = 0
    const stream = new Readable({
      highWaterMark: KIB,
      read: () => {
        reads++
        stream.push(reads > 1_000 ? null : someBytes(KIB))
      },
    })
    const received = receiver.receive(stream, undefined, async (body) => contentOf(body).length)
    await new Promise((resolve) => process.nextTick(resolve))
    assert.ok(reads < 10, `${reads} chunks were read ahead`)
    assert.equal(await received, 1_000 * KIB)
  })

  it('clears at its start what a crash left behind, and only that', async (t) => {
    const folder = await temporaryFolder(t)
    await writeFile(join(folder, 'left-behind.tamis.eml'), 'From: a@example.com')
    await writeFile(join(folder, 'README'), 'of somebody else')
    await Receiver.open({ ...settings, folder })
    assert.deepEqual(await readdir(folder), ['README'])
  })
})

const settings = { messageBytesMax: 20 * KIB, memoryBytesMax: 10 * KIB, bufferBytes: 1_000 * KIB }

async function open(
  t: TestContext,
  changes: Partial<ReceiverSettings> = {},
): Promise<{ receiver: Receiver; folder: string }> {
  const folder = await temporaryFolder(t)
  return { receiver: await Receiver.open({ ...settings, folder, ...changes }), folder }
}

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tamis-receive-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
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

const neverUsed = async () => assert.fail('The body was used')
