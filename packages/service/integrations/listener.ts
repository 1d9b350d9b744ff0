/**
 * Listens for the clients of a process beside the service, and closes with grace: connections in
 * progress may finish what they wait for, within the time for an answer from Tamis.
 */
import { createServer, type Server, type Socket } from 'node:net'
import type { Log } from '../http/log.ts'
import { describeAddress, type ListenAddress, listenAt } from './listen-address.ts'

/** How long connections in progress may take when the process is to end, beyond the time for an answer from Tamis. */
const END_GRACE_MS = 2_000

export interface ListenSettings {
  readonly listen: readonly ListenAddress[]
  /** The mode of the files of Unix sockets. */
  readonly socketMode: number
  readonly connectionsMax: number
  /** Longest time for an answer from Tamis, in milliseconds. */
  readonly timeoutMs: number
}

/** What the process does with its connections. */
export interface Protocol {
  /** The process, at the beginning of a line of the log. */
  readonly name: string
  /** Whether clients end their side first, and wait. */
  readonly allowHalfOpen: boolean
  /**
   * Serves a connection; never rejects. Its later errors concern nobody.
   *
   * @param isTooMany true when it is to be refused, because as many as may be are being served.
   */
  serve(socket: Socket, isTooMany: boolean, address: ListenAddress): Promise<void>
  /** No more connections come; those that wait for nothing may be closed. */
  closing?(): void
  /** All connections are closed. */
  closed?(): void
}

export interface Listener {
  /** With the actual ports. */
  readonly addresses: readonly ListenAddress[]
  /** Accepts no new connection, lets those in progress finish, and resolves when everything is closed. */
  close(): Promise<void>
}

/** @throws TamisError CONFIG_INVALID when it cannot listen. */
export async function openListener(
  settings: ListenSettings,
  protocol: Protocol,
  log: Log,
): Promise<Listener> {
  const { name, allowHalfOpen } = protocol
  const servers: Server[] = []
  const addresses: ListenAddress[] = []
  const sockets = new Set<Socket>()
  let served = 0

  const accept = async (socket: Socket, address: ListenAddress) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // Errors that matter end the conversation; a later one concerns nobody.
    socket.on('error', () => {})
    served += 1
    await protocol.serve(socket, served > settings.connectionsMax, address)
    served -= 1
  }

  const close = async () => {
    const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
    protocol.closing?.()
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.destroy()
    }, settings.timeoutMs + END_GRACE_MS)
    await Promise.all(closed)
    clearTimeout(cut)
    protocol.closed?.()
  }

  try {
    for (const address of settings.listen) {
      const server = createServer({ allowHalfOpen }, (socket) => void accept(socket, address))
      servers.push(server)
      addresses.push(await listenAt(server, address, settings.socketMode))
      server.on('error', ({ message }) =>
        log.error({ err: message }, `${name} cannot accept connections`),
      )
    }
  } catch (error) {
    await close()
    throw error
  }
  log.info({ listen: addresses.map(describeAddress) }, `${name} listens`)
  return { addresses, close }
}
