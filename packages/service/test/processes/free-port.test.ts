import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, it } from 'node:test'
import { freePort } from '../../processes/free-port.ts'

describe('the port of the service', () => {
  it('is the one of the settings, or a free one for 0', async () => {
    const port = await freePort({ host: '127.0.0.1', port: 0 })
    assert.ok(port > 0)
    assert.equal(await freePort({ host: '127.0.0.1', port }), port)
  })

  it('is waited for while a service that was killed still has it', async () => {
    const { server, port } = await listening()
    const asked = freePort({ host: '127.0.0.1', port })
    setTimeout(() => server.close(), 100)
    assert.equal(await asked, port)
  })

  it('is refused when another service keeps it', async (t) => {
    const { server, port } = await listening()
    t.after(() => server.close())
    await assert.rejects(freePort({ host: '127.0.0.1', port }), {
      code: 'CONFIG_INVALID',
      message: `Cannot listen on TAMIS_HOST "127.0.0.1", TAMIS_PORT ${port}: another program listens there`,
    })
  })

  it('is refused at an address that this machine does not have', async () => {
    await assert.rejects(freePort({ host: '192.0.2.1', port: 0 }), {
      code: 'CONFIG_INVALID',
      message:
        /^Cannot listen on TAMIS_HOST "192.0.2.1", TAMIS_PORT 0: this machine has no such address$/,
    })
  })
})

async function listening() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}
