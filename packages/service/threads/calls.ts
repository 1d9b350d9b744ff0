/**
 * Calls between two threads or processes, both ways: each side has functions that the other calls by
 * name. There is one typed call, and one way in which errors come back; several may be in progress.
 */
import { type MessagePort, parentPort } from 'node:worker_threads'
import { type ErrorCode, TamisError } from '../../errors/errors.ts'

/** Functions that the other side calls; their arguments and results come by structured clone. */
// biome-ignore lint/suspicious/noExplicitAny: `Calls.call` checks the arguments of each function.
export type CallTable = Readonly<Record<string, (...args: any[]) => unknown>>

export interface Call {
  readonly id: number
  readonly name: string
  readonly args: readonly unknown[]
}

export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: SentError }

type Send = (message: Call | Answer) => void

/** The id of a call that nobody waits for. */
const NO_ANSWER = 0

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

export class Calls<Theirs extends CallTable> {
  readonly #send: Send
  readonly #functions: CallTable
  readonly #pending = new Map<number, Pending>()
  #lastId = NO_ANSWER
  #end: Error | undefined

  /** @param functions what the other side may call. */
  constructor(send: Send, functions: CallTable) {
    this.#send = send
    this.#functions = functions
  }

  /** Calls in progress. */
  get pending(): number {
    return this.#pending.size
  }

  /** Calls `name` on the other side; returns or throws what it does there. */
  call<Name extends keyof Theirs & string>(
    name: Name,
    ...args: Parameters<Theirs[Name]>
  ): Promise<Awaited<ReturnType<Theirs[Name]>>> {
    if (this.#end !== undefined) return Promise.reject(this.#end)
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      this.#send({ id, name, args })
      this.#pending.set(id, { resolve: resolve as Pending['resolve'], reject })
    })
  }

  /** Calls `name` on the other side, and does not wait for it. */
  tell<Name extends keyof Theirs & string>(name: Name, ...args: Parameters<Theirs[Name]>): void {
    if (this.#end === undefined) this.#send({ id: NO_ANSWER, name, args })
  }

  /** Takes a message of the other side. */
  receive(message: Call | Answer): void {
    if ('name' in message) void this.#answer(message)
    else this.#settle(message)
  }

  /** The other side has ended: calls in progress fail with `error`, and all later ones. */
  end(error: Error): void {
    this.#end = error
    for (const { reject } of this.#pending.values()) reject(error)
    this.#pending.clear()
  }

  async #answer({ id, name, args }: Call): Promise<void> {
    try {
      const value = await this.#functions[name]!(...args)
      if (id !== NO_ANSWER) this.#send({ id, value })
    } catch (error) {
      if (id !== NO_ANSWER) this.#send({ id, error: sentError(error) })
    }
  }

  #settle(answer: Answer): void {
    const pending = this.#pending.get(answer.id)
    this.#pending.delete(answer.id)
    if ('error' in answer) pending?.reject(errorOf(answer.error))
    else pending?.resolve(answer.value)
  }
}

/** A message to a shared thread: it answers calls on `port` too (shared.ts). */
export interface NewCaller {
  readonly port: MessagePort
}

/**
 * The thread's side (thread.ts, shared.ts): answers calls of `functions` as long as the thread lives; while one call waits, the
 * next can begin.
 */
export function answerCalls(functions: CallTable): void {
  if (parentPort === null) throw new TypeError('This module runs on a thread')
  answerOn(parentPort, functions)
}

function answerOn(port: MessagePort, functions: CallTable): void {
  const calls = new Calls((message) => port.postMessage(message), functions)
  port.on('message', (message: Call | NewCaller) => {
    if ('port' in message) answerOn(message.port, functions)
    else calls.receive(message)
  })
}

/**
 * Milliseconds since a moment that is the same on all threads, so that one can give another a deadline.
 * `Date.now` jumps when somebody sets the clock, and `performance.now` starts at 0 in each thread.
 */
export function steadyNow(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1_000 + nanoseconds / 1e6
}

/** Sends errors from one thread to another, where they would lose their class. */

interface SentError {
  /** The code of a TamisError. */
  readonly code: ErrorCode | undefined
  readonly details: Readonly<Record<string, string | number>>
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly cause: SentError | undefined
}

/** Built-in classes that callers tell apart: they stand for callers' mistakes. */
const CLASSES = { RangeError, TypeError } as const

function sentError(thrown: unknown): SentError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const { name, message, stack, cause } = error
  return {
    code: error instanceof TamisError ? error.code : undefined,
    details: error instanceof TamisError ? error.details : {},
    name,
    message,
    stack,
    cause: cause instanceof Error ? sentError(cause) : undefined,
  }
}

function errorOf({ code, details, name, message, stack, cause }: SentError): Error {
  const options = cause === undefined ? {} : { cause: errorOf(cause) }
  if (code !== undefined)
    return new TamisError(code, message, { ...options, details: { ...details } })
  const Class = name in CLASSES ? CLASSES[name as keyof typeof CLASSES] : Error
  return Object.assign(new Class(message, options), { name, stack })
}
