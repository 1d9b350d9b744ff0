/**
 * Calls between the supervisor and a server process, both ways: each side has functions that the other
 * calls by name. It is for processes what threads/thread.ts is for threads.
 */
import type { Answer, Call, CallTable } from '../threads/answer-calls.ts'
import { errorOf, sentError } from '../threads/sent-error.ts'

/** The id of a call that nobody waits for. */
const NO_ANSWER = 0

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

export class ProcessCalls<Theirs extends CallTable> {
  readonly #send: (message: Call | Answer) => void
  readonly #functions: CallTable
  readonly #pending = new Map<number, Pending>()
  #lastId = NO_ANSWER
  #end: Error | undefined

  /** @param functions what the other side may call. */
  constructor(send: (message: Call | Answer) => void, functions: CallTable) {
    this.#send = send
    this.#functions = functions
  }

  /** Calls `name` in the other process; returns or throws what it does there. */
  call<Name extends keyof Theirs & string>(
    name: Name,
    ...args: Parameters<Theirs[Name]>
  ): Promise<Awaited<ReturnType<Theirs[Name]>>> {
    if (this.#end !== undefined) return Promise.reject(this.#end)
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as Pending['resolve'], reject })
      this.#send({ id, name, args })
    })
  }

  /** Calls `name` in the other process, and does not wait for it. */
  tell<Name extends keyof Theirs & string>(name: Name, ...args: Parameters<Theirs[Name]>): void {
    if (this.#end === undefined) this.#send({ id: NO_ANSWER, name, args })
  }

  /** Takes a message of the other process. */
  receive(message: Call | Answer): void {
    if ('name' in message) void this.#answer(message)
    else this.#settle(message)
  }

  /** The other process has ended: calls in progress fail with `error`, and all later ones. */
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
