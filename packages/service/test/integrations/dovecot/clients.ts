/** As much of a client of IMAP (RFC 3501, RFC 6851) as the tests need. */
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** For one line of an answer, on a busy machine. */
const ANSWER_MS_MAX = 30_000

export class ImapSession {
  readonly #socket: Socket
  readonly #lines: AsyncIterator<string>
  #tag = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  }

  static async open(port: number, user: string, password: string): Promise<ImapSession> {
    const socket = connect(port, '127.0.0.1')
    socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error('No answer')))
    const session = new ImapSession(socket)
    await session.#line()
    await session.command(`LOGIN "${user}" "${password}"`)
    return session
  }

  /** The untagged answers to `command`. Throws unless it is OK. */
  async command(command: string): Promise<string[]> {
    const tag = `a${++this.#tag}`
    this.#socket.write(`${tag} ${command}\r\n`)
    const answers: string[] = []
    for (;;) {
      const line = await this.#line()
      if (!line.startsWith(`${tag} `)) answers.push(line)
      else if (line.startsWith(`${tag} OK`)) return answers
      else throw new Error(`IMAP: ${command.split(' ', 1)[0]}: ${line}`)
    }
  }

  async #line(): Promise<string> {
    const { value, done } = await this.#lines.next()
    if (done) throw new Error('The connection was closed')
    return value
  }

  /** How many messages there are in `mailbox`. */
  async count(mailbox: string): Promise<number> {
    const [status] = await this.command(`STATUS "${mailbox}" (MESSAGES)`)
    return Number(/MESSAGES (\d+)/.exec(status ?? '')?.[1])
  }

  /** Moves all messages of one mailbox to another. */
  async move(from: string, to: string): Promise<void> {
    await this.command(`SELECT "${from}"`)
    await this.command(`MOVE 1:* "${to}"`)
  }

  /** Copies them and deletes the originals, as clients do that cannot move. */
  async copyAndDelete(from: string, to: string): Promise<void> {
    await this.command(`SELECT "${from}"`)
    await this.command(`COPY 1:* "${to}"`)
    await this.command('STORE 1:* +FLAGS (\\Deleted)')
    await this.command('EXPUNGE')
  }

  /** Sets or takes away keywords of all messages in the inbox. */
  async mark(change: '+' | '-', ...keywords: string[]): Promise<void> {
    await this.command('SELECT INBOX')
    await this.command(`STORE 1:* ${change}FLAGS (${keywords.join(' ')})`)
  }

  /** Puts `message` into `mailbox`, with `flags`. */
  async append(mailbox: string, message: string, ...flags: string[]): Promise<void> {
    const literal = `{${message.length}+}\r\n${message}`
    await this.command(`APPEND "${mailbox}" (${flags.join(' ')}) ${literal}`)
  }

  async close(): Promise<void> {
    await this.command('LOGOUT')
    this.#socket.destroy()
  }
}
