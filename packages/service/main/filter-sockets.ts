/** The sockets on which milter and spamd listen. */
import type { Server } from 'node:net'
import type { Config } from '../config.ts'
import type { Log } from '../http/log.ts'
import type { FilterName } from '../integrations/filter.ts'
import { isPublic, listenAt } from '../integrations/listen-address.ts'
import { acceptor } from './listening-sockets.ts'

export interface FilterSockets {
  /** Accepts no more. */
  close(): void
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
): Promise<FilterSockets> {
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
