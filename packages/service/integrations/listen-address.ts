/** Where filters listen: a TCP port or a Unix socket, whose file has to be made, or found to be stale. */
import { once } from 'node:events'
import { lstatSync, unlinkSync } from 'node:fs'
import { connect, type Server } from 'node:net'
import { TamisError } from '../../errors/errors.ts'
import { systemFault } from '../../terminal/system-fault.ts'
import { isLoopback } from '../access/loopback.ts'

/** Addresses as Sendmail writes them: port@host, and a path, which on Linux has at most 107 bytes. */
const ADDRESS =
  /^(?:inet6?:(?<port>\d{1,5})@(?<host>[^@\s]{1,255})|(?:unix|local):(?<path>\/[!-~]{1,106}))$/

/** What an address may be. */
export const LISTEN_PATTERN = ADDRESS.source

export const LISTEN_ADDRESS_RULE = '`inet:PORT@HOST` or `unix:/PATH`'

/** The mode of the file of a Unix socket: its group may connect, that of the folder where that is so set. */
const SOCKET_MODE = 0o660

/** Whether other machines may reach `address`. */
export function isPublic(address: string): boolean {
  const { host } = ADDRESS.exec(address)?.groups ?? {}
  return host !== undefined && !isLoopback(host)
}

/**
 * Makes `server` listen at `address`; resolves to where that is, with the actual port if it was 0.
 *
 * @throws TamisError CONFIG_INVALID
 */
export async function listenAt(server: Server, address: string): Promise<string> {
  const { port, host, path } = ADDRESS.exec(address)?.groups ?? {}
  try {
    if (path !== undefined) await removeStale(path)
    const listening = once(server, 'listening')
    // From the beginning, so that nobody can connect before it is set.
    const before = process.umask(0o777 & ~SOCKET_MODE)
    const where = { host: host?.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
    server.listen(path === undefined ? where : { path })
    process.umask(before)
    await listening
  } catch (cause) {
    if (cause instanceof TamisError) throw cause
    throw cannotListen(address, systemFault(cause), cause)
  }
  const bound = server.address()
  return typeof bound === 'object' && bound !== null ? `inet:${bound.port}@${host}` : address
}

/** Removes the socket of a process that ended without doing so. */
async function removeStale(path: string): Promise<void> {
  const file = lstatSync(path, { throwIfNoEntry: false })
  if (file === undefined) return
  if (!file.isSocket()) throw cannotListen(`unix:${path}`, 'the file is not a socket')
  const socket = connect({ path })
  const code = await once(socket, 'connect').catch((error: NodeJS.ErrnoException) => error.code)
  socket.destroy()
  // Refused means that no process listens. After any other error there may be one.
  if (code !== 'ECONNREFUSED') throw cannotListen(`unix:${path}`, 'another process listens there')
  unlinkSync(path)
}

function cannotListen(address: string, why: string, cause?: unknown): TamisError {
  return new TamisError('CONFIG_INVALID', `Cannot listen on ${address}: ${why}`, { cause })
}
