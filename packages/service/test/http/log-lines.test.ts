import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LogLines } from '../../http/log-lines.ts'

describe('LogLines', () => {
  it('writes lines together, in order, after a moment', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { lines, written } = open()
    lines.write('a\n')
    lines.write('b\n')
    assert.deepEqual(written, [])
    t.mock.timers.tick(199)
    assert.deepEqual(written, [])
    t.mock.timers.tick(1)
    assert.deepEqual(written, ['a\nb\n'])
  })

  it('does not wait when there is much to write', () => {
    const { lines, written } = open()
    const line = `${'a'.repeat(99)}\n`
    for (let i = 0; i < 1_000; i++) lines.write(line)
    assert.equal(written.length, 1)
  })

  it('writes what is left when it is told to', () => {
    const { lines, written } = open()
    lines.write('a\n')
    lines.flush()
    lines.flush()
    assert.deepEqual(written, ['a\n'])
  })
})

function open(): { lines: LogLines; written: string[] } {
  const written: string[] = []
  return { lines: new LogLines({ write: (text) => void written.push(text) }), written }
}
