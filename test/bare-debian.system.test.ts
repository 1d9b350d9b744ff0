/**
 * The README's commands and the systemd units on a Debian 12 that has npm and nothing else: Node 18,
 * no compiler, no checkout of ours. Root and scripts/ci-services make that Debian; the test works
 * in it by chroot, as a new user would, and starts it for the units.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { reasonForNoMachine, serviceReady, startDebian } from './debian-machine.ts'
import { blocks } from './document-blocks.ts'
import { eventually } from './eventually.ts'
import { listening } from './listening.ts'

const DEBIAN = process.env['TAMIS_TEST_DEBIAN'] ?? '/opt/tamis-test/debian12'

const REPOSITORY = join(import.meta.dirname, '..')

/** The folder that the systemd units expect. */
const PLACE = '/opt/tamis'

/** npm ci downloads some 70 MB. */
const INSTALL_MS_MAX = 5 * 60_000

/** Without its libraries the service ends within a second. */
const EARLY_START_MS_MAX = 60_000

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
  let startedEarly: Ran
  before(async () => {
    inDebian(['mkdir', '-p', PLACE])
    inDebian(['mount', '-t', 'proc', 'proc', '/proc'])
    copyRepository(join(DEBIAN, PLACE))
    startedEarly = await ranInDebian(`cd ${PLACE} && npm start`, EARLY_START_MS_MAX)
    const installed = await ranInDebian(`cd ${PLACE} && npm ci`, INSTALL_MS_MAX)
    assert.equal(installed.status, 0, installed.stderr)
  })
  after(() => {
    inDebian(['umount', '/proc'])
    rmSync(join(DEBIAN, PLACE), { recursive: true, force: true })
  })

  it('says what is missing to those who start it before npm ci', () => {
    const { stderr, status, hung } = startedEarly
    assert.equal(hung, undefined)
    assert.match(stderr, /^tamis: Tamis needs Node 24\.19 or later, or 26\.4 or later, .*`npm ci`/m)
    assert.doesNotMatch(stderr, /\n {4}at /)
    assert.equal(status, 78)
  })

  it('starts by the commands of the README, and judges a message', async (t) => {
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
  })

  it('has the console', async (t) => {
    const service = start(['sh', '-c', `cd ${PLACE} && exec npm start`])
    t.after(() => end(service))
    const page = await fetch(await listening(service.stdout!))
    assert.match(await page.text(), /<title>Tamis/)
  })

  it('runs the units of deploy/, installed by the commands of docs/installing.md', async (t) => {
    const [, install = '', addKey = ''] = blocks('sh', page('A clone with systemd'))
    const debian = await startDebian(DEBIAN)
    t.after(() => debian.end())
    debian.run(install)
    await serviceReady(debian, `${PLACE}/node_modules/.bin/node`)
    assert.match(debian.run(addKey), /^tamis_/)
    assert.equal(debian.run('find /var/lib/tamis ! -user tamis'), '')
    debian.run('systemctl start tamis-milter tamis-spamd')
    await eventually(() => debian.run('ls /run/tamis') === 'milter.sock\nspamd.sock\n')
  })
})

/** The text of the chapter `heading` of docs/installing.md. */
function page(heading: string): string {
  const text = readFileSync(join(REPOSITORY, 'docs/installing.md'), 'utf8')
  return text.split(/^## /m).find((chapter) => chapter.startsWith(heading))!
}

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

interface Ran {
  readonly stderr: string
  readonly status: number | null
  /** Where each of its processes waited, when it had not ended in time. */
  readonly hung?: string
}

async function ranInDebian(script: string, msMax: number): Promise<Ran> {
  const child = start(['sh', '-c', script], 'pipe')
  child.stdout!.resume()
  const stderr = text(child.stderr!)
  let hung: string | undefined
  const deadline = setTimeout(() => {
    hung = waitingProcesses(child.pid!)
    process.kill(-child.pid!, 'SIGKILL')
  }, msMax)
  const [status] = (await once(child, 'close')) as [number | null]
  clearTimeout(deadline)
  return { stderr: await stderr, status, ...(hung !== undefined && { hung }) }
}

/** The processes of a group, each with the call of the kernel in which it waits. */
function waitingProcesses(group: number): string {
  return execFileSync('ps', ['-eLo', 'pgid,pid,tid,stat,wchan:24,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => Number.parseInt(line, 10) === group)
    .join('\n')
}

/** Starts a command in a process group of its own: npm, a shell and Node are three processes. */
function start(command: readonly string[], stderr: 'pipe' | 'inherit' = 'inherit'): ChildProcess {
  return spawn('chroot', [DEBIAN, ...command], {
    env: ENVIRONMENT,
    detached: true,
    stdio: ['ignore', 'pipe', stderr],
  })
}

async function end(service: ChildProcess): Promise<void> {
  const ended = once(service, 'exit')
  if (service.exitCode === null) process.kill(-service.pid!)
  await ended
}
