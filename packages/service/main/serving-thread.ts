/** A serving thread: the whole service (open-service.ts), which is given connections by the main thread. */
import { refusePublicBind } from '../access/loopback.ts'
import { LogLines } from '../http/log.ts'
import { openService } from '../open-service.ts'
import { connectionsTo } from './open-connections.ts'
import { type Links, type Running, runUnderMain, type StartOrder } from './under-main.ts'

runUnderMain(open)

async function open({ config, connections }: StartOrder, links: Links): Promise<Running> {
  const log = { level: config.logLevel, stream: new LogLines(process.stdout) }
  const service = await openService(config, log, { ...links, hasOffice: false })
  // Without a key a public address is refused before anybody can connect to it.
  if (!service.keysNeeded) refusePublicBind(config.host)
  const { take, drain } = connectionsTo(service.app.server, connections, service.filters)
  return {
    modelsVersion: service.modelsVersion,
    connection: take,
    drain,
    close: () => service.close(),
  }
}
