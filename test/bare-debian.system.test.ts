/**
 * The README's commands on a Debian 12 that has npm and nothing else: Node 18,
 * no compiler, no checkout of ours. Root and scripts/ci-services make that Debian; the test works
 * in it by chroot, as a new user would.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { reasonForNoMachine } from './debian-machine.ts'
import { listening } from './listening.ts'

const DEBIAN = process.env['TAMIS_TEST_DEBIAN'] ?? '/opt/tamis-test/debian12'

const REPOSITORY = join(import.meta.dirname, '..')

/** The folder that the systemd units expect. */
const PLACE = '/opt/tamis'

/** npm ci downloads some 70 MB. */
const INSTALL_MS_MAX = 5 * 60_000

const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
  TAMIS_PORT: '0',
  // npm asks the registry whether there is a newer npm before it runs what it is told to.
  npm_config_update_notifier: 'false',
}

const skip = reasonToSkip()

describe('a bare Debian 12', { skip }, () => {
  before(async () => {
    inDebian(['mkdir', '-p', PLACE])
    inDebian(['mount', '-t', 'proc', 'proc', '/proc'])
    copyRepository(join(DEBIAN, PLACE))
    inDebian(['sh', '-c', `cd ${PLACE} && npm ci`])
  })
  after(() => {
    inDebian(['umount', '/proc'])
    rmSync(join(DEBIAN, PLACE), { recursive: true, force: true })
  })

  it('starts by the commands of the README, judges a message and has the console', async (t) => {
    const service = start(['sh', '-c', `cd ${PLACE} && exec npm start`])
    t.after(() => end(service))
    const url = await listening(service.stdout!)
    const answer = await fetch(`${url}/classify-stream`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822' },
      body: readFileSync(join(REPOSITORY, 'examples/phishing.eml')),
    })
    assert.equal(answer.status, 200)
    const { isSpam } = (await answer.json()) as { readonly isSpam: boolean }
    assert.equal(isSpam, true)
    assert.match(await (await fetch(url)).text(), /<title>Tamis/)
  })
})

function reasonToSkip(): string | false {
  const reason = reasonForNoMachine(DEBIAN)
  if (reason !== false) return reason
  if (!existsSync(join(DEBIAN, 'usr/bin/npm'))) {
    return `there is no Debian in ${DEBIAN} (scripts/ci-services makes one)`
  }
  if (!existsSync(join(REPOSITORY, '.git'))) return 'this is no checkout'
  return false
}

/** Copies the files that are or would be committed, and nothing that was built or installed here. */
function copyRepository(to: string): void {
  execFileSync(
    'sh',
    [
      '-c',
      'git ls-files -z --cached --others --exclude-standard | tar -c --null --ignore-failed-read -T - | tar -x -C "$0"',
      to,
    ],
    { cwd: REPOSITORY, stdio: ['ignore', 'ignore', 'ignore'] },
  )
}

function inDebian(command: readonly string[]): void {
  execFileSync('chroot', [DEBIAN, ...command], {
    env: ENVIRONMENT,
    timeout: INSTALL_MS_MAX,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Starts a command in a process group of its own: npm, a shell and Node are three processes. */
function start(command: readonly string[]): ChildProcess {
  return spawn('chroot', [DEBIAN, ...command], {
    env: ENVIRONMENT,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function end(service: ChildProcess): Promise<void> {
  const ended = once(service, 'exit')
  if (service.exitCode === null) process.kill(-service.pid!)
  await ended
}
