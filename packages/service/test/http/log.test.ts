import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { describe, it } from 'node:test'
import { openLog } from '../../http/log.ts'

function open() {
  const lines: string[] = []
  return { lines, log: openLog({ write: (line) => void lines.push(line) }, 'info') }
}

describe('the log', () => {
  it('writes level, time, process, the fields in their order, and the message', () => {
    const { lines, log } = open()
    log.child({ reqId: '1' }).info({ route: '/x', none: undefined, list: [1] }, 'request')
    const [line = ''] = lines
    assert.equal(
      line.replace(/"time":\d{13},/, '"time":0,'),
      `{"level":30,"time":0,"pid":${process.pid},"hostname":"${hostname()}","reqId":"1","route":"/x","list":[1],"msg":"request"}\n`,
    )
  })

  it('keeps of an error its type, message, stack and code, and nothing that was given to it', () => {
    const { lines, log } = open()
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

  it('has no line below its level, which can change', () => {
    const { lines, log } = open()
    log.debug({}, 'no')
    log.level = 'error'
    log.warn({}, 'no')
    log.error({}, 'yes')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).msg),
      ['yes'],
    )
  })
})
