/** Lines, and counted bytes, from a socket, one after the other. */
import type { Socket } from 'node:net'

/** For one line of an answer, on a busy machine. */
const ANSWER_MS_MAX = 30_000

export class LineReader {
  #text = ''
  #failure: Error | undefined
  #wake: () => void = () => {}

  constructor(socket: Socket) {
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      this.#text += text
      this.#wake()
    })
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('The connection was closed')))
  }

  /** The next line, without its end. */
  async next(): Promise<string> {
    await this.#until(() => this.#text.includes('\r\n'))
    const line = this.#text.slice(0, this.#text.indexOf('\r\n'))
    this.#text = this.#text.slice(line.length + 2)
    return line
  }

  /** The next `count` bytes, a code unit each. */
  async bytes(count: number): Promise<string> {
    await this.#until(() => this.#text.length >= count)
    const bytes = this.#text.slice(0, count)
    this.#text = this.#text.slice(count)
    return bytes
  }

  async #until(isThere: () => boolean): Promise<void> {
    const timer = setTimeout(() => this.#fail(new Error('No answer')), ANSWER_MS_MAX)
    try {
      while (!isThere()) {
        if (this.#failure !== undefined) throw this.#failure
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    } finally {
      clearTimeout(timer)
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#wake()
  }
}
