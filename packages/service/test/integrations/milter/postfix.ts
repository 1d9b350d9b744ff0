/**
 * A real Postfix of its own: configuration, queue and mailboxes in a temporary folder, on a free
 * port. It delivers what it gets for example.com into one Maildir. Needs root and Debian's
 * packages postfix and swaks.
 */
import { execFile } from 'node:child_process'
import { chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '../../../../../test/eventually.ts'
import { freePort, programOf } from '../programs.ts'

const run = promisify(execFile)

/** Why there can be no Postfix here; undefined where there can. */
export function postfixMissing(): string | undefined {
  if (process.getuid?.() !== 0) return 'Postfix needs root'
  const missing = ['postfix', 'swaks'].flatMap((name) => programOf(name).missing || [])
  return missing[0]
}

const MAIN_CF = `
compatibility_level = 3.6
queue_directory = DIR/queue
data_directory = DIR/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
meta_directory = /etc/postfix
shlib_directory = /usr/lib/postfix
mail_owner = postfix
setgid_group = postdrop
maillog_file = DIR/mail.log
maillog_file_prefixes = DIR
myhostname = mx.example.com
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtpd_peername_lookup = no
smtpd_authorized_xclient_hosts = 127.0.0.1
smtpd_recipient_restrictions = permit_mynetworks, reject_unauth_destination
virtual_mailbox_domains = example.com
virtual_mailbox_base = DIR/mail
virtual_mailbox_maps = static:inbox/
virtual_uid_maps = static:UID
virtual_gid_maps = static:GID
virtual_minimum_uid = 1
alias_maps =
alias_database =
local_recipient_maps =
queue_run_delay = 5s
message_size_limit = 104857600
mailbox_size_limit = 0
virtual_mailbox_limit = 0
milter_default_action = accept
milter_connect_timeout = 5s
`

const MASTER_CF = `
127.0.0.1:PORT inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
lmtp unix - - n - - lmtp
smtp unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`

export interface Postfix {
  readonly port: number
  /** Sends with swaks; resolves to what swaks has to say, its exit status in front. */
  swaks(...options: string[]): Promise<string>
  reload(): Promise<void>
  /** What `postcat -qbh` gives of a message in the queue. */
  message(queueId: string): Promise<string>
  /** Lets a message on hold be delivered. */
  unhold(queueId: string): Promise<void>
  /** Files of the queue, by its name: `hold`, `deferred`. */
  queued(name: string): Promise<string[]>
  /** The messages delivered since it was last asked, once there are `count`. */
  delivered(count: number): Promise<string[]>
  log(): Promise<string>
  close(): Promise<void>
}

/** Starts one that asks the milter at `milter`, as Postfix writes addresses; `settings` are more lines of main.cf. */
export async function startPostfix(milter: string, settings = ''): Promise<Postfix> {
  const dir = await mkdtemp(join(tmpdir(), 'tamis-postfix-'))
  await run('chmod', ['755', dir])
  const { uid, gid } = await owner()
  const port = await freePort()
  for (const name of ['queue', 'data', 'mail']) await mkdir(join(dir, name))
  await chown(join(dir, 'data'), uid, gid)
  await chown(join(dir, 'mail'), uid, gid)
  const main = `${MAIN_CF}smtpd_milters = ${milter}\n${settings}\n`
    .replaceAll('DIR', dir)
    .replaceAll('UID', String(uid))
    .replaceAll('GID', String(gid))
  await writeFile(join(dir, 'main.cf'), main)
  await writeFile(join(dir, 'master.cf'), MASTER_CF.replace('PORT', String(port)))
  const postfix = (command: string) => run('postfix', ['-c', dir, command])
  await postfix('start')
  return {
    port,
    swaks: (...options) => swaks(port, options),
    reload: async () => void (await postfix('reload')),
    message: async (queueId) =>
      (await run('postcat', ['-c', dir, '-qbh', queueId], { encoding: 'latin1' })).stdout,
    unhold: async (queueId) => {
      await run('postsuper', ['-c', dir, '-H', queueId])
      await run('postqueue', ['-c', dir, '-f'])
    },
    queued: (name) => queueFiles(join(dir, 'queue', name)),
    delivered: (count) => delivered(join(dir, 'mail/inbox/new'), count),
    log: () => readFile(join(dir, 'mail.log'), 'utf8'),
    close: async () => {
      await postfix('abort')
      await rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    },
  }
}

/** The owner of the queue and the mailboxes. */
export async function owner(): Promise<{ uid: number; gid: number }> {
  const id = async (option: string) => Number((await run('id', [option, 'postfix'])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

async function swaks(port: number, options: readonly string[]): Promise<string> {
  const common = ['--server', '127.0.0.1', '--port', String(port), '--helo', 'client.example.net']
  try {
    const { stdout } = await run('swaks', [...common, ...options])
    return `0\n${stdout}`
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string }
    return `${code}\n${stdout}`
  }
}

async function queueFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

async function delivered(folder: string, count: number): Promise<string[]> {
  const names = await eventually(async () => {
    const found = await readdir(folder).catch(() => [])
    return found.length >= count && found
  }, `${count} are not delivered`)
  return await Promise.all(
    names.map(async (name) => {
      const message = await readFile(join(folder, name), 'latin1')
      await rm(join(folder, name))
      return message
    }),
  )
}
