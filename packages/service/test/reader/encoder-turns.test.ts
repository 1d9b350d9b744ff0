/** Turns at an encoder that answers when the test says so, on a clock that the test sets. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { DIMENSIONS } from '../../../encoder/encoder.ts'
import type { TextRead } from '../../../encoder/open-encoder.ts'
import type { EncoderCalls } from '../../reader/encoder-thread.ts'
import { EncoderTurns } from '../../reader/encoder-turns.ts'

const READ: TextRead = { means: {}, pieces: 3 }
/** One window of three pieces; a text of two. */
const WINDOWS = [[0, 5, 2]]
const TWO_WINDOWS = [...WINDOWS, [0, 6, 2]]
const MEAN = new Float32Array(DIMENSIONS).fill(7)
/** What MEAN is as an embedding: of length 1. */
const EMBEDDING = MEAN.map(() => 1 / Math.sqrt(DIMENSIONS))

/** Pieces, and milliseconds until a reading is late. */
const MOST = 64
const DEADLINE_MS = 250

let now = 0

/** An encoder that says what it is asked, and answers in `answer`. */
function fakeEncoder() {
  const asked: string[] = []
  let pending: PromiseWithResolvers<unknown> | undefined
  const ask = (what: string) => {
    asked.push(what)
    pending = Promise.withResolvers<unknown>()
    return pending.promise as Promise<never>
  }
  const encoder: EncoderCalls = {
    read: (text) => ask(`read ${text}`),
    windows: (text) => ask(`cut ${text.slice(0, 9)}`),
    mean: (window) => ask(`embed ${window[1]}`),
    close: async () => void asked.push('close'),
  }
  const done = async (ms: number, settle: (pending: PromiseWithResolvers<unknown>) => void) => {
    now += ms
    mock.timers.tick(ms)
    settle(pending!)
    await settled()
  }
  return {
    encoder,
    /** What it was asked since the last call. */
    asked: () => asked.splice(0),
    /** Ends the call in progress after `ms`. */
    answer: (value: unknown, ms = 0) => done(ms, ({ resolve }) => resolve(value)),
    fail: (error: Error) => done(0, ({ reject }) => reject(error)),
  }
}

function open() {
  const fake = fakeEncoder()
  return { ...fake, turns: new EncoderTurns(fake.encoder) }
}

/** What a promise has come to so far. */
function outcome(promise: Promise<unknown>): () => unknown {
  let found: unknown = 'waits'
  promise.then(
    (value) => {
      found = value
    },
    (error) => {
      found = error.code ?? error.message
    },
  )
  return () => found
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

class ClientSocket extends EventEmitter {
  destroyed = false
  leave() {
    this.destroyed = true
    this.emit('close')
  }
}

describe('turns at the encoder', () => {
  beforeEach(() => {
    now = 0
    mock.timers.enable({ apis: ['setTimeout'] })
    mock.method(performance, 'now', () => now)
  })
  afterEach(() => mock.reset())

  it('does one thing at a time', async () => {
    const { turns, asked, answer } = open()
    const first = outcome(turns.read('a', MOST, DEADLINE_MS))
    const second = outcome(turns.read('b', MOST, DEADLINE_MS))
    assert.deepEqual(asked(), ['read a'])
    await answer(READ, 20)
    assert.deepEqual([first(), second()], [READ, 'waits'])
    assert.deepEqual(asked(), ['read b'])
    await answer(READ, 20)
    assert.equal(second(), READ)
  })

  it('drops a reading whose turn has not come by its deadline', async () => {
    const { turns, asked, answer } = open()
    const long = outcome(turns.embed('long text'))
    const reading = outcome(turns.read('a', MOST, DEADLINE_MS))
    mock.timers.tick(DEADLINE_MS - 1)
    await settled()
    assert.equal(reading(), 'waits')
    mock.timers.tick(1)
    await settled()
    assert.equal(reading(), 'late')
    await answer(WINDOWS)
    await answer(MEAN)
    assert.deepEqual(long(), EMBEDDING)
    assert.deepEqual(asked(), ['cut long text', 'embed 5'])
  })

  it('waits no longer than the deadline for a reading that takes too long, and goes on after it', async () => {
    const { turns, asked, answer } = open()
    const slow = outcome(turns.read('slow', MOST, DEADLINE_MS))
    mock.timers.tick(DEADLINE_MS)
    await settled()
    assert.equal(slow(), 'late')
    const next = outcome(turns.read('next', MOST, DEADLINE_MS))
    assert.deepEqual(asked(), ['read slow'])
    await answer(READ)
    assert.deepEqual(asked(), ['read next'])
    await answer(READ)
    assert.deepEqual([slow(), next()], ['late', READ])
  })

  it('lets readings come between the windows of a long text', async () => {
    const { turns, asked, answer } = open()
    const text = outcome(turns.embed('long text'))
    const reading = outcome(turns.read('a', MOST, DEADLINE_MS))
    await answer(TWO_WINDOWS, 1)
    assert.deepEqual(asked(), ['cut long text', 'read a'])
    await answer(READ, 20)
    assert.equal(reading(), READ)
    assert.deepEqual(asked(), ['embed 5'])
    await answer(MEAN, 40)
    assert.deepEqual(asked(), ['embed 6'])
    await answer(MEAN, 40)
    assert.deepEqual(text(), EMBEDDING)
  })

  it('goes round by caller: the windows of one delay another by one each', async () => {
    const { turns, asked, answer } = open()
    for (let n = 0; n < 3; n++) void turns.embed(`flood ${n}`, undefined, 'flooding')
    const other = outcome(turns.embed('other', undefined, 'other'))
    const third = outcome(turns.embed('third', undefined, 'third'))
    const answers = [WINDOWS, TWO_WINDOWS, WINDOWS, MEAN, MEAN, MEAN]
    for (const value of answers) await answer(value, 40)
    assert.deepEqual(asked(), [
      'cut flood 0',
      'cut other',
      'cut third',
      'embed 5',
      'embed 5',
      'embed 5',
      'cut flood 1',
    ])
    assert.equal(other(), 'waits')
    assert.deepEqual(third(), EMBEDDING)
    await answer(WINDOWS)
    assert.deepEqual(asked(), ['embed 6'])
    await answer(MEAN)
    assert.deepEqual(other(), EMBEDDING)
  })

  it('gives both kinds the same time while both wait', async () => {
    const { turns, asked, answer } = open()
    for (let n = 0; n < 4; n++) void turns.embed(`t${n}`)
    for (let n = 0; n < 30; n++) void turns.read(`r${n}`, MOST, 60_000)
    const order: string[] = []
    for (let call = 0; call < 24; call++) {
      const [what] = asked()
      order.push(what!.split(' ')[0]!)
      if (what!.startsWith('read')) await answer(READ, 20)
      else await answer(what!.startsWith('cut') ? WINDOWS : MEAN, what!.startsWith('cut') ? 0 : 100)
    }
    // Texts of 100 ms, and as much time for readings of 20. To cut a text takes none.
    assert.deepEqual(
      order.filter((what) => what !== 'cut').join(' '),
      `read ${Array(3).fill('embed read read read read read').join(' ')} embed`,
    )
  })

  it('has a lane that was empty wait for nothing that the other has had before', async () => {
    const { turns, asked, answer } = open()
    for (let n = 0; n < 3; n++) {
      void turns.read(`r${n}`, MOST, 60_000)
      await answer(READ, 1_000)
    }
    asked()
    for (let n = 0; n < 2; n++) void turns.embed(`t${n}`)
    void turns.read('after', MOST, 60_000)
    await answer(WINDOWS, 10)
    assert.deepEqual(asked(), ['cut t0', 'read after'])
  })

  it('lets no more than so many readings wait: the next is late at once', async () => {
    const { turns } = open()
    const all = Array.from({ length: 40 }, () => outcome(turns.read('a', MOST, DEADLINE_MS)))
    await settled()
    assert.equal(all.filter((each) => each() === 'waits').length, 33)
    assert.equal(all.filter((each) => each() === 'late').length, 7)
  })

  it('refuses texts when too many or too long ones wait, and takes others when they are done', async () => {
    const { turns, answer } = open()
    const long = 'x'.repeat(8_000)
    const embed = (text: string, n: number) => outcome(turns.embed(text, undefined, `caller ${n}`))
    const all = Array.from({ length: 26 }, (_, n) => embed(long, n))
    await settled()
    assert.equal(all[24]!(), 'waits')
    assert.equal(all[25]!(), 'QUEUE_FULL')
    for (let n = 0; n < 25; n++) await answer(WINDOWS)
    await answer(MEAN)
    const next = embed(long, 0)
    await settled()
    assert.equal(next(), 'waits')
    const short = open().turns
    const sentences = Array.from({ length: 1_001 }, (_, n) =>
      outcome(short.embed('hello', undefined, `caller ${n % 2}`)),
    )
    await settled()
    assert.equal(sentences[999]!(), 'waits')
    assert.equal(sentences[1_000]!(), 'QUEUE_FULL')
  })

  it('lets one caller have half of the texts that wait, so that another is not refused', async () => {
    const { turns } = open()
    const sentences = Array.from({ length: 501 }, () =>
      outcome(turns.embed('hello', undefined, 'one')),
    )
    const pages = Array.from({ length: 13 }, () =>
      outcome(turns.embed('x'.repeat(8_000), undefined, 'other')),
    )
    await settled()
    assert.deepEqual([sentences[499]!(), sentences[500]!()], ['waits', 'QUEUE_FULL'])
    assert.deepEqual([pages[11]!(), pages[12]!()], ['waits', 'QUEUE_FULL'])
  })

  it('fails the job in progress alone when the encoder fails, and does the next', async () => {
    const { turns, asked, answer, fail } = open()
    const first = outcome(turns.read('a', MOST, DEADLINE_MS))
    const second = outcome(turns.read('b', MOST, DEADLINE_MS))
    await fail(new Error('The thread ended'))
    assert.deepEqual([first(), second()], ['The thread ended', 'waits'])
    assert.equal(turns.isWorking, false)
    assert.deepEqual(asked(), ['read a', 'read b'])
    await answer(READ)
    assert.equal(second(), READ)
    assert.equal(turns.isWorking, true)
  })

  it('drops what waits for a client that has gone', async () => {
    const { turns, asked, answer } = open()
    const gone = new ClientSocket()
    void turns.embed('first')
    const reading = outcome(turns.read('a', MOST, DEADLINE_MS, gone))
    const text = outcome(turns.embed('second', gone))
    gone.leave()
    await settled()
    assert.deepEqual([reading(), text()], ['REQUEST_ABANDONED', 'REQUEST_ABANDONED'])
    assert.equal(gone.listenerCount('close'), 0)
    await answer(WINDOWS)
    await answer(MEAN)
    assert.deepEqual(asked(), ['cut first', 'embed 5'])
    const late = outcome(turns.read('b', MOST, DEADLINE_MS, gone))
    await settled()
    assert.equal(late(), 'REQUEST_ABANDONED')
    assert.deepEqual(asked(), [])
  })

  it('leaves a text half done when its client goes, and begins the next', async () => {
    const { turns, asked, answer } = open()
    const gone = new ClientSocket()
    const long = outcome(turns.embed('long text', gone))
    void turns.embed('next')
    gone.leave()
    await answer(TWO_WINDOWS)
    assert.equal(long(), 'REQUEST_ABANDONED')
    assert.deepEqual(asked(), ['cut long text', 'cut next'])
  })

  it('fails what waits when it closes, and accepts nothing more', async () => {
    const { turns, asked } = open()
    const all = [turns.read('a', MOST, DEADLINE_MS), turns.embed('b')].map(outcome)
    await turns.close()
    const after = [turns.read('c', MOST, DEADLINE_MS), turns.embed('d')].map(outcome)
    await settled()
    assert.deepEqual(
      [...all, ...after].map((each) => each()),
      Array(4).fill('SHUTTING_DOWN'),
    )
    assert.deepEqual(asked(), ['read a', 'close'])
  })
})
