import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { it } from 'node:test'
import { localServer } from '../../../../test/local-server.ts'
import { OpenConnections } from '../../main/open-connections.ts'

it('a request that an ended thread did not read is answered by 503, and a connection without one is closed', async (t) => {
  const connections = new OpenConnections()
  const sockets: Socket[] = []
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    const { _handle: handle } = socket as Socket & { readonly _handle: { readonly fd: number } }
    connections.enter(handle.fd)
    sockets.push(socket)
  })
  const { port } = await localServer(t, server)
  const [idle, waiting] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  await new Promise((resolve) => waiting.write('GET /health HTTP/1.1\r\n\r\n', resolve))
  while (sockets.length < 2) await once(server, 'connection')
  connections.answer()
  for (const socket of sockets) socket.destroy()
  assert.equal(await text(idle), '')
  assert.match(await text(waiting), /^HTTP\/1\.1 503 .*"code":"QUEUE_TIMEOUT"/s)
})
