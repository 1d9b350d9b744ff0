/** The systemd units in deploy/, as systemd reads them, and as one runs them. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type DebianMachine, reasonForNoMachine, startDebian } from './debian-machine.ts'
import { eventually } from './eventually.ts'

const DEPLOY = join(import.meta.dirname, '../deploy')

const noSystemd =
  spawnSync('systemd-analyze', ['--version']).status !== 0 && 'systemd-analyze is not installed'

const UNITS = ['tamis.socket', 'tamis.service', 'tamis-milter.service', 'tamis-spamd.service']

describe('deploy/', () => {
  for (const name of UNITS) {
    it(`deploy/${name} is a unit that systemd takes`, { skip: noSystemd }, (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'tamis-unit-'))
      t.after(() => rmSync(folder, { recursive: true }))
      // The socket needs its service. Tamis stands elsewhere on machines that test, and its documents do.
      for (const each of UNITS) {
        const unit = readFileSync(join(DEPLOY, each), 'utf8')
          .replace(/(?<=^ExecStart=)\S+/m, process.execPath)
          .replace(/^Documentation=.*$/m, '')
        writeFileSync(join(folder, each), unit)
      }
      const verify = spawnSync('systemd-analyze', ['verify', join(folder, name)], {
        encoding: 'utf8',
      })
      assert.equal(verify.status, 0, verify.stderr)
      assert.equal(verify.stderr, '')
    })
  }
})

const DEBIAN = join(process.env['TAMIS_TEST_DEBIANS'] ?? '/opt/tamis-test', 'debian12-systemd')

describe('deploy/tamis.socket', { skip: reasonForNoMachine(DEBIAN) }, () => {
  it('keeps its connections while the service cannot start, and they start it once it can', async (t) => {
    const debian = await startDebian(DEBIAN)
    t.after(() => debian.end())
    const state = (unit: string) => debian.run(`systemctl show -p ActiveState --value ${unit}`)
    // In place of the service: a wrong setting, until there is /run/mended.
    const program = `/bin/sh -c 'echo >>/run/lock/starts; [ -e /run/mended ] || exit 78; exec sleep infinity'`
    const unit = readFileSync(join(DEPLOY, 'tamis.service'), 'utf8')
      .replace(/^User=.*$/m, 'ReadWritePaths=/run/lock')
      .replace(/(?<=^ExecStart=).*$/m, () => program)
    writeUnit(debian, 'tamis.service', unit)
    writeUnit(debian, 'tamis.socket', readFileSync(join(DEPLOY, 'tamis.socket'), 'utf8'))
    debian.run('systemctl daemon-reload; systemctl start tamis.socket')
    debian.run(
      `nohup bash -c 'exec 3<>/dev/tcp/127.0.0.1/8025; sleep infinity' >/dev/null 2>&1 & true`,
    )
    // One more than systemd allows by default.
    await eventually(() => Number(debian.run('wc -l </run/lock/starts || true')) >= 6)
    assert.equal(state('tamis.socket'), 'active\n')

    debian.run('touch /run/mended')
    await eventually(() => state('tamis.service') === 'active\n')
  })
})

function writeUnit(debian: DebianMachine, name: string, text: string): void {
  debian.run(`cat >/etc/systemd/system/${name} <<'UNIT'\n${text}\nUNIT`)
}
