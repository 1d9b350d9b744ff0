/** A message that a milter collects. */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, it } from 'node:test'
import { ByteBudget } from '../../../admission/byte-budget.ts'
import { CollectedMessage } from '../../../integrations/milter/collected-message.ts'

describe('a collected message in a file', () => {
  it('is whole for a second reader after the first has gone away in the middle', async (t) => {
    const message = new CollectedMessage({
      messageBytesMax: 1_000_000,
      memoryBytesMax: 1_000,
      budget: new ByteBudget(1_000_000),
      folder: tmpdir(),
    })
    t.after(() => message.release())
    await message.add(Buffer.alloc(300_000, 'a'))
    const first = (message.body() as ReadableStream<Uint8Array>).getReader()
    await first.read()
    await first.cancel()
    const second = await new Response(message.body()).text()
    assert.equal(second, 'a'.repeat(300_000))
  })
})
