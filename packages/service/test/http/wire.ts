/** HTTP as it stands on the wire: requests in pieces, and answers one after the other. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** Waits on a busy machine end long before this. */
const PATIENCE_MS = 15_000

/** A connection that is cut when the test ends. */
export async function connected(
  t: TestContext,
  { port, address = '127.0.0.1' }: { readonly port: number; readonly address?: string },
): Promise<Socket> {
  const client = connect({ port, host: '127.0.0.1', localAddress: address })
  // A server that refuses may cut the connection while a client still writes.
  client.on('error', () => {})
  t.after(() => client.destroy())
  await once(client, 'connect')
  return client
}

/** The header of a request that sends a message. */
export function head(request: string, ...fields: readonly string[]): string {
  const all = ['Host: localhost', 'Content-Type: message/rfc822', ...fields]
  return [`${request} HTTP/1.1`, ...all, '', ''].join('\r\n')
}

export function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ])
}

/** Resolves when the socket has taken `bytes`, or will take no more. */
export function written(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', resolve)
    socket.write(bytes, () => {
      socket.off('close', resolve)
      resolve()
    })
  })
}

/** The next answer, header and body; what there is of it when the connection ends before. */
export async function answer(socket: Socket): Promise<string> {
  return (await answers(socket, 1))[0] ?? ''
}

/** The next `count` answers; fewer when the connection ends before. */
export async function answers(socket: Socket, count: number): Promise<string[]> {
  const complete: string[] = []
  let rest = ''
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onData = (bytes: Buffer) => {
    rest += bytes.toString('latin1')
    for (let end = answerEnd(rest); end !== undefined; end = answerEnd(rest)) {
      complete.push(rest.slice(0, end))
      rest = rest.slice(end)
    }
    if (complete.length >= count) resolve()
  }
  const onClose = () => resolve()
  socket.on('data', onData).on('close', onClose)
  const late = () => reject(new Error(`${complete.length} answers, and: ${rest.slice(0, 300)}`))
  const timer = setTimeout(late, PATIENCE_MS)
  try {
    await promise
    return rest === '' ? complete : [...complete, rest]
  } finally {
    clearTimeout(timer)
    socket.off('data', onData).off('close', onClose).resume()
  }
}

/** Where the first answer in `text` ends; undefined while it is not there whole. */
function answerEnd(text: string): number | undefined {
  const start = text.indexOf('\r\n\r\n') + 4
  const length = /content-length: (\d+)/i.exec(text.slice(0, start))?.[1]
  if (start < 4 || length === undefined) return undefined
  const end = start + Number(length)
  return text.length >= end ? end : undefined
}
