/**
 * The Debian package, from installation to purge, on a Debian 12 with its own systemd. The tests build on each other.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import {
  type DebianMachine,
  reasonForNoMachine,
  serviceReady,
  startDebian,
} from './debian-machine.ts'
import { blocks } from './document-blocks.ts'
import { eventually } from './eventually.ts'

const ROOT = join(import.meta.dirname, '..')

const ROOT_OF_DEBIAN = join(
  process.env['TAMIS_TEST_DEBIANS'] ?? '/opt/tamis-test',
  'debian12-systemd',
)

/** The Node of the package. */
const NODE = '/usr/lib/tamis/bin/node'

const skip = reasonToSkip()

/** The folder of `tamis.deb` and `next.deb`, the same with a higher version; /shared in each Debian. */
let packages = ''
before(() => {
  if (skip) return
  packages = mkdtempSync(join(tmpdir(), 'tamis-packages-'))
  // apt reads a package as a user of its own.
  chmodSync(packages, 0o755)
  const built = execFileSync('npm', ['run', '-s', 'package:deb', '--', packages], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  renameSync(built.trim(), join(packages, 'tamis.deb'))
  packAgain('99.0.0')
})
after(() => {
  if (!skip) rmSync(packages, { recursive: true })
})

describe('the package on Debian 12', { skip }, () => {
  let debian: DebianMachine
  before(async () => {
    debian = await startDebian(ROOT_OF_DEBIAN, packages)
    // It has no network.
    debian.run('rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/*')
  })
  after(() => debian?.end())

  it('is installed by the command of docs/installing.md', async () => {
    debian.run(commandsWith('apt install ./dist').replace(/\S+\.deb/, '--yes /shared/tamis.deb'))
    await serviceReady(debian, NODE)
    assert.equal(debian.run(`stat --format=%U /proc/${pidOf(debian)}`), 'tamis\n')
    assert.equal(debian.run('stat --format="%U %a" /var/lib/tamis'), 'tamis 700\n')
    assert.equal(debian.run('systemctl is-enabled tamis.socket tamis'), 'enabled\n'.repeat(2))
    assert.equal(debian.run('systemctl is-active tamis.socket'), 'active\n')
  })

  it('has the command, for every user', () => {
    const classify = 'tamis classify /usr/lib/tamis/examples/phishing.eml || test $? = 1'
    assert.match(
      debian.run(`setpriv --reuid=nobody --clear-groups sh -c '${classify}'`),
      /"isSpam":true/,
    )
  })

  it('has the milter and spamd by the commands of docs/installing.md', async () => {
    debian.run(commandsWith('milterListen'))
    await eventually(() => debian.run('ls /run/tamis') === 'milter.sock\nspamd.sock\n')
  })

  it('leaves its data to its user when root adds a key and corrects', () => {
    debian.run('tamis keys add --name test --scopes classify >/root/key')
    debian.run('tamis learn --user ann --spam /usr/lib/tamis/examples/phishing.eml')
    assert.equal(debian.run('find /var/lib/tamis ! -user tamis'), '')
  })

  it('opens to other machines by the commands of docs/installing.md, and takes that key', async () => {
    debian.run(commandsWith('ListenStream'))
    await serviceReady(debian, NODE)
    const addresses = debian.run('systemctl show --property=Listen --value tamis.socket')
    assert.equal(addresses, '0.0.0.0:8025 (Stream)\n')
    assert.equal(status(debian, 'no key'), '401')
    assert.equal(status(debian, '$(cat /root/key)'), '200')
  })

  it('is upgraded: settings and keys stay, and what runs is the new version', async () => {
    const before = pidOf(debian)
    const settings = debian.run('cat /etc/tamis/tamis.json')
    debian.run(commandsWith('install -d -m 700 /var/backups/tamis'))
    debian.run('systemctl start tamis.socket tamis')
    await serviceReady(debian, NODE)
    startAsking(debian)
    debian.run('apt-get install --yes /shared/next.deb')
    await serviceReady(debian, NODE)
    const { answered, lost } = endAsking(debian)
    assert.ok(answered > 0)
    // One may have come as the old service was ending.
    assert.ok(lost <= 1, `${lost} of ${answered + lost} were lost`)
    assert.equal(debian.run('tamis --version'), '99.0.0\n')
    assert.equal(status(debian, '$(cat /root/key)'), '200')
    assert.equal(debian.run('cat /etc/tamis/tamis.json'), settings)
    assert.notEqual(pidOf(debian), before)
  })

  it('is put back to the version before, with the settings and keys of then', async () => {
    debian.run('tamis keys add --name later')
    const back = commandsWith('--allow-downgrades')
    debian.run(back.replace(/\S+\.deb/, '/shared/tamis.deb').replace('install', 'install --yes'))
    await serviceReady(debian, NODE)
    assert.notEqual(debian.run('tamis --version'), '99.0.0\n')
    assert.equal(status(debian, '$(cat /root/key)'), '200')
    assert.doesNotMatch(debian.run('tamis keys list'), /later/)
    debian.run('rm -r /var/backups/tamis')
  })

  it('is removed: nothing runs, settings and data stay', () => {
    debian.run('apt-get remove --yes tamis')
    assert.equal(debian.run('find /proc/[0-9]* -maxdepth 0 -user tamis'), '')
    assert.equal(debian.run('find /usr -iname "*tamis*"'), '')
    assert.equal(
      debian.run('ls /etc/tamis /var/lib/tamis/tamis.sqlite'),
      '/var/lib/tamis/tamis.sqlite\n\n/etc/tamis:\ntamis.json\n',
    )
  })

  it('is purged: nothing stays but the user', () => {
    debian.run('rm -r /etc/systemd/system/tamis.socket.d')
    debian.run('apt-get purge --yes tamis')
    assert.equal(debian.run(`find /etc /usr /var -iname '*tamis*' ! -path '/var/log/*'`), '')
    assert.match(debian.run('getent passwd tamis'), /nologin\n$/)
  })
})

function reasonToSkip(): string | false {
  if (spawnSync('dpkg-deb', ['--version']).status !== 0) return 'dpkg-deb is not installed'
  return reasonForNoMachine(ROOT_OF_DEBIAN)
}

function pidOf(debian: DebianMachine): string {
  return debian.run('systemctl show --property=MainPID --value tamis').trim()
}

/** The one block of commands in docs/installing.md with all of `words`. */
function commandsWith(...words: readonly string[]): string {
  const page = blocks('sh', readFileSync(join(ROOT, 'docs/installing.md'), 'utf8'))
  const found = page.filter((block) => words.every((word) => block.includes(word)))
  assert.equal(found.length, 1, words.join(', '))
  return found[0]!
}

/** Makes `next.deb` of `tamis.deb`. */
function packAgain(version: string): void {
  const tree = join(packages, 'tree')
  execFileSync('dpkg-deb', ['--raw-extract', join(packages, 'tamis.deb'), tree])
  for (const [path, from, to] of [
    ['DEBIAN/control', /^Version: .*$/m, `Version: ${version}`],
    ['usr/lib/tamis/package.json', /"version": "[^"]+"/, `"version": "${version}"`],
  ] as const) {
    writeFileSync(join(tree, path), readFileSync(join(tree, path), 'utf8').replace(from, to))
  }
  const next = join(packages, 'next.deb')
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, next])
  rmSync(tree, { recursive: true })
}

/** The status of an answer to a message; `key` as the shell reads it. */
function status(debian: DebianMachine, key: string): string {
  return node(
    debian,
    `const body = (await import('node:fs')).readFileSync('/usr/lib/tamis/examples/order.eml')
    const headers = { 'content-type': 'message/rfc822', authorization: 'Bearer ' + process.argv[1] }
    const { status } = await fetch('http://127.0.0.1:8025/classify-stream', { method: 'POST', headers, body })
    console.log(status)`,
    key,
  ).trim()
}

/** Asks the service again and again, over a connection each time, until `endAsking`. */
function startAsking(debian: DebianMachine): void {
  const program = `let asks = true
    process.on('SIGTERM', () => (asks = false))
    const counts = { answered: 0, lost: 0 }
    while (asks) {
      const url = 'http://127.0.0.1:8025/health'
      const ok = await fetch(url, { headers: { connection: 'close' } }).then((r) => r.ok, () => false)
      counts[ok ? 'answered' : 'lost']++
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    ;(await import('node:fs')).writeFileSync('/run/asked', JSON.stringify(counts))`
  const quoted = program.replaceAll("'", `'\\''`)
  const output = '</dev/null >/dev/null 2>&1'
  debian.run(`${NODE} --input-type=module -e '${quoted}' ${output} & echo $! >/run/asking`)
}

function endAsking(debian: DebianMachine): { answered: number; lost: number } {
  const wait = 'while [ ! -s /run/asked ]; do sleep 0.1; done'
  return JSON.parse(debian.run(`kill $(cat /run/asking); ${wait}; cat /run/asked`))
}

/** What a program prints that Node of the package runs. */
function node(debian: DebianMachine, program: string, argument = ''): string {
  const quoted = program.replaceAll("'", `'\\''`)
  return debian.run(`${NODE} --input-type=module -e '${quoted}' -- "${argument}"`)
}
