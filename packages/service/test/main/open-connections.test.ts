import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { it, type TestContext } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { localServer } from '../../../../test/local-server.ts'
import { connectionsTo, OpenConnections } from '../../main/open-connections.ts'

/** Accepts connections, and enters each for a thread. */
async function accepting(
  t: TestContext,
  connections: OpenConnections,
  take: (descriptor: number, entry: number) => void = () => {},
) {
  const sockets: Socket[] = []
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    const { _handle: handle } = socket as Socket & { readonly _handle: { readonly fd: number } }
    take(...connections.enter(handle.fd)!)
    sockets.push(socket)
  })
  return { server, sockets, port: (await localServer(t, server)).port }
}

it('a connection whose request does not come to an end is refused in time', async (t) => {
  const options = { headersTimeout: 10, requestTimeout: 10, connectionsCheckingInterval: 10 }
  const http = createHttpServer(options)
  t.after(() => http.close())
  const connections = new OpenConnections()
  const { port, sockets } = await accepting(
    t,
    connections,
    connectionsTo(http, connections.memory).take,
  )
  const slow = connect(port, '127.0.0.1')
  slow.write('GET /health HTTP/1.1\r\nHost: ')
  const answer = text(slow)
  await eventually(() => sockets.length === 1)
  sockets[0]!.destroy()
  assert.match(await answer, /^HTTP\/1\.1 408 /)
  await eventually(() => connections.count === 0)
})

it('a connection for which there is no descriptor is not entered', () => {
  const connections = new OpenConnections()
  assert.equal(connections.enter(-1), undefined)
  assert.equal(connections.count, 0)
})

it('a request that an ended thread did not read is answered by 503, and a connection without one is closed', async (t) => {
  const connections = new OpenConnections()
  const { server, sockets, port } = await accepting(t, connections)
  const [idle, waiting] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  await new Promise((resolve) => waiting.write('GET /health HTTP/1.1\r\n\r\n', resolve))
  while (sockets.length < 2) await once(server, 'connection')
  connections.answer()
  for (const socket of sockets) socket.destroy()
  assert.equal(await text(idle), '')
  assert.match(await text(waiting), /^HTTP\/1\.1 503 .*"code":"QUEUE_TIMEOUT"/s)
})
