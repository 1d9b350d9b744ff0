import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, it } from 'node:test'
import { localServer } from '../../../../test/local-server.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { serviceClient, serviceUrl } from '../../cli/service-options.ts'

const folder = temporaryFolder()

describe('serviceUrl', () => {
  for (const [host, url] of [
    ['127.0.0.1', 'http://127.0.0.1:9025'],
    ['localhost', 'http://localhost:9025'],
    ['::1', 'http://[::1]:9025'],
    ['192.0.2.7', 'http://192.0.2.7:9025'],
    ['0.0.0.0', 'http://127.0.0.1:9025'],
    ['::', 'http://[::1]:9025'],
  ] as const) {
    it(`reaches a service that listens on ${host}`, () => {
      assert.equal(serviceUrl({ host, port: 9025 }), url)
    })
  }

  it('is none where only the service knows its port', () => {
    assert.throws(() => serviceUrl({ host: 'localhost', port: 0 }), { code: 'CONFIG_INVALID' })
  })
})

describe('serviceClient', () => {
  const before = process.env['TAMIS_CONFIG']
  afterEach(() => {
    if (before === undefined) delete process.env['TAMIS_CONFIG']
    else process.env['TAMIS_CONFIG'] = before
  })

  it('finds the service by the settings of the service', async (t) => {
    const server = createServer((_request, response) => response.end('{"status":"ok"}'))
    const { port } = await localServer(t, server)
    useSettings({ port })
    assert.deepEqual(await serviceClient({}).get('/health'), { status: 'ok' })
  })
})

function useSettings(settings: object): void {
  const file = join(folder, 'tamis.json')
  writeFileSync(file, JSON.stringify(settings))
  process.env['TAMIS_CONFIG'] = file
}
