import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { discardRest } from '../../http/discard-rest.ts'

const MIB = 1024 * 1024

describe('discardRest', () => {
  /** Refuses each request for `/` as soon as its header is there. */
  const server = createServer((request, response) => {
    discardRest(request, response)
    response.writeHead(request.url === '/' ? 413 : 200)
    response.end()
  })
  let client: Socket

  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })

  after(() => {
    client.destroy()
    server.closeAllConnections()
    server.close()
  })

  /** Sends `fields` and then each of `chunks`, and reads nothing before all of them are sent. */
  async function send(fields: string, chunks: Iterable<Uint8Array | string>): Promise<void> {
    client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    // `write` reports them too.
    client.on('error', () => {})
    client.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n`)
    for (const chunk of chunks) {
      await new Promise<void>((resolve, reject) => {
        client.write(chunk, (error) => (error ? reject(error) : resolve()))
      })
    }
  }

  async function nextAnswer(): Promise<string> {
    const [answer] = await once(client, 'data')
    return String(answer)
  }

  for (const connection of ['keep-alive', 'close']) {
    it(`lets a client send all of a large body before it reads the answer (Connection: ${connection})`, async () => {
      await send(`Connection: ${connection}\r\nContent-Length: ${32 * MIB}\r\n`, [
        Buffer.alloc(32 * MIB),
      ])
      assert.match(await nextAnswer(), /^HTTP\/1\.1 413 /)
    })
  }

  it('closes the connection after the rest when its answer said so', async () => {
    await send(`Connection: close\r\nContent-Length: ${MIB}\r\n`, [Buffer.alloc(MIB)])
    client.resume()
    await once(client, 'end')
    await once(client, 'close')
  })

  it('lets the connection take another request after the rest', async () => {
    await send(`Content-Length: ${MIB}\r\n`, [Buffer.alloc(MIB)])
    assert.match(await nextAnswer(), /^HTTP\/1\.1 413 /)
    client.write('GET /next HTTP/1.1\r\nHost: localhost\r\n\r\n')
    assert.match(await nextAnswer(), /^HTTP\/1\.1 200 /)
  })

  for (const connection of ['keep-alive', 'close']) {
    it(`cuts a body that goes on byte by byte (Connection: ${connection})`, async () => {
      const fields = `Connection: ${connection}\r\nTransfer-Encoding: chunked\r\n`
      await assert.rejects(send(fields, Array<string>(100).fill('1\r\na\r\n'.repeat(10_000))))
    })
  }

  it('cuts a body without end', async () => {
    const fields = `Connection: close\r\nContent-Length: ${256 * MIB}\r\n`
    await assert.rejects(send(fields, Array<Uint8Array>(256).fill(Buffer.alloc(MIB))))
  })
})
