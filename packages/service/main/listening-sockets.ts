/**
 * The sockets on which the service listens. The main thread has them as long as the process lives, and each serving thread gets
 * descriptors of its own for them (dup(2)), which it closes at its end: while none runs, no other program can take the port, and
 * connections wait in the kernel. With a socket each (SO_REUSEPORT) those that wait for a thread would be lost at its end.
 *
 * Either they are bound here, or whoever starts the service has passed them (systemd's socket activation,
 * sd_listen_fds(3)). A net.Server would accept connections in the main thread; a BoundSocket does not.
 */
import { lookup } from 'node:dns/promises'
import { type AddressInfo, BoundSocket, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { TamisError } from '../../errors/errors.ts'
import { systemFault } from '../../terminal/system-fault.ts'
import { isLoopback } from '../access/loopback.ts'
import { type Config, settings } from '../config.ts'
import { duplicate } from './libc.ts'

/** The first descriptor that is passed (SD_LISTEN_FDS_START). */
const FIRST_PASSED_FD = 3

/** Time for a service that was killed to end, in milliseconds. systemd is often faster in starting the next. */
const OTHERS_END_MS = 2_000

const PAUSE_MS = 20

/** What binding to the second address of `localhost` may say: this machine has no IPv6. */
const NOT_HERE: readonly unknown[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

type Place = Pick<Config, 'host' | 'port'>

export interface ListeningSockets {
  /** Another descriptor for each of them, at least one, which belong to the caller. */
  duplicates(): number[]
  /** The address of one of them; of several, one that other machines reach if there is any. */
  readonly host: string
  readonly port: number
  /** Closes those that were bound here, if they are open; who has passed the others keeps them. */
  close(): void
}

/**
 * The sockets that were passed to this process, or else those bound as `place` says: for `localhost` on each
 * of its addresses, and for port 0 on a free one.
 *
 * @param passed how many were passed.
 * @throws TamisError CONFIG_INVALID where they cannot be bound, or `place` contradicts those that were passed.
 */
export async function listeningSockets(place: Place, passed: number): Promise<ListeningSockets> {
  if (passed > 0) return socketsPassed(passed, place)
  const sockets = await bindAll(place)
  return {
    duplicates: () => sockets.map((socket) => duplicate(socket.fd())),
    ...mostPublic(sockets.map((socket) => socket.address())),
    close: () => {
      for (const socket of sockets) socket[Symbol.dispose]()
    },
  }
}

function socketsPassed(count: number, place: Place): ListeningSockets {
  const fds = Array.from({ length: count }, (_, i) => FIRST_PASSED_FD + i)
  const addresses = fds.map(passedAddress)
  const named = addresses.map(({ address, port }) => `${address} port ${port}`).join(', ')
  for (const [name, isOneOf] of [
    ['host', addresses.some(({ address }) => isSameHost(place.host, address))],
    ['port', addresses.some(({ port }) => port === place.port)],
  ] as const) {
    if (isOneOf || place[name] === defaultOf(name)) continue
    throw new TamisError(
      'CONFIG_INVALID',
      `TAMIS_${name.toUpperCase()} is "${place[name]}", but the socket that was passed to the service (LISTEN_FDS) is ${named}. Set the address in the socket unit and remove it from the settings, or turn the socket unit off`,
    )
  }
  return { duplicates: () => fds.map(duplicate), ...mostPublic(addresses), close: () => {} }
}

/** @throws TamisError CONFIG_INVALID for a descriptor that is not a TCP socket. */
function passedAddress(fd: number): AddressInfo {
  let cause: unknown
  try {
    // It is never closed nor read from, and only tells the address.
    const address = new Socket({ fd, readable: false, writable: false }).address()
    if ('port' in address) return address
  } catch (error) {
    cause = error
  }
  throw new TamisError(
    'CONFIG_INVALID',
    `The descriptor ${fd} that was passed to the service (LISTEN_FDS) is not a TCP socket`,
    { cause },
  )
}

function defaultOf(name: keyof Place): unknown {
  return settings().find(({ key }) => key === name)?.default
}

function isSameHost(host: string, address: string): boolean {
  return host === 'localhost' ? isLoopback(address) : host === address
}

/** Of `addresses` one that other machines reach, if there is any: without keys that one is refused. */
function mostPublic(addresses: readonly AddressInfo[]): Place {
  const { address: host, port } =
    addresses.find(({ address }) => !isLoopback(address)) ?? addresses[0]!
  return { host, port }
}

async function bindAll({ host, port }: Place): Promise<BoundSocket[]> {
  const sockets: BoundSocket[] = []
  try {
    for (const address of await addressesOf(host)) {
      const taken = sockets[0]?.address().port ?? port
      const socket = await bind(address, taken).catch((error: NodeJS.ErrnoException) => {
        if (sockets.length === 0 || !NOT_HERE.includes(error.code)) throw error
      })
      if (socket !== undefined) sockets.push(socket)
    }
    return sockets
  } catch (error) {
    for (const socket of sockets) socket.close()
    throw cannotListen({ host, port }, error)
  }
}

/** One address, but for `localhost` all. */
async function addressesOf(host: string): Promise<string[]> {
  const addresses = await lookup(host, { all: true })
  return addresses.slice(0, host === 'localhost' ? undefined : 1).map(({ address }) => address)
}

/** A socket bound to `host` and `port`, for which it waits while another service is ending. */
async function bind(host: string, port: number): Promise<BoundSocket> {
  const deadline = performance.now() + OTHERS_END_MS
  for (;;) {
    try {
      return new BoundSocket({ host, port })
    } catch (error) {
      const isInUse = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isInUse || performance.now() > deadline) throw error
      await sleep(PAUSE_MS)
    }
  }
}

/** The URL of what listens there. */
export function urlOf({ host, port }: Place): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The error where nobody can listen, because of `cause`. */
export function cannotListen({ host, port }: Place, cause: unknown): TamisError {
  return new TamisError(
    'CONFIG_INVALID',
    `Cannot listen on TAMIS_HOST "${host}", TAMIS_PORT ${port}: ${systemFault(cause)}`,
    { cause },
  )
}
