import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MessageBody } from '../../admission/message-body.ts'
import { type Scanned, unscanned } from '../../scanner/clamd.ts'
import { Scanner } from '../../scanner/scanner.ts'

const MESSAGE: MessageBody = { kind: 'memory', bytes: new Uint8Array(1) }
const MINUTE_MS = 60_000

/** A scanner that gives `answers` one after the other, with a clock that stands still. */
function scanner(answers: readonly Scanned[]) {
  const log: object[] = []
  const clock = { now: 0 }
  let asked = 0
  const it = new Scanner({
    scan: async () => answers[asked++ % answers.length]!,
    log: { warn: (fields) => void log.push(fields) },
    now: () => clock.now,
  })
  return { it, log, clock, asked: () => asked }
}

describe('a scanner that is silent', () => {
  it('is given a rest of ten seconds after three messages', async () => {
    const { it: silent, clock, asked } = scanner([unscanned('NO_ANSWER')])
    for (let message = 0; message < 5; message += 1) await silent.scan(MESSAGE)
    assert.equal(asked(), 3)
    assert.deepEqual(silent.status(), { resting: true, lastFailure: 'NO_ANSWER' })
    assert.equal((await silent.scan(MESSAGE)).failure, 'NO_ANSWER')
    clock.now = 10_000
    assert.equal(silent.status().resting, false)
    await silent.scan(MESSAGE)
    assert.equal(asked(), 4)
  })
})

describe('a scanner that fails', () => {
  it('is asked about every message, and logged once a minute for each reason', async () => {
    const answers = [unscanned('UNREACHABLE', 'ECONNREFUSED'), unscanned('REFUSED')]
    const { it: failing, log, clock, asked } = scanner(answers)
    for (let message = 0; message < 6; message += 1) await failing.scan(MESSAGE)
    assert.equal(asked(), 6)
    assert.deepEqual(log, [{ reason: 'UNREACHABLE', cause: 'ECONNREFUSED' }, { reason: 'REFUSED' }])
    clock.now = MINUTE_MS
    await failing.scan(MESSAGE)
    assert.equal(log.length, 3)
  })
})
