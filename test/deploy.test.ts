/** The files in deploy/: they start the service as `npm start` does, with settings that there are. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { settings } from '../packages/service/config.ts'

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

/** The flags of `npm start`: 'exec node --a --b packages/service/start.ts'. */
const FLAGS: string[] = JSON.parse(read('package.json')).scripts.start.split(' ').slice(2, -1)

describe('deploy/', () => {
  for (const name of FILES.slice(0, 2)) {
    it(`${name} gives Node the flags of npm start`, () => {
      for (const flag of FLAGS) assert.ok(read(name).includes(flag), flag)
    })
  }

  for (const name of FILES) {
    it(`${name} names no setting that there is not`, () => {
      const known = new Set(settings().map(({ environment }) => environment))
      const named = read(name).match(/\b(?:TAMIS_[A-Z_]+|DATABASE_URL)\b/g) ?? []
      assert.ok(named.length > 0)
      for (const setting of named.filter((each) => each !== 'TAMIS_')) {
        assert.ok(known.has(setting), setting)
      }
    })
  }

  it('deploy/Dockerfile copies all that the service reads at work', () => {
    const copied = [...read('deploy/Dockerfile').matchAll(/^COPY (\S+) /gm)].map(([, path]) => path)
    for (const path of ['artifacts', 'packages/service', 'packages/mail', 'licences']) {
      assert.ok(copied.includes(path), path)
    }
  })
})
