/** Mail delivery by LMTP (RFC 2033), over a socket on disk. */
import { connect } from 'node:net'
import { LineReader } from './line-reader.ts'

/** Delivers `message`, or throws what the server says. */
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
