/**
 * The load generator: requests at a rate that does not depend on answers, or as fast as they are
 * answered, one at a time on each connection, as mail servers do. A request that finds no free connection
 * waits for one, and its time counts from when it was due. It is written on bare sockets, since a client
 * library would use more CPU than the service under test.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomSource } from '../../training/random.ts'

/** Four times as many as wait in the service at most (TAMIS_QUEUE_DEPTH): the others rest, or are refused. */
const CONNECTIONS = 4_000

/** Connections begun at once: fewer than the kernel lets wait for any server. */
const CONNECTING = 250

/** How long to wait after the last request is sent: a request not answered by then never will be. */
const PATIENCE_MS = 15_000

/** Time between two looks at the clock. */
const TICK_MS = 2

const SEED = 20_261_121

interface Loop {
  readonly port: number
  /** Whole requests, sent in turn. */
  readonly requests: readonly Buffer[]
  /** Position of the request that is sent first; 0 when absent. */
  readonly first?: number
  /** How answers are read; HTTP when absent. */
  readonly answers?: Answers
  readonly seconds: number
}

export interface OpenLoop extends Loop {
  /** Messages a second at exponential gaps. */
  readonly rate: number
  /** As many as overload needs when absent. */
  readonly connections?: number
}

export interface ClosedLoop extends Loop {
  /** Requests in flight at any time. */
  readonly connections: number
  /** Ends after so many, sooner than `seconds`. */
  readonly requestsMax?: number
}

/** What a server answers. */
export interface Answers {
  /** '200' for what was asked for, and what else there was; undefined while the answer is not all there. */
  readonly kindOf: (answer: Buffer) => string | undefined
  /** Whether a connection is for one request only. */
  readonly closes: boolean
}

/** What became of the requests of one kind: answered with a status, and for errors the code. */
export interface Outcomes extends Times {
  readonly count: number
  /** The same from when it was sent: without the wait for a connection that is free. */
  readonly fromSending: Times
}

/** From the moment when the request was due to the end of its answer, in milliseconds. */
export interface Times {
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

export interface LoopResult {
  readonly sent: number
  /** Outcomes by '200', '503 QUEUE_FULL' ... */
  readonly outcomes: Readonly<Record<string, Outcomes>>
  /** Requests whose connection broke before an answer, and that had none in the end. */
  readonly broken: number
  readonly unanswered: number
  /** Requests that were due but never sent: all connections were busy. */
  readonly unsent: number
  /** Time until the last request was sent. */
  readonly seconds: number
  /** Most connections that were busy at one time. */
  readonly connections: number
  /** How late the generator itself was, in milliseconds. */
  readonly ownLag: { readonly p99: number; readonly max: number }
  /** Cores that the generator used, on average until the last answer. */
  readonly ownCores: number
}

/** How many requests were answered as they ought to be. */
export function answered({ outcomes }: LoopResult): number {
  return outcomes['200']?.count ?? 0
}

/** The bytes of a request that brings `body`, a message unless `headers` say otherwise. */
export function requestOf(
  path: string,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Buffer {
  const all = { Host: 'localhost', 'Content-Type': 'message/rfc822', ...headers }
  const head = [
    `POST ${path} HTTP/1.1`,
    `Content-Length: ${body.length}`,
    ...Object.entries(all).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ]
  return Buffer.concat([Buffer.from(head.join('\r\n')), body])
}

export async function openLoop(loop: OpenLoop): Promise<LoopResult> {
  const { rate, seconds, connections = CONNECTIONS } = loop
  const generator = new Generator(loop)
  await generator.open(connections)
  const random = randomSource(SEED)
  const started = performance.now()
  const end = started + seconds * 1_000
  let due = started
  while (due < end) {
    for (; due <= performance.now() && due < end; due -= (Math.log(1 - random()) * 1_000) / rate) {
      generator.send(due)
    }
    await sleep(TICK_MS)
  }
  return await generator.result((performance.now() - started) / 1_000)
}

/** As fast as it is answered. */
export async function closedLoop(loop: ClosedLoop): Promise<LoopResult> {
  const generator = new Generator(loop)
  await generator.open(loop.connections)
  let left = loop.requestsMax ?? Number.POSITIVE_INFINITY
  const started = performance.now()
  const end = started + loop.seconds * 1_000
  const client = async () => {
    for (let now = started; now < end && left-- > 0; now = performance.now()) {
      await generator.ask(now)
    }
  }
  await Promise.all(Array.from({ length: loop.connections }, client))
  return await generator.result((performance.now() - started) / 1_000)
}

/** A client that asks one thing after the other, on one connection. */
export class OneAtATime {
  readonly #socket: Socket

  private constructor(socket: Socket) {
    this.#socket = socket
  }

  static async open(port: number): Promise<OneAtATime> {
    const socket = connect(port, '127.0.0.1').setNoDelay()
    await once(socket, 'connect')
    return new OneAtATime(socket)
  }

  /** @throws Error when the answer is not 200. */
  async ask(request: Buffer): Promise<void> {
    this.#socket.write(request)
    let answer = NOTHING
    let kind: string | undefined
    while (kind === undefined) {
      answer = Buffer.concat([answer, (await once(this.#socket, 'data'))[0]])
      kind = httpKindOf(answer)
    }
    if (kind !== '200') throw new Error(`The service answered ${kind}`)
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** A connection and the request that it is busy with. */
interface Line {
  readonly socket: Socket
  due: number
  sentAt: number
  answer: Buffer
  done: () => void
  isBusy: boolean
}

/** A request that is due and has no connection yet. */
interface Due {
  readonly due: number
  readonly done: () => void
}

class Generator {
  readonly #port: number
  readonly #requests: readonly Buffer[]
  readonly #answers: Answers
  /** Where in the requests the next one is. */
  #at: number
  readonly #idle: Line[] = []
  #waiting: Due[] = []
  /** How many of `#waiting` have gone: shifting an array of thousands takes longer than sending. */
  #gone = 0
  readonly #latencies = new Map<string, { fromDue: number[]; fromSending: number[] }>()
  readonly #lag = monitorEventLoopDelay({ resolution: 1 })
  #sent = 0
  #busy = 0
  #busyMax = 0
  #broken = 0
  #begun = 0
  #cpuBefore = process.cpuUsage()

  constructor({ port, requests, first = 0, answers = HTTP_ANSWERS }: Loop) {
    this.#port = port
    this.#requests = requests
    this.#answers = answers
    this.#at = first
  }

  async open(connections: number): Promise<void> {
    while (!this.#answers.closes && this.#idle.length < connections) {
      const count = Math.min(CONNECTING, connections - this.#idle.length)
      const lines = Array.from({ length: count }, () => this.#newLine())
      await Promise.all(lines.map(({ socket }) => once(socket, 'connect')))
      this.#idle.push(...lines)
    }
    this.#lag.enable()
    this.#begun = performance.now()
    this.#cpuBefore = process.cpuUsage()
  }

  /** Sends the next request, as soon as there is a connection; its time counts from `due`. */
  send(due: number, done: () => void = () => {}): void {
    this.#waiting.push({ due, done })
    this.#sendNext()
  }

  ask(due: number): Promise<void> {
    return new Promise((resolve) => this.send(due, resolve))
  }

  async result(seconds: number): Promise<LoopResult> {
    const unsent = this.#waiting.length - this.#gone
    this.#waiting = []
    this.#gone = 0
    const end = performance.now() + PATIENCE_MS
    while (this.#busy > 0 && performance.now() < end) await sleep(50)
    this.#lag.disable()
    const { user, system } = process.cpuUsage(this.#cpuBefore)
    const ownCores = (user + system) / 1_000 / (performance.now() - this.#begun)
    for (const { socket } of this.#idle) socket.destroy()
    const [p99, max] = [this.#lag.percentile(99), this.#lag.max].map((ns) => ns / 1e6)
    return {
      sent: this.#sent,
      outcomes: Object.fromEntries(
        [...this.#latencies].map(([kind, { fromDue, fromSending }]) => [
          kind,
          { count: fromDue.length, ...timesOf(fromDue), fromSending: timesOf(fromSending) },
        ]),
      ),
      broken: this.#broken,
      unanswered: this.#busy,
      unsent,
      seconds,
      connections: this.#busyMax,
      ownLag: { p99: p99!, max: max! },
      ownCores,
    }
  }

  #sendNext(): void {
    const next = this.#waiting[this.#gone]
    // The longest idle: one that is never used would be closed by the service after a while.
    const line = next && (this.#answers.closes ? this.#newLine() : this.#idle.shift())
    if (next === undefined || line === undefined) return
    this.#gone++
    if (this.#gone === this.#waiting.length) {
      this.#waiting = []
      this.#gone = 0
    }
    this.#sent++
    this.#busyMax = Math.max(this.#busyMax, ++this.#busy)
    line.due = next.due
    line.sentAt = performance.now()
    line.answer = NOTHING
    line.done = next.done
    line.isBusy = true
    line.socket.write(this.#requests[this.#at++ % this.#requests.length]!)
  }

  #newLine(): Line {
    const socket = connect(this.#port, '127.0.0.1').setNoDelay()
    const line: Line = { socket, due: 0, sentAt: 0, answer: NOTHING, done: () => {}, isBusy: false }
    socket.on('data', (bytes) => this.#receive(line, bytes))
    socket.on('error', () => {})
    socket.on('close', () => {
      const at = this.#idle.indexOf(line)
      if (at >= 0) this.#idle.splice(at, 1)
      if (!line.isBusy) return
      this.#busy--
      this.#broken++
      line.done()
    })
    return line
  }

  #receive(line: Line, bytes: Buffer): void {
    line.answer = line.answer.length === 0 ? bytes : Buffer.concat([line.answer, bytes])
    const kind = this.#answers.kindOf(line.answer)
    if (kind === undefined) return
    const latencies = this.#latencies.get(kind) ?? { fromDue: [], fromSending: [] }
    this.#latencies.set(kind, latencies)
    const now = performance.now()
    latencies.fromDue.push(now - line.due)
    latencies.fromSending.push(now - line.sentAt)
    this.#busy--
    line.isBusy = false
    if (this.#answers.closes) line.socket.destroy()
    else this.#idle.push(isLast(line.answer) ? this.#newLine() : line)
    line.done()
    this.#sendNext()
  }
}

const NOTHING = Buffer.alloc(0)

/** '200', '503 QUEUE_FULL'. */
const HTTP_ANSWERS: Answers = { kindOf: httpKindOf, closes: false }

/** HTTP with what a verdict has in its body; an answer without it has no kind of its own. */
export function verdictAnswers(verdict: RegExp, closes = false): Answers {
  const kindOf = (answer: Buffer) => {
    const kind = httpKindOf(answer)
    return kind === '200' && !verdict.test(answer.toString('latin1')) ? 'no verdict' : kind
  }
  return { kindOf, closes }
}

function httpKindOf(answer: Buffer): string | undefined {
  const headEnd = answer.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = answer.toString('latin1', 0, headEnd)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
  if (answer.length < headEnd + 4 + length) return undefined
  const status = head.slice(9, 12)
  if (status === '200') return status
  return `${status} ${/"code":"(\w+)"/.exec(answer.toString('latin1', headEnd))?.[1]}`
}

/** Whether the service closes the connection after `answer`: another process of it should have it. */
function isLast(answer: Buffer): boolean {
  return /\r\nconnection: close\r\n/i.test(
    answer.toString('latin1', 0, answer.indexOf('\r\n\r\n') + 2),
  )
}

function timesOf(latencies: number[]): Times {
  const sorted = Float64Array.from(latencies).sort()
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) }
}
