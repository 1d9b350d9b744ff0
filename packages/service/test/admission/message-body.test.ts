import assert from 'node:assert/strict'
import { closeSync, openSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import fc from 'fast-check'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { memoryOctets, type Octets } from '../../../mail/message/octets.ts'
import { fileOctets } from '../../admission/message-body.ts'

const WINDOW_BYTES = 256 * 1024

describe('fileOctets', () => {
  it('reads and finds the same as a message in memory does', (t) => {
    const content = Buffer.alloc(1_000_000, 'abcdefghijk')
    content.write('needle', 700_000)
    const { octets } = open(t, content)
    const inMemory = memoryOctets(content)
    const offset = fc.nat({ max: content.length })
    fc.assert(
      fc.property(offset, offset, fc.constantFrom('needle', 'kab', '\r\n', 'j'), (a, b, needle) => {
        const [start, end] = a < b ? [a, b] : [b, a]
        assert.equal(octets.length, inMemory.length)
        assert.ok(octets.slice(start, end).equals(inMemory.slice(start, end)))
        assert.equal(octets.indexOf(needle, start, end), inMemory.indexOf(needle, start, end))
      }),
      { numRuns: 200 },
    )
  })

  it('finds a needle that lies across the end of a window', (t) => {
    for (const split of [1, 2, 3]) {
      const content = Buffer.alloc(2 * WINDOW_BYTES, '-')
      content.write('needle', WINDOW_BYTES - split)
      const { octets } = open(t, content)
      assert.equal(octets.indexOf('needle', 0, content.length), WINDOW_BYTES - split)
    }
  })

  it('gives zeros where the file has become shorter', (t) => {
    const { octets, path } = open(t, Buffer.from('From: a@example.com'))
    truncateSync(path, 4)
    assert.equal(octets.slice(0, 6).toString(), 'From\0\0')
  })
})

function open(t: TestContext, content: Buffer): { octets: Octets; path: string } {
  const folder = temporaryFolder()
  const path = join(folder, 'message.eml')
  writeFileSync(path, content)
  const descriptor = openSync(path, 'r')
  t.after(() => closeSync(descriptor))
  return { octets: fileOctets(descriptor, content.length), path }
}
