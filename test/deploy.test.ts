/** The files in deploy/: they start the service as `npm start` does, with settings that there are. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readConfig, SETTINGS } from '../packages/service/config.ts'

const ROOT = join(import.meta.dirname, '..')

function read(name: string): string {
  return readFileSync(join(ROOT, name), 'utf8')
}

const FILES = [
  'deploy/tamis.service',
  'deploy/Dockerfile',
  'deploy/compose.yaml',
  'deploy/nginx.conf',
]

describe('deploy/', () => {
  for (const name of FILES) {
    it(`${name} names no setting that there is not`, () => {
      const known = new Set(Object.values(SETTINGS).map(({ environment }) => environment))
      const named = read(name).match(/\b(?:TAMIS_[A-Z_]+|DATABASE_URL)\b/g) ?? []
      assert.ok(named.length > 0)
      // TAMIS_CONFIG names the file of the settings.
      for (const setting of named.filter((each) => each !== 'TAMIS_CONFIG')) {
        assert.ok(known.has(setting), setting)
      }
    })
  }

  it('deploy/debian/tamis.json has settings that there are, and the data where the unit may write', () => {
    const { dataDir } = readConfig({ TAMIS_CONFIG: 'deploy/debian/tamis.json' }, read)
    assert.equal(dataDir, '/var/lib/tamis')
    assert.match(read('deploy/tamis.service'), /^StateDirectory=tamis$/m)
  })

  it('deploy/tamis.socket is at the address of the service by default, and queues as many connections', () => {
    const { host, port } = readConfig({}, read)
    const unit = read('deploy/tamis.socket')
    assert.match(unit, new RegExp(`^ListenStream=${host.replaceAll('.', '\\.')}:${port}$`, 'm'))
    const backlog = /BACKLOG = (\S+)/.exec(read('packages/service/main/listening-sockets.ts'))![1]!
    assert.match(unit, new RegExp(`^Backlog=${backlog.replace('_', '')}$`, 'm'))
  })

  it('deploy/Dockerfile exposes the port of the service, and keeps what it writes for its user', () => {
    const image = read('deploy/Dockerfile')
    const port = SETTINGS.port.default
    assert.match(image, new RegExp(`^EXPOSE ${port}$`, 'm'))
    assert.match(image, new RegExp(`fetch\\('http://127\\.0\\.0\\.1:${port}/ready'\\)`))
    const [, folder] = /TAMIS_DATA_DIR=(\S+)/.exec(image)!
    const [, user] = /^USER (\S+)$/m.exec(image)!
    assert.match(image, new RegExp(`^VOLUME ${folder}$`, 'm'))
    assert.match(image, new RegExp(`chown ${user}:${user} ${folder}$`, 'm'))
  })
})
