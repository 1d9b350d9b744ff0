import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { Receiver } from '../../admission/receive.ts'
import { type Config, readConfig } from '../../config.ts'
import { shareOf } from '../../siblings/share-of.ts'

const KIB = 1024
const MIB = 1024 * KIB

const DEFAULTS = readConfig({}, () => '{}')

describe('shareOf', () => {
  it('is the whole for the only process', () => {
    assert.deepEqual(shareOf(DEFAULTS, 1), DEFAULTS)
  })

  it('divides the queue, the buffers and the cache of users, and nothing else', () => {
    assert.deepEqual(shareOf(DEFAULTS, 4), {
      ...DEFAULTS,
      queueDepth: 250,
      bufferBytes: 64 * MIB,
      userCacheBytes: 16 * MIB,
    })
    assert.equal(sharesOf({ queueDepth: 1_000 }, 3).queueDepth, 333)
  })

  it('leaves each process room for one request, unless none is to wait', () => {
    assert.equal(sharesOf({ queueDepth: 3 }, 4).queueDepth, 1)
    assert.equal(sharesOf({ queueDepth: 0 }, 4).queueDepth, 0)
  })

  it('leaves each process room for a message of the largest size in memory', () => {
    const memoryBytesMax = 10 * MIB
    const bufferBytes = 256 * MIB
    // Half of it is for one client, and a request takes 32 KiB besides its body.
    const { bufferBytes: least } = sharesOf({ memoryBytesMax, bufferBytes }, 64)
    assert.equal(least, 20 * MIB + 64 * KIB)
    assert.equal(sharesOf({ memoryBytesMax, bufferBytes: MIB }, 64).bufferBytes, MIB)
  })

  it('leaves room for that message whether its length is announced or not', async () => {
    const { memoryBytesMax, bufferBytes, messageBytesMax } = sharesOf({ memoryBytesMax: MIB }, 256)
    assert.equal(bufferBytes, 2 * MIB + 64 * KIB)
    const folder = temporaryFolder()
    const receiver = await Receiver.open({ memoryBytesMax, bufferBytes, messageBytesMax, folder })
    for (const declaredLength of [MIB, undefined]) {
      const stream = Readable.from(Array(16).fill(Buffer.alloc(64 * KIB)), { objectMode: false })
      await using body = await receiver.receive({ stream, declaredLength, client: 'mail host' })
      assert.equal(body.kind, 'memory')
    }
  })

  it('leaves each process the smallest cache of users that can be set', () => {
    assert.equal(sharesOf({ userCacheBytes: 64 * MIB }, 256).userCacheBytes, MIB)
  })
})

function sharesOf(changes: Partial<Config>, count: number): Config {
  return shareOf({ ...DEFAULTS, ...changes }, count)
}
