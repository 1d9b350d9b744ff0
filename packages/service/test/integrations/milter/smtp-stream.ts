/** Messages sent one after another over SMTP, each on a connection of its own, several at a time. */
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

/** At a time; Postfix takes up to fifty of one client. */
const SENDERS = 8

/** Between two messages of a sender, so that the stream lasts as long as what disturbs it. */
const PAUSE_MS = 200

export interface Sent {
  /** Message-IDs of what was taken. */
  readonly ids: string[]
  /** Replies that were no success. */
  readonly refusals: string[]
}

export class SmtpStream {
  readonly #port: number
  #mayEnd = false
  #count = 0

  constructor(port: number) {
    this.#port = port
  }

  /** Sends at least `countMin` messages, and goes on until the end. */
  async send(countMin: number): Promise<Sent> {
    const sent: Sent = { ids: [], refusals: [] }
    const senders = Array.from({ length: SENDERS }, async () => {
      while (this.#count < countMin || !this.#mayEnd) {
        const { id, refusal } = await this.#sendNext()
        if (refusal === undefined) sent.ids.push(id)
        else sent.refusals.push(refusal)
        if (!this.#mayEnd) await setTimeout(PAUSE_MS * Math.random() * 2)
      }
    })
    await Promise.all(senders)
    return sent
  }

  /** Once the messages that are to be sent at least have been. */
  end(): void {
    this.#mayEnd = true
  }

  /** One more; resolves to its Message-ID. */
  async sendOne(): Promise<string> {
    const { id, refusal } = await this.#sendNext()
    if (refusal !== undefined) throw new Error(refusal)
    return id
  }

  async #sendNext(): Promise<{ readonly id: string; readonly refusal?: string }> {
    this.#count += 1
    const id = `stream-${this.#count}@mail.example.net`
    const dialogue = [
      'EHLO client.example.net',
      'MAIL FROM:<bob@example.net>',
      `RCPT TO:<user-${this.#count % 10}@example.com>`,
      'DATA',
      [
        'From: Bob <bob@example.net>',
        'To: ann@example.com',
        `Subject: Saturday at the lake, number ${this.#count}`,
        'Date: Fri, 20 Nov 2026 12:00:00 +0000',
        `Message-ID: <${id}>`,
        '',
        'Shall we meet at the boat house at ten? Bring the children and something warm.',
        '.',
      ].join('\r\n'),
      'QUIT',
    ]
    const refusal = await converse(this.#port, dialogue)
    return refusal === undefined ? { id } : { id, refusal }
  }
}

/** Says `dialogue` line by line; resolves to the first reply that is no success, or to how the connection ended early. */
async function converse(port: number, dialogue: readonly string[]): Promise<string | undefined> {
  const socket = connect({ host: '127.0.0.1', port })
  let replies = 0
  try {
    for await (const line of createInterface({ input: socket })) {
      // The lines of one reply but the last have a hyphen behind the code.
      if (line[3] === '-') continue
      if (!/^[23]/.test(line)) return line
      const next = dialogue[replies]
      if (next === undefined) return undefined
      socket.write(`${next}\r\n`)
      replies += 1
    }
    return `the connection ended after ${replies} replies`
  } catch (error) {
    return (error as Error).message
  } finally {
    socket.destroy()
  }
}
