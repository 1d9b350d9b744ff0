import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TamisError } from '../../../errors/errors.ts'
import { within } from '../../processes/supervised-process.ts'
import { type Answer, type Call, Calls, type CallTable } from '../../threads/calls.ts'

/** No test makes three calls, each of which takes two messages: more than these would go on for ever. */
const MESSAGES_MAX = 6

/** One side of a channel, which copies what goes over it; the other has `functions`. */
function callsOf<Functions extends CallTable>(functions: Functions): Calls<Functions> {
  let messages = 0
  const carry = (message: Call | Answer, to: Calls<CallTable>) => {
    messages++
    if (messages <= MESSAGES_MAX) to.receive(structuredClone(message))
  }
  const here: Calls<Functions> = new Calls((message) => carry(message, there), {})
  const there: Calls<CallTable> = new Calls(
    (message) => carry(message, here as Calls<CallTable>),
    functions,
  )
  return here
}

/** A call whose answer is lost would wait for ever. */
const ENDS_WITHIN = { timeout: 30_000 }

describe('a call to another process', ENDS_WITHIN, () => {
  it('gives what the function gives there', async () => {
    const calls = callsOf({ add: (a: number, b: number) => a + b })
    assert.equal(await calls.call('add', 2, 3), 5)
  })

  it('throws the error of the function, with its code', async () => {
    const calls = callsOf({
      read: async () => {
        throw new TamisError('STORE_UNAVAILABLE', 'The store is not available')
      },
    })
    await assert.rejects(calls.call('read'), {
      name: 'TamisError',
      code: 'STORE_UNAVAILABLE',
      message: 'The store is not available',
    })
  })

  it('does not wait for an earlier one', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const calls = callsOf({ slow: () => promise, fast: () => 'fast' })
    const slow = calls.call('slow')
    assert.equal(await calls.call('fast'), 'fast')
    resolve('slow')
    assert.equal(await slow, 'slow')
  })

  it('fails when the process ends, and so does each later one', async () => {
    const calls = callsOf({ never: () => new Promise<void>(() => {}) })
    const never = calls.call('never')
    calls.end(new TamisError('NOT_READY', 'It has ended'))
    await assert.rejects(never, { code: 'NOT_READY' })
    await assert.rejects(calls.call('never'), { code: 'NOT_READY' })
  })

  it('may be one that nobody waits for, whose error goes nowhere', async () => {
    let told = 0
    const calls = callsOf({
      hear: async (count: number) => {
        told += count
        throw new Error('Nobody hears of this')
      },
    })
    calls.tell('hear', 2)
    calls.end(new TamisError('NOT_READY', 'It has ended'))
    calls.tell('hear', 3)
    await new Promise(setImmediate)
    assert.equal(told, 2)
  })
})

describe('within', ENDS_WITHIN, () => {
  it('gives what comes in time', async () => {
    assert.equal(await within(60_000, Promise.resolve('soon')), 'soon')
  })

  it('gives undefined for what does not, and says so', async () => {
    let late = false
    const never = new Promise<string>(() => {})
    const value = await within(1, never, () => {
      late = true
    })
    assert.deepEqual([value, late], [undefined, true])
  })

  it('throws what the promise throws', async () => {
    await assert.rejects(within(60_000, Promise.reject(new Error('broken'))), /broken/)
  })
})
