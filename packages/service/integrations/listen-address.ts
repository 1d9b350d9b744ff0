/** Where filters listen: a TCP port or a Unix socket, whose file has to be made, or found to be stale. */
import { lstatSync, unlinkSync } from 'node:fs'
import { connect, type Server } from 'node:net'
import { TamisError } from '../../errors/errors.ts'
import { systemFault } from '../../terminal/system-fault.ts'
import { isLoopback } from '../access/loopback.ts'

export type ListenAddress =
  | { readonly kind: 'inet'; readonly host: string; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string }

/** Addresses as Sendmail writes them: port@host, and a path. */
const INET = /^inet6?:(\d{1,5})@([^@\s]{1,255})$/
const UNIX = /^(?:unix|local):(\/.+)$/

/** What readListenAddress takes. */
export const LISTEN_PATTERN = '^(inet6?:[0-9]{1,5}@[^@\\s]{1,255}|(unix|local):/.+)$'

export const LISTEN_ADDRESS_RULE = '`inet:PORT@HOST` or `unix:/PATH`'

/** Longest path of a Unix socket on Linux, which needs another byte for its NUL. */
const UNIX_PATH_BYTES_MAX = 107

/** The mode of the file of a Unix socket: its group may connect, that of the folder where that is so set. */
const SOCKET_MODE = 0o660

/** @throws TamisError CONFIG_INVALID */
export function readListenAddress(text: string): ListenAddress {
  const address = parsed(text)
  if (address !== undefined) return address
  throw new TamisError('CONFIG_INVALID', `"${text}" is no address; allowed: ${LISTEN_ADDRESS_RULE}`)
}

/** Whether other machines may reach it. */
export function isPublic(address: ListenAddress): boolean {
  return address.kind === 'inet' && !isLoopback(address.host)
}

function parsed(text: string): ListenAddress | undefined {
  const [, portText, host] = INET.exec(text) ?? []
  if (portText !== undefined && host !== undefined) {
    const port = Number(portText)
    const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
    return port > 65_535 ? undefined : { kind: 'inet', host: bare, port }
  }
  const path = UNIX.exec(text)?.[1]
  if (path === undefined || Buffer.byteLength(path) > UNIX_PATH_BYTES_MAX) return undefined
  return { kind: 'unix', path }
}

/**
 * Makes `server` listen; resolves to the address, with the actual port if that was 0.
 *
 * @throws TamisError CONFIG_INVALID
 */
export async function listenAt(server: Server, address: ListenAddress): Promise<ListenAddress> {
  try {
    if (address.kind === 'unix') {
      await removeStale(address.path)
      await listenWithMode(server, address.path)
      return address
    }
    await listening(server, () => server.listen({ host: address.host, port: address.port }))
    const bound = server.address()
    return typeof bound === 'object' && bound !== null ? { ...address, port: bound.port } : address
  } catch (cause) {
    if (cause instanceof TamisError) throw cause
    throw new TamisError(
      'CONFIG_INVALID',
      `Cannot listen on ${describeAddress(address)}: ${systemFault(cause)}`,
      { cause },
    )
  }
}

export function describeAddress(address: ListenAddress): string {
  return address.kind === 'unix' ? `unix:${address.path}` : `inet:${address.port}@${address.host}`
}

/** Gives the file its mode from the beginning, so that nobody can connect before it is set. */
async function listenWithMode(server: Server, path: string): Promise<void> {
  const before = process.umask(0o777 & ~SOCKET_MODE)
  try {
    await listening(server, () => server.listen({ path }))
  } finally {
    process.umask(before)
  }
}

/** Removes the socket of a process that ended without doing so. */
async function removeStale(path: string): Promise<void> {
  const file = lstatSync(path, { throwIfNoEntry: false })
  if (file === undefined) return
  if (!file.isSocket()) {
    throw new TamisError(
      'CONFIG_INVALID',
      `Cannot listen on unix:${path}: the file is not a socket`,
    )
  }
  if (await isAnswered(path)) {
    throw new TamisError(
      'CONFIG_INVALID',
      `Cannot listen on unix:${path}: another process listens there`,
    )
  }
  unlinkSync(path)
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    // Refused means that no process listens. After any other error there may be one.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'))
  })
}

function listening(server: Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', () => {
      server.off('error', reject)
      resolve()
    })
    listen()
  })
}
