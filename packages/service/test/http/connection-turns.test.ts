/** Connections by name, an analyser that is as busy as a test says, and time that passes when it says so. */
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { TamisError } from '../../../errors/errors.ts'
import { ConnectionTurns } from '../../http/connection-turns.ts'

/** Between two rounds, in milliseconds. */
const ROUND_MS = 5

function turnsOf(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  const analyser = {
    depthInTurns: 500,
    roomInTurns: 0,
    refusal: () => (analyser.roomInTurns > 0 ? undefined : new TamisError('QUEUE_FULL', 'Full')),
  }
  const turns = new ConnectionTurns(() => analyser)
  const sockets: Socket[] = []
  /** Answers a request on each of `count` new connections. */
  const answer = (count: number) => {
    for (let i = 0; i < count; i++) {
      const socket = new Socket()
      sockets.push(socket)
      close(answered(turns, { socket, complete: true }))
    }
  }
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += ROUND_MS) {
      now += ROUND_MS
      t.mock.timers.tick(ROUND_MS)
    }
  }
  /** Which connections rest. */
  const resting = () => sockets.flatMap((socket, i) => (socket.isPaused() ? [i] : []))
  return { analyser, turns, answer, pass, resting, sockets }
}

/** The answer to `request`, after which its connection is to rest. */
function answered(turns: ConnectionTurns, request: object): EventEmitter {
  const response = new EventEmitter()
  turns.restAfter(request as IncomingMessage, response as ServerResponse)
  return response
}

function close(of: EventEmitter): void {
  of.emit('close')
}

describe('connections that take turns', () => {
  it('rest from their answer, until few requests wait, in the order of their answers', (t) => {
    const { analyser, answer, pass, resting } = turnsOf(t)
    answer(3)
    pass(50)
    assert.deepEqual(resting(), [0, 1, 2])
    Object.assign(analyser, { depthInTurns: 62, roomInTurns: 438 })
    pass(ROUND_MS)
    assert.deepEqual(resting(), [2])
    pass(ROUND_MS)
    assert.deepEqual(resting(), [])
  })

  it('are not read again for more requests than the queue takes', (t) => {
    const { analyser, answer, pass, resting } = turnsOf(t)
    answer(3)
    Object.assign(analyser, { depthInTurns: 3, roomInTurns: 1 })
    pass(ROUND_MS)
    assert.deepEqual(resting(), [1, 2])
  })

  it('rest for a quarter of a second if there is no room', (t) => {
    const { answer, pass, resting } = turnsOf(t)
    answer(2)
    pass(245)
    assert.deepEqual(resting(), [0, 1])
    pass(ROUND_MS)
    assert.deepEqual(resting(), [])
  })

  it('rest for longer the more they are, and for 1.5 s at most', (t) => {
    const { answer, pass, resting } = turnsOf(t)
    answer(2_000)
    pass(500)
    // As many as come to an end in a millisecond, from the shortest rest on.
    assert.deepEqual(resting()[0], 501)
    pass(995)
    assert.deepEqual(resting()[0], 1_496)
    pass(ROUND_MS)
    assert.deepEqual(resting(), [])
  })

  it('rest once, however many answers they get meanwhile', (t) => {
    const { turns, answer, pass, resting, sockets } = turnsOf(t)
    answer(1)
    pass(200)
    close(answered(turns, { socket: sockets[0], complete: true }))
    pass(50)
    assert.deepEqual(resting(), [])
  })

  it('rest when the body of a refused request has arrived whole', (t) => {
    const { turns } = turnsOf(t)
    const socket = new Socket()
    const request = Object.assign(new EventEmitter(), { socket, complete: false })
    close(answered(turns, request))
    assert.equal(socket.isPaused(), false)
    close(request)
    assert.equal(socket.isPaused(), true)
  })

  it('do not rest when they are closed', (t) => {
    const { turns } = turnsOf(t)
    const socket = new Socket().destroy()
    close(answered(turns, { socket, complete: true }))
    assert.equal(turns.areTaken && socket.isPaused(), false)
    const ending = new Socket().end()
    close(answered(turns, { socket: ending, complete: true }))
    assert.equal(ending.isPaused(), false)
  })

  it('are all read again at the end of the service, and none rests after that', (t) => {
    const { turns, answer, resting } = turnsOf(t)
    answer(3)
    turns.end()
    assert.deepEqual(resting(), [])
    answer(1)
    assert.deepEqual(resting(), [])
  })
})

describe('whether connections take turns', () => {
  it('depends on how many requests wait, and on whether others rest', (t) => {
    const { analyser, turns, answer, pass } = turnsOf(t)
    Object.assign(analyser, { depthInTurns: 63, roomInTurns: 437 })
    assert.equal(turns.areTaken, false)
    analyser.depthInTurns = 64
    assert.equal(turns.areTaken, true)
    answer(1)
    analyser.depthInTurns = 63
    assert.equal(turns.areTaken, true)
    pass(ROUND_MS)
    assert.equal(turns.areTaken, false)
  })
})

describe('requests that wait on connections that rest', () => {
  /** Seven connections that rest, after a hundred whose rest has ended: on so many of these was a request. */
  function sevenAfter(t: TestContext, asked: number, afterMs = 0) {
    const service = turnsOf(t)
    const { turns, answer, pass, sockets } = service
    answer(100)
    pass(250)
    pass(afterMs)
    for (const socket of sockets.slice(0, asked)) turns.asks(socket)
    answer(7)
    return service
  }

  it('are counted as the share of earlier connections on which a request was', (t) => {
    assert.equal(sevenAfter(t, 100).turns.waiting, 7)
  })

  it('are fewer where clients have gone, or have nothing to send', (t) => {
    assert.equal(sevenAfter(t, 50).turns.waiting, 4)
  })

  it('are none as long as nothing is known', (t) => {
    const { turns, answer } = turnsOf(t)
    answer(7)
    assert.equal(turns.waiting, 0)
  })

  it('may be read a little after', (t) => {
    assert.equal(sevenAfter(t, 100, 50).turns.waiting, 7)
  })

  it('are not such as came later', (t) => {
    assert.equal(sevenAfter(t, 100, 55).turns.waiting, 0)
  })

  it('are looked for on connections once', (t) => {
    const { turns, sockets } = sevenAfter(t, 50)
    for (const socket of sockets.slice(0, 50)) turns.asks(socket)
    assert.equal(turns.waiting, 4)
  })

  it('are counted by some hundred connections, the latest', (t) => {
    const { turns, answer, pass } = sevenAfter(t, 100)
    for (let i = 0; i < 10; i++) {
      answer(100)
      pass(350)
    }
    answer(7)
    assert.ok(turns.waiting <= 1)
  })

  it('count while the queue has enough to do, and not when it has not', (t) => {
    const { analyser, turns } = sevenAfter(t, 100)
    analyser.depthInTurns = 64
    assert.equal(turns.waiting, 7)
    analyser.depthInTurns = 63
    assert.equal(turns.waiting, 0)
  })

  it('fill the queue with those that are in it', (t) => {
    const { analyser, turns } = sevenAfter(t, 100)
    Object.assign(analyser, { depthInTurns: 64, roomInTurns: 8 })
    assert.equal(turns.refusal(), undefined)
    analyser.roomInTurns = 7
    const { code, details } = turns.refusal()!
    assert.deepEqual({ code, details }, { code: 'QUEUE_FULL', details: { queueDepth: 71 } })
    // When little waits in the queue itself, they are soon read again.
    analyser.depthInTurns = 63
    assert.equal(turns.refusal(), undefined)
  })

  it('leave the word to the queue when none rests', (t) => {
    const { turns } = turnsOf(t)
    assert.equal(turns.refusal()?.message, 'Full')
  })
})
