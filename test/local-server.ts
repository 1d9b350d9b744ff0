/** Servers that stand for others: on a free port of the loopback, until the test ends. */
import { once } from 'node:events'
import { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import type { TestContext } from 'node:test'

export async function localServer(
  t: Pick<TestContext, 'after'>,
  server: Server,
): Promise<{ port: number; url: string }> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    if (server instanceof HttpServer) server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}` }
}
