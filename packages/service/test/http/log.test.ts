import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LogLines, openLog } from '../../http/log.ts'

describe('the log', () => {
  it('keeps of an error its type, message, stack and code, and nothing that was given to it', () => {
    const lines: string[] = []
    const log = openLog({ write: (line) => void lines.push(line) }, 'info')
    const cause = new Error('of a message')
    const error = Object.assign(new TypeError('No', { cause }), { code: 'E', text: 'of a message' })
    log.error({ err: error }, 'Failed')
    log.error(error)
    const { stack } = error
    const err = { type: 'TypeError', message: 'No', stack, code: 'E' }
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)).map(({ err, msg }) => ({ err, msg })),
      [
        { err, msg: 'Failed' },
        { err, msg: 'No' },
      ],
    )
  })
})

describe('LogLines', () => {
  it('writes lines together, in order, after a moment', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { lines, written } = openLines()
    lines.write('a\n')
    lines.write('b\n')
    assert.deepEqual(written, [])
    t.mock.timers.tick(199)
    assert.deepEqual(written, [])
    t.mock.timers.tick(1)
    assert.deepEqual(written, ['a\nb\n'])
  })

  it('writes whole lines, at most 4,096 bytes at once, and does not wait when there are more', () => {
    const { lines, written } = openLines()
    const line = `${'ä'.repeat(50)}\n`
    for (let i = 0; i < 1_000; i++) lines.write(line)
    assert.deepEqual(written, Array(24).fill(line.repeat(40)))
    lines.flush()
    assert.equal(written.join(''), line.repeat(1_000))
  })

  it('writes a line that is longer alone', () => {
    const { lines, written } = openLines()
    const long = `${'a'.repeat(5_000)}\n`
    for (const line of ['a\n', long, 'b\n', 'c\n']) lines.write(line)
    lines.flush()
    assert.deepEqual(written, ['a\n', long, 'b\nc\n'])
  })
})

function openLines(): { lines: LogLines; written: string[] } {
  const written: string[] = []
  return { lines: new LogLines({ write: (text) => void written.push(text) }), written }
}
