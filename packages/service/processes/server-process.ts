/**
 * A server process: the whole service (open-service.ts), which accepts connections on the sockets that all
 * server processes inherit.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { refusePublicBind } from '../access/loopback.ts'
import type { Config } from '../config.ts'
import { LogLines } from '../http/log-lines.ts'
import { openService } from '../open-service.ts'
import { shareOf } from '../siblings/share-of.ts'
import { setServiceFlags, setThreadFlags } from '../v8-flags.ts'
import { cannotListen } from './listening-sockets.ts'
import {
  type Links,
  type Running,
  runUnderSupervisor,
  type StartOrder,
} from './under-supervisor.ts'

/**
 * Connections that may wait to be accepted: as many as Linux allows by default. Node's 511 overflow at
 * the onset of a flood, and the clients left out try again only after 1, 3 and 7 s.
 */
const BACKLOG = 4_096

/** The first of the sockets that the process inherits: the one after those for input, output, errors and messages. */
const FIRST_SOCKET_FD = 4

setThreadFlags()
runUnderSupervisor(open)

async function open({ config, sockets, hasOffice }: StartOrder, links: Links): Promise<Running> {
  const log = { level: config.logLevel, stream: new LogLines(process.stdout) }
  const share = (of: Config) => shareOf(of, config.workers)
  const service = await openService(share(config), log, { ...links, hasOffice })
  /** What accepts on the sockets after the first, on which the HTTP server listens itself. */
  let acceptors: readonly Server[] = []
  return {
    modelsVersion: service.modelsVersion,
    prepare: (next) => service.prepare(share(next)),
    tell: service.tell,
    begin: async () => {
      if (!service.keysNeeded) refusePublicBind(config.host)
      // From now on the code that judges mail is compiled, and no longer the code that starts.
      setServiceFlags()
      acceptors = await listen(service.app.server, sockets, config)
    },
    close: async () => {
      const closed = acceptors.map((acceptor) => once(acceptor.close(), 'close'))
      await service.close()
      await Promise.all(closed)
    },
  }
}

/** Accepts connections on the inherited sockets. Fastify's own `listen` would open others. */
async function listen(server: Server, sockets: number, config: Config): Promise<Server[]> {
  try {
    server.listen({ fd: FIRST_SOCKET_FD }, BACKLOG)
    await once(server, 'listening')
    return await Promise.all(
      Array.from({ length: sockets - 1 }, (_, i) => acceptFor(server, FIRST_SOCKET_FD + 1 + i)),
    )
  } catch (cause) {
    throw cannotListen(config, cause)
  }
}

/** Gives the connections of another socket to the HTTP server, as if they were its own. */
async function acceptFor(server: Server, fd: number): Promise<Server> {
  const options = { allowHalfOpen: true, noDelay: true }
  const acceptor = createServer(options, (socket) => server.emit('connection', socket))
  acceptor.listen({ fd }, BACKLOG)
  await once(acceptor, 'listening')
  return acceptor
}
