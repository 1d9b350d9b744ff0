/**
 * Rspamd as Debian configures it, all that asks the network off: with its rules alone, and with
 * its Bayes trained on the same mail as ours when there is a Redis to keep it.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startNameServer } from './name-server.ts'
import type { Peer, PeerTask, PeerVerdict, PeerVerdicts } from './peer.ts'
import { freePort, inParallel, outputOf, versionOf, withDaemon } from './processes.ts'

const RULES = 'rules'
const RULES_AND_BAYES = 'rules, Bayes trained'

const CONFIG = '/etc/rspamd/rspamd.conf'

/** Modules that ask DNS, other hosts or what earlier mail left behind. */
const MODULES_OFF = [
  'arc',
  'asn',
  'bimi',
  'dkim',
  'dkim_signing',
  'dmarc',
  'fuzzy_check',
  'greylist',
  'hfilter',
  'history_redis',
  'mx_check',
  'neural',
  'ratelimit',
  'rbl',
  'replies',
  'reputation',
  'rspamd_update',
  'spf',
  'url_redirector',
]

/** Corpus mail is old for everyone: Rspamd has no way to be told when a message arrived. */
const SCAN_SETTINGS = JSON.stringify({ symbols_disabled: ['DATE_IN_PAST'] })

/** Score of the action "add header", from which mail goes to the junk folder. */
const ADD_HEADER_SCORE = 6

const CONCURRENCY = 4

const WORKERS = 2

/** Already learned, or too few tokens to learn from: Rspamd's answer to some messages, not a failure. */
const LEARN_STATUSES = [200, 204, 208, 404]

export const RSPAMD: Peer = {
  name: 'Rspamd',
  modes: [RULES, RULES_AND_BAYES],
  version: () => versionOf('rspamd', ['--version'], /version (\S+)/),
  judge,
}

interface Ports {
  readonly scan: number
  readonly control: number
  /** Where Redis listens; nothing does when it is not installed. */
  readonly redis: number
}

async function judge(task: PeerTask): Promise<PeerVerdicts> {
  const ports = { scan: await freePort(), control: await freePort(), redis: await freePort() }
  const names = await startNameServer()
  const settings = { ...ports, nameServer: names.port, workers: WORKERS }
  const args = rspamdArguments(writeSettings(task.scratch, settings), task.scratch)
  const daemon = { command: 'rspamd', args, log: join(task.scratch, 'rspamd.out') }
  const run = () =>
    withDaemon(
      daemon,
      () => answersPing(ports.scan),
      () => judgeBoth(task, ports),
    )
  const hasRedis = versionOf('redis-server', ['--version'], /v=(\S+)/) !== undefined
  try {
    return await (hasRedis ? withRedis(task.scratch, ports.redis, run) : rulesOnly(await run()))
  } finally {
    names.close()
  }
}

/** Without Redis nothing was learned. */
function rulesOnly(verdicts: PeerVerdicts): PeerVerdicts {
  return new Map([...verdicts].filter(([mode]) => mode === RULES))
}

async function judgeBoth(task: PeerTask, ports: Ports): Promise<PeerVerdicts> {
  const rules = await scanAll(task, ports.scan)
  await learnAll(task.spam, ports.control, 'learnspam')
  await learnAll(task.ham, ports.control, 'learnham')
  return new Map([
    [RULES, rules],
    [RULES_AND_BAYES, await scanAll(task, ports.scan)],
  ])
}

async function scanAll({ messages, onJudged }: PeerTask, port: number): Promise<PeerVerdict[]> {
  return await inParallel(messages, CONCURRENCY, async (path) => {
    const answer = await fetch(`http://127.0.0.1:${port}/checkv2`, {
      method: 'POST',
      headers: { settings: SCAN_SETTINGS },
      body: await readFile(path),
    })
    const { score } = (await answer.json()) as { score?: number }
    if (score === undefined) throw new Error(`Rspamd answered ${answer.status} for ${path}`)
    onJudged()
    return { score, calledSpam: score >= ADD_HEADER_SCORE }
  })
}

async function learnAll(paths: readonly string[], port: number, verb: string): Promise<void> {
  await inParallel(paths, CONCURRENCY, async (path) => {
    const body = await readFile(path)
    const answer = await fetch(`http://127.0.0.1:${port}/${verb}`, { method: 'POST', body })
    await answer.arrayBuffer()
    if (!LEARN_STATUSES.includes(answer.status)) {
      throw new Error(`Rspamd answered ${answer.status} to ${verb} of ${path}`)
    }
  })
}

/** Redis on the loopback, in memory only. */
async function withRedis<T>(scratch: string, port: number, use: () => Promise<T>): Promise<T> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', scratch]
  const daemon = { command: 'redis-server', args, log: join(scratch, 'redis.log') }
  const isReady = async () => {
    const { stdout } = await outputOf('redis-cli', ['-p', String(port), 'ping'])
    return stdout.includes('PONG')
  }
  return await withDaemon(daemon, isReady, use)
}

async function answersPing(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/ping`)).ok
  } catch {
    return false
  }
}

/** Debian's configuration with our settings in the place of the administrator's. */
export function rspamdArguments(settings: string, scratch: string): string[] {
  const folders = { LOCAL_CONFDIR: settings, DBDIR: scratch, RUNDIR: scratch, LOGDIR: scratch }
  const variables = Object.entries(folders).map(([name, path]) => `--var=${name}=${path}`)
  // Debian's service starts it as root and it leaves root behind; here it stays who it is.
  return ['--no-fork', '--insecure', `--config=${CONFIG}`, ...variables]
}

/** What the administrator of a host without a network would write. */
export interface RspamdSettings {
  readonly scan: number
  readonly control: number
  /** Where names are asked for (name-server.ts). */
  readonly nameServer: number
  /** Where Redis listens; absent where there is none. */
  readonly redis?: number
  /** Processes that scan. */
  readonly workers: number
}

/** Writes the settings into `scratch`; gives their folder. */
export function writeSettings(scratch: string, settings: RspamdSettings): string {
  const { scan, control, nameServer, redis, workers } = settings
  const folder = join(scratch, 'settings')
  const files: [string, string][] = [
    ...MODULES_OFF.map((name): [string, string] => [`local.d/${name}.conf`, 'enabled = false;\n']),
    // Debian has it on: a TXT record of phishtank for each link.
    ['local.d/phishing.conf', 'phishtank_enabled = false;\n'],
    ['local.d/options.inc', `dns { nameserver = ["127.0.0.1:${nameServer}"]; }\n`],
    ...(redis === undefined
      ? []
      : [['local.d/redis.conf', `servers = "127.0.0.1:${redis}";\n`] as [string, string]]),
    ['override.d/worker-normal.inc', `bind_socket = "127.0.0.1:${scan}"; count = ${workers};\n`],
    ['override.d/worker-controller.inc', `bind_socket = "127.0.0.1:${control}";\n`],
    ['override.d/worker-proxy.inc', 'enabled = false; count = 0;\n'],
  ]
  for (const name of ['local.d', 'override.d']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  for (const [path, text] of files) writeFileSync(join(folder, path), text)
  return folder
}
