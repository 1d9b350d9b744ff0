import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, it } from 'node:test'
import { listeningSockets } from '../../main/listening-sockets.ts'

/** Far longer than a thousand connections take, in milliseconds. */
const FLOOD_MS_MAX = 30_000

describe('the sockets of the service', () => {
  it('are at the port of the settings, or at a free one for 0, and keep it', async (t) => {
    const { host, port, close } = await listeningSockets({ host: '127.0.0.1', port: 0 }, 0)
    t.after(close)
    assert.equal(host, '127.0.0.1')
    assert.ok(port > 0)
    close()
    const again = await listeningSockets({ host, port }, 0)
    t.after(again.close)
    assert.equal(again.port, port)
  })

  it('let a flood wait while nothing is accepted', async (t) => {
    const sockets = await listeningSockets({ host: '127.0.0.1', port: 0 }, 0)
    t.after(sockets.close)
    await sockets.accept(() => {}, assert.fail)
    const flood = `let left = 1_000
      for (let i = left; i > 0; i--) {
        require('node:net').connect(process.argv[1], '127.0.0.1', () => --left || process.exit())
      }`
    // This thread waits, and accepts nothing meanwhile.
    execFileSync(process.execPath, ['-e', flood, `${sockets.port}`], { timeout: FLOOD_MS_MAX })
  })

  it('wait while a service that was killed still has the port', async (t) => {
    const { server, port } = await listening()
    const asked = listeningSockets({ host: '127.0.0.1', port }, 0)
    setTimeout(() => server.close(), 100)
    const sockets = await asked
    t.after(sockets.close)
    assert.equal(sockets.port, port)
  })

  it('are refused when another service keeps the port', async (t) => {
    const { server, port } = await listening()
    t.after(() => server.close())
    await assert.rejects(listeningSockets({ host: '127.0.0.1', port }, 0), {
      code: 'CONFIG_INVALID',
      message: `Cannot listen on TAMIS_HOST "127.0.0.1", TAMIS_PORT ${port}: another program listens there`,
    })
  })
})

async function listening() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}
