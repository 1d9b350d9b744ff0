/** As much of clients of IMAP (RFC 3501, RFC 6851) and LMTP as the tests need. */
import { connect, type Socket } from 'node:net'

export class ImapSession {
  readonly #socket: Socket
  readonly #reader: LineReader
  #tag = 0

  private constructor(socket: Socket) {
    this.#socket = socket
    this.#reader = new LineReader(socket)
  }

  static async open(port: number, user: string, password: string): Promise<ImapSession> {
    const session = new ImapSession(connect(port, '127.0.0.1'))
    await session.#reader.next()
    await session.command(`LOGIN "${user}" "${password}"`)
    return session
  }

  /** The untagged answers to `command`; literals stand in them as they are. Throws unless it is OK. */
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
    let line = await this.#reader.next()
    for (;;) {
      const [, size] = /\{(\d+)\}$/.exec(line) ?? []
      if (size === undefined) return line
      line = line.slice(0, -size.length - 2)
      line += await this.#reader.bytes(Number(size))
      line += await this.#reader.next()
    }
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

  /** The bytes of the only message in `mailbox`, a code unit each. */
  async fetchOnly(mailbox: string): Promise<string> {
    await this.command(`SELECT "${mailbox}"`)
    const [answer = ''] = await this.command('FETCH 1 (BODY.PEEK[])')
    return answer.slice(answer.indexOf('BODY[] ') + 'BODY[] '.length, -1)
  }

  async close(): Promise<void> {
    await this.command('LOGOUT')
    this.#socket.destroy()
  }
}

/** Delivers `message` by LMTP (RFC 2033) over a socket on disk, or throws what the server says. */
export async function deliver(socketPath: string, user: string, message: string): Promise<void> {
  const socket = connect(socketPath)
  const replies = new LineReader(socket)
  const expect = async (code: string) => {
    let line = await replies.next()
    while (/^\d{3}-/.test(line)) line = await replies.next()
    if (!line.startsWith(code)) throw new Error(`LMTP: ${line}`)
  }
  try {
    await expect('220')
    for (const [command, code] of [
      ['LHLO mx.example.com', '250'],
      ['MAIL FROM:<bounces@example.net>', '250'],
      [`RCPT TO:<${user}>`, '250'],
      ['DATA', '354'],
      [`${message.replace(/^\./gm, '..')}\r\n.`, '250'],
      ['QUIT', '221'],
    ] as const) {
      socket.write(`${command}\r\n`)
      await expect(code)
    }
  } finally {
    socket.destroy()
  }
}

/** For one line of an answer, on a busy machine. */
const ANSWER_MS_MAX = 30_000

/** Lines, and counted bytes, from a socket, one after the other. */
class LineReader {
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
