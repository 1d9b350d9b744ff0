import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { ChunkPace } from '../../admission/chunk-pace.ts'

describe('ChunkPace', () => {
  it('takes ten thousand chunks of a byte, and refuses when many more come', () => {
    const pace = new ChunkPace(undefined)
    let taken = 0
    while (pace.take(1)) taken++
    assert.equal(taken, 10_158)
  })

  it('reads no more after 256 chunks until others have had their turn', async () => {
    const calls: string[] = []
    const socket = { pause: () => calls.push('pause'), resume: () => calls.push('resume') }
    const pace = new ChunkPace(socket as unknown as Socket)
    for (let chunks = 0; chunks < 255; chunks++) pace.take(64)
    assert.deepEqual(calls, [])
    for (let chunks = 0; chunks < 1_000; chunks++) pace.take(64)
    assert.deepEqual(calls, ['pause'])
    await turn()
    assert.deepEqual(calls, ['pause', 'resume'])
  })
})
