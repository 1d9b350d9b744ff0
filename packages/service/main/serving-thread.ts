/** A serving thread: the whole service (open-service.ts), which accepts connections on the sockets of the process. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { refusePublicBind } from '../access/loopback.ts'
import { LogLines } from '../http/log-lines.ts'
import { openService } from '../open-service.ts'
import { cannotListen } from './listening-sockets.ts'
import { enterConnections } from './open-connections.ts'
import { type Links, type Running, runUnderMain, type StartOrder } from './under-main.ts'

/**
 * Connections that may wait to be accepted: as many as Linux allows by default. Node's 511 overflow at
 * the onset of a flood, and the clients left out try again only after 1, 3 and 7 s.
 */
const BACKLOG = 4_096

runUnderMain(open)

async function open({ config, connections }: StartOrder, links: Links): Promise<Running> {
  const log = { level: config.logLevel, stream: new LogLines(process.stdout) }
  const service = await openService(config, log, { ...links, hasOffice: false })
  // Without a key a public address is refused before anybody can connect to it.
  if (!service.keysNeeded) refusePublicBind(config.host)
  enterConnections(service.app.server, connections)
  /** What accepts on the sockets after the first, on which the HTTP server listens itself. */
  let acceptors: readonly Server[] = []
  return {
    modelsVersion: service.modelsVersion,
    async listen([first, ...others]) {
      const { server } = service.app
      try {
        // Fastify's own `listen` would open other sockets.
        server.listen({ fd: first }, BACKLOG)
        await once(server, 'listening')
        acceptors = await Promise.all(others.map((fd) => acceptFor(server, fd)))
      } catch (cause) {
        throw cannotListen(config, cause)
      }
    },
    async close() {
      const closed = acceptors.map((acceptor) => once(acceptor.close(), 'close'))
      await service.close()
      await Promise.all(closed)
    },
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
