/** `tamis milter` as an operator starts it: what it takes, what it refuses, and how it ends. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const COMMAND = [join(import.meta.dirname, '../../cli/tamis.ts'), 'milter']

describe('tamis milter', () => {
  for (const [option, value, allowed] of [
    ['--listen', 'inet:70000@127.0.0.1', 'Allowed: inet:PORT@HOST or unix:/PATH.'],
    ['--skip-networks', '192.0.2.0/33', 'Allowed: addresses and networks'],
    ['--reject-at', '1.5', 'Allowed: 0 to 1.'],
    ['--reject-text', '100 % spam', 'ASCII characters without %'],
    ['--temp-dir', '/nowhere', 'Allowed: a folder that can be written to.'],
    ['--url', 'ftp://example.com', 'http://host:port'],
  ] as const) {
    it(`refuses ${option} ${value}, and says what is allowed`, () => {
      const { status, stderr } = spawnSync(process.execPath, [...COMMAND, option, value], {
        encoding: 'utf8',
      })
      assert.equal(status, 64)
      assert.ok(
        stderr.includes(option) && stderr.includes(value) && stderr.includes(allowed),
        stderr,
      )
    })
  }

  it('names the variable of the environment that is wrong', () => {
    const env = { ...process.env, TAMIS_MILTER_USER_OF: 'everybody' }
    const { stderr } = spawnSync(process.execPath, COMMAND, { env, encoding: 'utf8' })
    assert.match(stderr, /TAMIS_MILTER_USER_OF.*Allowed choices are address, localpart, none/)
  })

  it('says where it listens, warns of a public address, and ends with SIGTERM', async () => {
    const child = spawn(process.execPath, [...COMMAND, '--listen', 'inet:0@0.0.0.0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    while (!output.includes('The milter listens')) {
      output += (await once(child.stdout, 'data'))[0]
    }
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
    const [warning, listening] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.equal(warning.level, 40)
    assert.match(listening.listen[0], /^inet:\d+@0\.0\.0\.0$/)
  })
})
