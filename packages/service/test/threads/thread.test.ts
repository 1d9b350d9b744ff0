/** Calls of functions on another thread: what they give, how they fail, and what becomes of them when the thread ends. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { TamisError } from '../../../errors/errors.ts'
import { Thread } from '../../threads/thread.ts'
import type { Calls } from './called-thread.ts'

function threadFor(t: TestContext): Thread<Calls> {
  const thread = new Thread<Calls>({
    module: new URL('./called-thread.ts', import.meta.url),
    workerData: { limit: 7 },
    endedBy: (cause) => new Error('ended', { cause }),
  })
  t.after(() => thread.close())
  return thread
}

describe('Thread', () => {
  it('gives what the function gives', async (t) => {
    assert.equal(await threadFor(t).call('add', 1, 2), 3)
  })

  it('gives its module the data that it was made with', async (t) => {
    assert.deepEqual(await threadFor(t).call('given'), { limit: 7 })
  })

  it('has several calls under way, and says how many', async (t) => {
    const thread = threadFor(t)
    const answers: string[] = []
    const slow = thread.call('later', 'slow', 100).then((text) => answers.push(text))
    const quick = thread.call('later', 'quick', 1).then((text) => answers.push(text))
    assert.equal(thread.pending, 2)
    await Promise.all([slow, quick])
    assert.deepEqual(answers, ['quick', 'slow'])
    assert.equal(thread.pending, 0)
  })

  it('throws what the function throws: its code, its details and what caused it', async (t) => {
    const error = await threadFor(t)
      .call('refuse')
      .catch((thrown: unknown) => thrown)
    assert.ok(error instanceof TamisError)
    assert.deepEqual(
      [error.code, error.message, error.details, (error.cause as Error).message],
      ['QUEUE_FULL', 'No room', { queueDepth: 3 }, 'the disk'],
    )
  })

  it('throws a RangeError as one', async (t) => {
    await assert.rejects(threadFor(t).call('overrun'), RangeError)
  })

  it('fails all its calls when it ends, and starts anew with the next', async (t) => {
    const thread = threadFor(t)
    const waiting = assert.rejects(thread.call('later', 'never', 60_000), { message: 'ended' })
    await assert.rejects(thread.call('die'), { message: 'ended' })
    await waiting
    assert.equal(await thread.call('add', 1, 2), 3)
  })

  it('says what it ended by', async (t) => {
    const error = await threadFor(t)
      .call('fall')
      .catch(({ cause }: Error) => cause)
    assert.equal((error as Error).message, 'fallen')
  })

  it('can be ended from here, and starts anew', async (t) => {
    const thread = threadFor(t)
    const waiting = assert.rejects(thread.call('later', 'never', 60_000), { message: 'ended' })
    await thread.end()
    await waiting
    assert.equal(await thread.call('add', 1, 2), 3)
  })

  it('takes no call once it is closed', async (t) => {
    const thread = threadFor(t)
    await thread.close()
    await assert.rejects(thread.call('add', 1, 2), { message: 'ended' })
  })
})
