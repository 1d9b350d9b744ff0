/**
 * The sockets on which the service listens. The main thread accepts on them as long as the process lives, and gives each connection to
 * the serving thread that has the fewest: while threads are replaced, connections are kept, and no other program can take the port.
 *
 * Either they are bound here, or whoever starts the service has passed them (systemd's socket activation, sd_listen_fds(3)).
 */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { type AddressInfo, BoundSocket, createServer, type Server, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { TamisError } from '../../errors/errors.ts'
import { systemFault } from '../../terminal/system-fault.ts'
import { isLoopback } from '../access/loopback.ts'
import { type Config, SETTINGS } from '../config.ts'
import type { Log } from '../http/log.ts'
import type { FilterName } from '../integrations/filter.ts'
import { isPublic, listenAt } from '../integrations/listen-address.ts'

/**
 * Connections that may wait to be accepted: as many as Linux allows by default. Node's 511 overflow at
 * the onset of a flood, and the clients left out try again only after 1, 3 and 7 s.
 */
const BACKLOG = 4_096

/** The first descriptor that is passed (SD_LISTEN_FDS_START). */
const FIRST_PASSED_FD = 3

/** Time for a service that was killed to end, in milliseconds. systemd is often faster in starting the next. */
const OTHERS_END_MS = 2_000

const PAUSE_MS = 20

/** What binding to the second address of `localhost` may say: this machine has no IPv6. */
const NOT_HERE: readonly unknown[] = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

type Place = Pick<Config, 'host' | 'port'>

export interface ListeningSockets {
  /**
   * Accepts connections from now on.
   *
   * @param take called with the descriptor of each; what is to live longer than the call has to be duplicated
   * @param onError called when none can be accepted
   */
  accept(take: (descriptor: number) => void, onError: (error: Error) => void): Promise<void>
  /** The address of one of them; of several, one that other machines reach if there is any. */
  readonly host: string
  readonly port: number
  /** Accepts no more. Sockets that were passed stay open where they came from. */
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
  return listening(sockets, mostPublic(sockets.map((socket) => socket.address())))
}

function listening(
  sockets: readonly (BoundSocket | { readonly fd: number })[],
  place: Place,
): ListeningSockets {
  const servers: Server[] = []
  return {
    ...place,
    async accept(take, onError) {
      for (const socket of sockets) {
        const server = acceptor(take)
        servers.push(server)
        try {
          const from = socket instanceof BoundSocket ? { handle: socket } : socket
          // Among the options it would have no effect, where a handle or a descriptor is.
          await once(server.listen(from, BACKLOG), 'listening')
        } catch (cause) {
          throw cannotListen(place, cause)
        }
        server.on('error', onError)
      }
    },
    close() {
      for (const server of servers) server.close()
      for (const socket of sockets) if (socket instanceof BoundSocket) socket[Symbol.dispose]()
    },
  }
}

/** A server that gives the descriptor of each connection to `take`, and leaves the connection. */
export function acceptor(take: (descriptor: number) => void): Server {
  return createServer({ pauseOnConnect: true }, (connection) => {
    // Node does not say it otherwise.
    const { _handle: handle } = connection as Socket & {
      readonly _handle?: { readonly fd: number }
    }
    if (handle !== undefined && handle.fd >= 0) take(handle.fd)
    connection.destroy()
  })
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
  return listening(
    fds.map((fd) => ({ fd })),
    mostPublic(addresses),
  )
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
  return SETTINGS[name].default
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

/**
 * Accepts connections of filters.
 *
 * @param take called with the descriptor of each; what is to live longer than the call has to be duplicated
 * @throws TamisError CONFIG_INVALID where nobody can listen.
 */
export async function listenForFilters(
  { milterListen, spamdListen }: Pick<Config, 'milterListen' | 'spamdListen'>,
  take: (descriptor: number, filter: FilterName) => void,
  log: Pick<Log, 'info' | 'warn' | 'error'>,
): Promise<Pick<ListeningSockets, 'close'>> {
  const servers: Server[] = []
  const close = () => {
    for (const server of servers) server.close()
  }
  const open = async (filter: FilterName, address: string) => {
    const server = acceptor((descriptor) => take(descriptor, filter))
    servers.push(server)
    const listen = await listenAt(server, address)
    server.on('error', (err) => log.error({ err, filter }, 'No connection can be accepted'))
    log.info({ filter, listen }, 'A filter listens')
    if (isPublic(address)) {
      log.warn(
        { filter, listen },
        'Other machines can reach this address, and the protocol has no password. Let only your mail servers connect: anyone else can have messages judged for any user',
      )
    }
  }
  try {
    for (const address of milterListen) await open('milter', address)
    for (const address of spamdListen) await open('spamd', address)
  } catch (error) {
    close()
    throw error
  }
  return { close }
}
