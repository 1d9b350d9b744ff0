/** Codes, statuses and documentation in step: errors/errors.ts, docs/errors.md; and how errors are answered. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { ERRORS, type ErrorCode, TamisError } from '../../errors/errors.ts'
import { asTamisError, errorAnswer } from '../http/error-handler.ts'

const documented = new Map(
  [
    ...readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8').matchAll(
      /^\| `([A-Z_]+)` \| (\d+) \|/gm,
    ),
  ].map(([, code, status]) => [code, Number(status)]),
)

describe('error codes', () => {
  it('have each a row in docs/errors.md, with the status they are answered with', () => {
    const answered = Object.entries(ERRORS).map(([code, { status }]) => [code, status])
    assert.deepEqual(Object.fromEntries(documented), Object.fromEntries(answered))
  })
})

describe('errorAnswer', () => {
  it('gives the code, the text and the details', () => {
    const error = new TamisError('QUEUE_FULL', 'Full', { details: { queueDepth: 7 } })
    assert.deepEqual(errorAnswer(error), {
      status: 503,
      headers: { 'x-content-type-options': 'nosniff', 'retry-after': '1' },
      body: { error: 'Full', code: 'QUEUE_FULL', queueDepth: 7 },
    })
  })

  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    if (ERRORS[code].status !== 500) continue
    it(`says nothing of what is behind ${code}`, () => {
      const error = new TamisError(code, '/home/secret', { details: { path: '/home/secret' } })
      assert.deepEqual(errorAnswer(error).body, {
        error: 'A bug in Tamis. The log has the cause.',
        code: 'INTERNAL',
      })
    })
  }
})

describe('asTamisError', () => {
  it('makes any error that is not known an internal one, and keeps it as the cause', () => {
    const cause = new RangeError('Out of it')
    const error = asTamisError(cause)
    assert.equal(error.code, 'INTERNAL')
    assert.equal(error.cause, cause)
  })

  it('makes what Fastify refuses the request for a code of ours', () => {
    const refusal = Object.assign(new Error('x'), { code: 'FST_ERR_SOMETHING', statusCode: 400 })
    assert.equal(asTamisError(refusal).code, 'REQUEST_MALFORMED')
  })
})
