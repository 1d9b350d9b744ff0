import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { discardRest } from '../../http/discard-rest.ts'

describe('discardRest', () => {
  it('cuts a body that goes on byte by byte, whoever sent it', async () => {
    const request = new PassThrough()
    discardRest(request as unknown as IncomingMessage)
    for (let chunks = 0; chunks < 10_158; chunks++) request.write('a')
    await turn()
    assert.equal(request.destroyed, false)
    request.write('a')
    await turn()
    assert.equal(request.destroyed, true)
  })

  it('reads a body in larger pieces to its end', async () => {
    const request = new PassThrough()
    discardRest(request as unknown as IncomingMessage)
    for (let chunks = 0; chunks < 20_000; chunks++) request.write(Buffer.alloc(64))
    request.end()
    await turn()
    assert.equal(request.readableEnded, true)
  })
})
