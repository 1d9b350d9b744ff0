/** What listens beside HTTP: milter and spamd. The main thread accepts their connections, a serving thread serves them. */
import type { Socket } from 'node:net'
import type { Config } from '../config.ts'
import { FILTERS, type Filter, type FilterName, type FilterParts } from './filter.ts'
import { Milter } from './milter/server.ts'
import { Spamd } from './spamd/server.ts'

export class Filters {
  readonly #filters: Readonly<Record<FilterName, Filter>>
  readonly #open = new Set<Socket>()

  constructor(config: Config, parts: FilterParts) {
    this.#filters = {
      milter: new Milter(config, parts),
      spamd: new Spamd(config.userOf, parts),
    }
  }

  serve(name: FilterName, socket: Socket): void {
    this.#open.add(socket)
    socket.once('close', () => this.#open.delete(socket))
    // Errors that matter end the conversation; a later one concerns nobody.
    socket.on('error', () => {})
    void this.#filters[name].serve(socket)
  }

  /** Ends connections that wait for nothing now, and the others after their message. */
  end(): void {
    for (const name of FILTERS) this.#filters[name].end()
  }

  /** The same; resolves when all connections are closed. */
  async close(): Promise<void> {
    this.end()
    await Promise.all(
      Array.from(this.#open, (socket) => new Promise((resolve) => socket.once('close', resolve))),
    )
  }

  /** Closes what is open. */
  cut(): void {
    for (const socket of this.#open) socket.destroy()
  }
}
