/**
 * A real Dovecot with the files of deploy/dovecot/, set up by the commands of
 * docs/integrations/dovecot.md, in a temporary folder, on a free port, as a user without rights. Only
 * paths and users are others.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../../../test/eventually.ts'
import { freePort, programOf, run as runProgram } from '../programs.ts'
import { ImapSession } from './clients.ts'

const ROOT = join(import.meta.dirname, '../../../../..')

/** Where the page and the files put things, and where they are here. */
const INSTALLED = {
  '/etc/dovecot': '.',
  '/usr/local/lib/tamis': 'programs',
  '/var/spool/tamis-dovecot': 'spool',
}

/** All of them have it. */
const PASSWORD = 'secret'

/** Time from the first process to the first greeting, on a busy machine. */
const START_MS_MAX = 40_000

/** Mail processes end when their clients do. */
const STOP_MS_MAX = 5_000

/** Why there is no Dovecot to test with, or false. */
export const noDovecot: string | false =
  missing('dovecot', ['--version']) ??
  missing('curl', ['--version']) ??
  missing('flock', ['--version']) ??
  (programOf('swaks').missing || undefined) ??
  (readPlugins().includes('lib95_imap_sieve_plugin.so')
    ? false
    : 'Pigeonhole (dovecot-sieve) is not installed')

function missing(command: string, args: readonly string[]): string | undefined {
  return spawnSync(command, args).status === 0 ? undefined : `${command} is not installed`
}

function readPlugins(): string[] {
  try {
    return readdirSync('/usr/lib/dovecot/modules')
  } catch {
    return []
  }
}

export interface DovecotOptions {
  /** Where Tamis listens. */
  readonly url: string
  /** Changes 90-tamis.conf. */
  readonly edit?: (configuration: string) => string
  /** What more commands of the page begin with, which are run too. */
  readonly recipe?: string
}

/** Turns the folders of classes on, as 90-tamis.conf says for those who want them. */
export function withClasses(configuration: string): string {
  return configuration.replace(/^#classes /gm, '')
}

/** A server that is stopped, and its folder removed, after the test. */
export async function startDovecot(t: TestContext, options: DovecotOptions): Promise<Dovecot> {
  const dovecot = await Dovecot.start(options)
  t.after(() => dovecot.stop())
  return dovecot
}

/** One server for all tests of a suite: each with users of its own. */
export function startDovecotOnce(options: () => DovecotOptions): () => Dovecot {
  let dovecot: Dovecot
  before(async () => {
    dovecot = await Dovecot.start(options())
  })
  after(() => dovecot.stop())
  return () => dovecot
}

export class Dovecot {
  readonly folder: string
  readonly #port: number
  readonly #process: ChildProcess

  private constructor(folder: string, port: number, process: ChildProcess) {
    this.folder = folder
    this.#port = port
    this.#process = process
  }

  static async start(options: DovecotOptions): Promise<Dovecot> {
    const folder = mkdtempSync(join(tmpdir(), 'tamis-dovecot-'))
    const port = await freePort()
    const owner = unprivileged()
    install(folder, port, owner, options)
    const child = spawn('dovecot', ['-F', '-c', join(folder, 'dovecot.conf')], {
      uid: owner.uid,
      gid: owner.gid,
      stdio: 'ignore',
    })
    const dovecot = new Dovecot(folder, port, child)
    try {
      await dovecot.#started()
    } catch (error) {
      await dovecot.stop()
      throw error
    }
    return dovecot
  }

  /** Ends it and removes its folder. */
  async stop(): Promise<void> {
    const child = this.#process
    if (child.exitCode === null) {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await Promise.race([exited, sleep(STOP_MS_MAX, undefined, { ref: false })])
      if (child.exitCode === null) child.kill('SIGKILL')
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 })
  }

  /** A client of `user`. */
  login(user: string): Promise<ImapSession> {
    return ImapSession.open(this.#port, user, PASSWORD)
  }

  /** Hands `message` to LMTP, as a mail server would. */
  async deliver(user: string, message: string): Promise<void> {
    const socket = ['--protocol', 'LMTP', '--socket', join(this.folder, 'run/lmtp')]
    const envelope = ['--from', 'bounces@example.net', '--to', user]
    const { status, stdout } = await runProgram('swaks', [
      ...socket,
      ...envelope,
      '--data',
      message,
    ])
    if (status !== 0) throw new Error(`LMTP: ${stdout}`)
  }

  /** What Dovecot, Pigeonhole and tamis-dovecot have logged. */
  log(): string {
    return readFileSync(join(this.folder, 'dovecot.log'), 'utf8')
  }

  /** Resolves once that stands in the log. */
  async logged(pattern: RegExp): Promise<void> {
    await eventually(() => pattern.test(this.log()), `${pattern} is not in ${this.folder}`)
  }

  /** Corrections that wait to be sent. */
  spooled(): string[] {
    return readdirSync(join(this.folder, 'spool')).filter((name) => /^\d/.test(name))
  }

  /** Resolves once all corrections that were recorded are sent. */
  async allSent(): Promise<void> {
    await eventually(() => this.spooled().length === 0, 'They are not sent')
  }

  /** What cron does every minute. */
  async flush(): Promise<void> {
    const { uid, gid } = unprivileged()
    const program = join(this.folder, 'programs/tamis-dovecot')
    const child = spawn(program, ['flush'], { uid, gid, stdio: 'ignore' })
    await once(child, 'exit')
  }

  async #started(): Promise<void> {
    const end = performance.now() + START_MS_MAX
    while (this.#process.exitCode === null && performance.now() < end) {
      try {
        const session = await this.login('nobody-yet@example.com')
        return await session.close()
      } catch {
        await sleep(20)
      }
    }
    throw new Error(`Dovecot does not start: ${this.log()}`)
  }
}

interface Owner {
  readonly name: string
  readonly group: string
  readonly uid: number
  readonly gid: number
}

/** The owner of the mailboxes: the user who runs the tests, or 'nobody' for root, who may not own any. */
export function unprivileged(): Owner {
  const { username, uid, gid } = userInfo()
  const owner =
    uid === 0 ? { name: 'nobody', uid: 65534, gid: 65534 } : { name: username, uid, gid }
  const { stdout } = spawnSync('id', ['-gn', owner.name], { encoding: 'utf8' })
  return { ...owner, group: stdout.trim() }
}

/** Sets it up as docs/integrations/dovecot.md says, by its own commands. */
function install(folder: string, port: number, owner: Owner, options: DovecotOptions): void {
  const { url, edit = (text) => text, recipe } = options
  const inFolder = (name: string) => join(folder, name)
  for (const name of ['conf.d', 'run', 'mail', 'home']) mkdirSync(inFolder(name))
  const placed = (text: string) =>
    Object.entries(INSTALLED).reduce((so, [from, to]) => so.replaceAll(from, inFolder(to)), text)
  const rewrite = (name: string, change: (text: string) => string) =>
    writeFileSync(inFolder(name), change(readFileSync(inFolder(name), 'utf8')))
  const [installing, compiling] = setUpCommands(owner)

  run(placed(installing))
  rewrite('conf.d/90-tamis.conf', (text) => edit(placed(text)))
  const own = [`url=${url}`, `spool=${inFolder('spool')}`, 'syslog=', ''].join('\n')
  rewrite('tamis.conf', (text) => text + own)
  rewrite('programs/tamis-dovecot', placed)
  writeFileSync(inFolder('dovecot.conf'), configuration(folder, port, owner))
  writeFileSync(inFolder('dovecot.log'), '')
  run(placed(compiling))
  if (recipe !== undefined) run(placed(recipeOf(recipe)))
  for (const name of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    chownSync(inFolder(name), owner.uid, owner.gid)
  }
}

/** The commands of the page up to where Sieve scripts are compiled, and that one; no Dovecot runs yet that could be told. */
function setUpCommands({ name, group }: Owner): [string, string] {
  const page = readFileSync(join(ROOT, 'docs/integrations/dovecot.md'), 'utf8')
  const [, commands = ''] = /^```sh\n([\s\S]*?)^```$/m.exec(page) ?? []
  const lines = commands
    .replaceAll('-o vmail', `-o ${name}`)
    .replaceAll('-g vmail', `-g ${group}`)
    .replace('doveadm reload\n', '')
  const at = lines.indexOf('for script')
  return [lines.slice(0, at), lines.slice(at)]
}

/** The commands of the page that begin with `start`, before a Dovecot runs that could be told. */
function recipeOf(start: string): string {
  const page = readFileSync(join(ROOT, 'docs/integrations/dovecot.md'), 'utf8')
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)
  const [commands, ...others] = blocks.filter((text) => text.startsWith(start))
  if (commands === undefined || others.length > 0) throw new Error(`Commands: ${start}`)
  return commands.replace('doveadm reload\n', '')
}

function run(commands: string): void {
  const { status, stderr } = spawnSync('sh', ['-ec', commands], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

/** What a machine has anyway, for one user without rights. */
function configuration(folder: string, port: number, owner: Owner): string {
  const { name, group, uid, gid } = owner
  return `
protocols = imap lmtp
listen = 127.0.0.1
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/dovecot.log
ssl = no
disable_plaintext_auth = no
default_internal_user = ${name}
default_internal_group = ${group}
default_login_user = ${name}
first_valid_uid = 1
mail_location = maildir:${folder}/mail/%u
hostname = mx.example.com
postmaster_address = postmaster@example.com
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${folder}/home/%u allow_all_users=yes
}
namespace inbox {
  inbox = yes
  mailbox Trash {
    auto = subscribe
    special_use = \\Trash
  }
  mailbox Sent {
    auto = subscribe
    special_use = \\Sent
  }
  mailbox Archive {
    auto = subscribe
  }
}
service anvil {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
!include conf.d/90-tamis.conf
`
}
