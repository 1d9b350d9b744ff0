/**
 * The README's commands and the systemd unit on a Debian 12 that has npm and nothing else: Node 18,
 * no compiler, no checkout of ours. Root and scripts/ci-services make that Debian; the test works
 * in it by chroot, as a new user would.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { after, before, describe, it } from 'node:test'

const DEBIAN = process.env['TAMIS_TEST_DEBIAN'] ?? '/opt/tamis-test/debian12'

const REPOSITORY = join(import.meta.dirname, '..')

/** The folder that the systemd unit expects. */
const PLACE = '/opt/tamis'

/** npm ci downloads some 70 MB. */
const INSTALL_MS_MAX = 5 * 60_000

/** The user that the service runs as, which is not this test's user. */
const USER = 'nobody'

const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
  TAMIS_PORT: '0',
}

const skip = reasonToSkip()

describe('a bare Debian 12', { skip }, () => {
  before(() => {
    inDebian(['mkdir', '-p', PLACE])
    inDebian(['mount', '-t', 'proc', 'proc', '/proc'])
    copyRepository(join(DEBIAN, PLACE))
    inDebian(['sh', '-c', `cd ${PLACE} && npm ci`])
  })
  after(() => {
    inDebian(['umount', '/proc'])
    rmSync(join(DEBIAN, PLACE), { recursive: true, force: true })
  })

  it('starts by the commands of the README, and judges a message', async (t) => {
    const service = start(['sh', '-c', `cd ${PLACE} && exec npm start`])
    t.after(() => end(service))
    const url = await listening(service)
    const answer = await fetch(`${url}/classify-stream`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822' },
      body: readFileSync(join(REPOSITORY, 'examples/phishing.eml')),
    })
    assert.equal(answer.status, 200)
    const { isSpam } = (await answer.json()) as { readonly isSpam: boolean }
    assert.equal(isSpam, true)
  })

  it('has the console', async (t) => {
    const service = start(['sh', '-c', `cd ${PLACE} && exec npm start`])
    t.after(() => end(service))
    const page = await fetch(await listening(service))
    assert.match(await page.text(), /<title>Tamis/)
  })

  it('starts as deploy/tamis.service does, for a user without rights', async (t) => {
    const unit = readFileSync(join(REPOSITORY, 'deploy/tamis.service'), 'utf8')
    const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit)!
    const data = '/var/lib/tamis-test'
    mkdirSync(join(DEBIAN, data), { recursive: true })
    t.after(() => rmSync(join(DEBIAN, data), { recursive: true, force: true }))
    inDebian(['chown', USER, data])
    const service = start(
      [
        'setpriv',
        `--reuid=${USER}`,
        '--regid=nogroup',
        '--clear-groups',
        'sh',
        '-c',
        `cd ${PLACE} && exec ${command}`,
      ],
      { TAMIS_DATA_DIR: data, HOME: data },
    )
    t.after(() => end(service))
    assert.equal((await fetch(`${await listening(service)}/ready`)).status, 200)
  })
})

function reasonToSkip(): string | false {
  if (process.getuid?.() !== 0) return 'chroot is for root'
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
function start(command: readonly string[], environment: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn('chroot', [DEBIAN, ...command], {
    env: { ...ENVIRONMENT, ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function listening({ stdout }: ChildProcess): Promise<string> {
  for await (const line of createInterface(stdout!)) {
    const url = /http:\/\/[\d.:]+/.exec(line)?.[0]
    if (url !== undefined) return url
  }
  throw new Error('The service ended before it listened')
}

async function end(service: ChildProcess): Promise<void> {
  const ended = once(service, 'exit')
  if (service.exitCode === null) process.kill(-service.pid!)
  await ended
}
