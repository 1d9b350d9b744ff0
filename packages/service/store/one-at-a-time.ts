/**
 * A task that is costly and serves all who ask for it before it starts: those who come while it
 * runs share the next run.
 */
export class OneAtATime<T> {
  readonly #task: () => Promise<T>
  #running: Promise<T> | undefined
  #next: Promise<T> | undefined

  constructor(task: () => Promise<T>) {
    this.#task = task
  }

  /** The result of a run that starts after this call. */
  run(): Promise<T> {
    if (this.#next !== undefined) return this.#next
    if (this.#running === undefined) return this.#start()
    this.#next = this.#running.then(
      () => this.#start(),
      () => this.#start(),
    )
    return this.#next
  }

  #start(): Promise<T> {
    this.#next = undefined
    const running = this.#task().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }
}
