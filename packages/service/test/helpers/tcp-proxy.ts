/** A network for tests, between a service and its database: it can stand still, and break. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export class TcpProxy {
  readonly #target: URL
  readonly #pairs = new Map<Socket, Socket>()
  #server: Server
  #port = 0
  #paused = false
  readonly #heard: (bytes: Buffer) => void

  private constructor(target: URL, heard: (bytes: Buffer) => void) {
    this.#target = target
    this.#heard = heard
    this.#server = this.#newServer()
  }

  /** On a free port of this machine, to where `url` leads. @param heard is told what the service sends, before it goes on. */
  static async open(url: string, heard: (bytes: Buffer) => void = () => {}): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(url), heard)
    await proxy.#listen()
    return proxy
  }

  /** The URL it was opened with, by way of the proxy. */
  get url(): string {
    const url = new URL(this.#target)
    url.hostname = '127.0.0.1'
    url.port = `${this.#port}`
    return url.href
  }

  /** Connections that are open now. */
  get connections(): number {
    return this.#pairs.size
  }

  /** From now on nothing comes through, and nobody is told. */
  pause(): void {
    this.#paused = true
    for (const [one, other] of this.#pairs) {
      one.pause()
      other.pause()
    }
  }

  /** What was held up goes on its way. */
  resume(): void {
    this.#paused = false
    for (const [one, other] of this.#pairs) {
      one.resume()
      other.resume()
    }
  }

  /** Breaks all connections and takes no more. */
  async cut(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const one of this.#pairs.keys()) one.destroy()
    await closed
  }

  /** Takes connections again, where it did before. */
  async restore(): Promise<void> {
    this.#paused = false
    this.#server = this.#newServer()
    await this.#listen()
  }

  async close(): Promise<void> {
    if (this.#server.listening) await this.cut()
  }

  #newServer(): Server {
    return createServer((one) => this.#forward(one))
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  #forward(one: Socket): void {
    const other = connect(Number(this.#target.port) || 5432, this.#target.hostname)
    this.#pairs.set(one, other)
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      from.on('data', (bytes) => {
        if (from === one) this.#heard(bytes)
        to.write(bytes)
      })
      from.on('error', () => {})
      from.on('close', () => {
        to.destroy()
        this.#pairs.delete(one)
      })
      if (this.#paused) from.pause()
    }
  }
}
