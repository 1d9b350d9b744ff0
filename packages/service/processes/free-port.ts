/** The port on which all worker processes will listen. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { cannotListen } from './cannot-listen.ts'

/**
 * Time for the processes of a service that was killed to end, in milliseconds: each sees within one
 * message that its supervisor is gone. Whoever restarts the service is often faster.
 */
const OTHERS_END_MS = 2_000

const PAUSE_MS = 20

/**
 * `port`, or a free one for 0. It looks before anything is started, so that a port in use is told at once.
 *
 * @throws TamisError CONFIG_INVALID.
 */
export async function freePort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<number> {
  const deadline = performance.now() + OTHERS_END_MS
  for (;;) {
    try {
      return await listenOnce(host, port)
    } catch (error) {
      const isInUse = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (!isInUse || performance.now() > deadline) throw cannotListen({ host, port }, error)
      await sleep(PAUSE_MS)
    }
  }
}

async function listenOnce(host: string, port: number): Promise<number> {
  const server = createServer().listen({ host, port, exclusive: true })
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return taken
}
