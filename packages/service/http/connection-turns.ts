/**
 * Connections take turns while more is sent than the service can judge: once one has its answer, nothing is read
 * from it until few requests wait, or for a moment at most. They are read again in the order of their answers.
 *
 * Without turns, whoever asks soonest after a verdict gets the next one too, and a client that asks again at once,
 * whatever Retry-After says, is refused thousands of times a second. Besides, a request that waits in the kernel is no
 * object yet: with 500 of them, which live through collections, a message took a third more CPU time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { TamisError } from '../../errors/errors.ts'
import type { Analyser } from '../admission/analyser.ts'
import { queueFull } from '../admission/queue.ts'

/** From how many waiting requests on connections rest: work for more than a round, of small messages too. */
const BUSY_DEPTH = 64

/** Time between two rounds in which connections are read again, in milliseconds. */
const ROUND_MS = 5

/** The shortest rest, in milliseconds, while the queue is full. A mail server that keeps sending on one connection can wait as long. */
const REST_MS_MIN = 250

/**
 * The longest, in milliseconds. A refusal costs a sixth of a verdict, and clients ask again after each: with 4,000 connections 87 %
 * of the capacity are left for verdicts, and 68 % with 800. A refusal then comes 0.6 s later, the median verdict 0.7 s later, and 99 in
 * 100 verdicts 0.1 s sooner (docs/decisions/0011-speed.md).
 */
const REST_MS_MAX = 1_500

/** How soon after a rest a request has been there before its end, in milliseconds: reading it may have to wait for a large message. */
const ASKED_WITHIN_MS = 50

/** How many ends of rests are looked back on, at most. */
const LOOKED_BACK_ON_MAX = 256

/** Connections whose rest ends in a millisecond while the queue is full: at 50 us for each refusal they take a twentieth of the thread. */
const REFUSALS_PER_MS = 1

export class ConnectionTurns {
  readonly #analyser: () => Pick<Analyser, 'depthInTurns' | 'roomInTurns' | 'refusal'>
  /** Connections that rest, in the order of their turns, and until when at most on the clock of `performance.now`. */
  readonly #resting = new Map<Socket, number>()
  /** When the rest of a connection ended that has sent nothing since. */
  readonly #endOfRest = new WeakMap<Socket, number>()
  /** Latest ends of rests, and how many of them found a request. The other connections are kept for later, or their clients have gone. */
  #ends = 0
  #asked = 0
  #timer: NodeJS.Timeout | undefined
  #ended = false

  constructor(analyser: () => Pick<Analyser, 'depthInTurns' | 'roomInTurns' | 'refusal'>) {
    this.#analyser = analyser
  }

  /** How many requests wait on connections that rest, as far as can be told without reading them. */
  get waiting(): number {
    return this.#isBusy() ? Math.round(this.#resting.size * this.#askingShare()) : 0
  }

  /** Why a request with a body of `bytes` is refused now; undefined while there is room for it besides those that wait. */
  refusal(bytes = 0): TamisError | undefined {
    const { waiting } = this
    const analyser = this.#analyser()
    if (waiting === 0 || waiting < analyser.roomInTurns) return analyser.refusal(bytes)
    return queueFull(analyser.depthInTurns + waiting)
  }

  /** A request has come on `socket`. */
  asks(socket: Socket): void {
    const end = this.#endOfRest.get(socket)
    if (end === undefined) return
    this.#endOfRest.delete(socket)
    if (performance.now() - end <= ASKED_WITHIN_MS) this.#asked++
  }

  /** Lets the connection of `request` rest once that has arrived whole and is answered by `response`. */
  restAfter(request: IncomingMessage, response: ServerResponse): void {
    response.once('close', () => {
      // The rest of a body whose request was refused is read first (discard-rest.ts).
      if (request.complete) this.#rest(request.socket)
      else request.once('close', () => this.#rest(request.socket))
    })
  }

  /** Whether connections are to rest after their answers. */
  get areTaken(): boolean {
    return this.#resting.size > 0 || this.#isBusy()
  }

  /** Whether nothing is read from `socket` now. */
  rests(socket: Socket): boolean {
    return this.#resting.has(socket)
  }

  /** All are read again, and from now on none rests. */
  end(): void {
    this.#ended = true
    for (const socket of this.#resting.keys()) socket.resume()
    this.#resting.clear()
    clearInterval(this.#timer)
  }

  #isBusy(): boolean {
    return this.#analyser().depthInTurns >= BUSY_DEPTH
  }

  #rest(socket: Socket): void {
    if (this.#ended || socket.destroyed || socket.writableEnded || this.#resting.has(socket)) return
    socket.pause()
    const restMs = Math.max(REST_MS_MIN, this.#resting.size / REFUSALS_PER_MS)
    this.#resting.set(socket, performance.now() + Math.min(restMs, REST_MS_MAX))
    this.#timer ??= setInterval(() => this.#nextRound(), ROUND_MS)
  }

  #nextRound(): void {
    const { depthInTurns, roomInTurns } = this.#analyser()
    let places = Math.min(BUSY_DEPTH - depthInTurns, roomInTurns)
    const now = performance.now()
    for (const [socket, until] of this.#resting) {
      if (places-- <= 0 && until > now) break
      this.#wake(socket)
    }
    if (this.#resting.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #wake(socket: Socket): void {
    this.#resting.delete(socket)
    this.#endOfRest.set(socket, performance.now())
    socket.resume()
    this.#ends++
    if (this.#ends <= LOOKED_BACK_ON_MAX) return
    this.#ends /= 2
    this.#asked /= 2
  }

  #askingShare(): number {
    return this.#ends === 0 ? 0 : Math.min(1, this.#asked / this.#ends)
  }
}
