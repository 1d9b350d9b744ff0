/**
 * Rspamd as Debian configures it, all that asks the network off: with its rules; with its Bayes
 * beside them; or with its Bayes alone, which then judges from the first message it has learned from,
 * where Debian's waits for 200 of each label. Bayes needs a Redis. What names it still asks for are
 * answered at once, by a name server in a process of its own.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { moduleBeside } from '../../mail/module-beside.ts'
import { answersAt, type Daemon, freePort, outputOf, startDaemon, versionOf } from './processes.ts'
import { inParallel, type Peer, type PeerVerdict, type RunningPeer } from './run-peers.ts'

const CONFIG = '/etc/rspamd/rspamd.conf'

/** Modules that ask DNS, other hosts or what earlier mail left behind. */
const MODULES_OFF =
  'arc asn bimi dkim dkim_signing dmarc fuzzy_check greylist hfilter history_redis mx_check neural ratelimit rbl replies reputation rspamd_update spf url_redirector'

/** Score of the action "add header", from which mail goes to the junk folder. */
const ADD_HEADER_SCORE = 6

/** Already learned, or too few tokens to learn from: Rspamd's answer to some messages, not a failure. */
const LEARN_STATUSES = [200, 204, 208, 404]

const version = () => versionOf('redis-server', /v=(\S+)/) && versionOf('rspamd')

export const RSPAMD: Peer = {
  name: 'Rspamd',
  version,
  start: (scratch) => startTrained(scratch, { workers: 2 }, ruleScore),
}

export const RSPAMD_BAYES: Peer = {
  name: 'Rspamd Bayes',
  version,
  start: (scratch) => startTrained(scratch, { minLearns: 1 }, bayesScore),
}

interface RspamdSettings {
  /** Port of Redis; absent where there is none. */
  readonly redis?: number
  /** Messages of each label that Bayes waits for; Debian's 200 when absent. */
  readonly minLearns?: number
  /** Processes that scan. */
  readonly workers?: number
}

/** Its scanning workers, asked at /checkv2; at the port `control` it is told labels. */
export async function startRspamd(scratch: string, settings: RspamdSettings = {}) {
  const names = fork(moduleBeside(import.meta.url, 'name-server'))
  try {
    const [nameServer] = (await once(names, 'message')) as [number]
    const [port, control] = [await freePort(), await freePort()]
    const folder = writeSettings(scratch, settings, { port, control, nameServer })
    const folders = { LOCAL_CONFDIR: folder, DBDIR: scratch, RUNDIR: scratch, LOGDIR: scratch }
    const variables = Object.entries(folders).map(([name, path]) => `--var=${name}=${path}`)
    // Debian's service starts it as root and it leaves root behind; here it stays who it is.
    const args = ['--no-fork', '--insecure', `--config=${CONFIG}`, ...variables]
    const command = { command: 'rspamd', args, log: join(scratch, 'rspamd.out') }
    const daemon = await startDaemon(command, () => answersAt(`http://127.0.0.1:${port}/ping`))
    const stop = async () => {
      names.kill()
      await daemon.stop()
    }
    return { pid: daemon.pid, port, control, stop }
  } catch (error) {
    names.kill()
    throw error
  }
}

/** Rspamd with a Redis in memory only, which ends with it. */
async function startTrained(
  scratch: string,
  settings: RspamdSettings,
  scoring: Scoring,
): Promise<RunningPeer> {
  const redis = await freePort()
  const daemon = await startRedis(scratch, String(redis))
  try {
    const rspamd = await startRspamd(scratch, { ...settings, redis })
    const stop = async () => {
      await rspamd.stop()
      await daemon.stop()
    }
    return runningPeer(rspamd, scoring, stop)
  } catch (error) {
    await daemon.stop()
    throw error
  }
}

async function startRedis(scratch: string, port: string): Promise<Daemon> {
  const args = ['--port', port, '--bind', '127.0.0.1', '--save', '', '--dir', scratch]
  const command = { command: 'redis-server', args, log: join(scratch, 'redis.log') }
  return await startDaemon(command, async () => {
    const { stdout } = await outputOf('redis-cli', ['-p', port, 'ping'])
    return stdout.includes('PONG')
  })
}

interface Answer {
  readonly score: number
  readonly symbols: Readonly<Record<string, { readonly score: number }>>
}

/** Which symbols are asked for, and the verdict by them. */
interface Scoring {
  readonly asked: object
  readonly verdict: (answer: Answer) => PeerVerdict
}

const ruleScore: Scoring = {
  // Corpus mail is old for everyone: Rspamd has no way to be told when a message arrived.
  asked: { symbols_disabled: ['DATE_IN_PAST'] },
  verdict: ({ score }) => ({ score, calledSpam: score >= ADD_HEADER_SCORE }),
}

const bayesScore: Scoring = {
  asked: { symbols_enabled: ['BAYES_SPAM', 'BAYES_HAM'] },
  verdict: ({ symbols }) => {
    const score = Object.values(symbols).reduce((sum, symbol) => sum + symbol.score, 0)
    return { score, calledSpam: score > 0 }
  },
}

function runningPeer(
  { port, control }: Readonly<Record<'port' | 'control', number>>,
  scoring: Scoring,
  stop: RunningPeer['stop'],
): RunningPeer {
  const post = async (at: number, verb: string, path: string, statuses: readonly number[]) => {
    const answer = await fetch(`http://127.0.0.1:${at}/${verb}`, {
      method: 'POST',
      headers: { settings: JSON.stringify(scoring.asked) },
      body: await readFile(path),
    })
    const text = await answer.text()
    if (statuses.includes(answer.status)) return text
    throw new Error(`Rspamd answered ${answer.status} to ${verb} of ${path}`)
  }
  return {
    judge: async (path) => scoring.verdict(JSON.parse(await post(port, 'checkv2', path, [200]))),
    learn: async (paths, spam) => {
      const verb = spam ? 'learnspam' : 'learnham'
      await inParallel(paths, (path) => post(control, verb, path, LEARN_STATUSES))
    },
    stop,
  }
}

/** Writes what the administrator of a host without a network would write; gives its folder. */
function writeSettings(
  scratch: string,
  { redis, minLearns, workers = 1 }: RspamdSettings,
  { port, control, nameServer }: Readonly<Record<'port' | 'control' | 'nameServer', number>>,
): string {
  const folder = join(scratch, 'settings')
  const files: Record<string, string> = {
    // Debian has it on: a TXT record of phishtank for each link.
    'local.d/phishing.conf': 'phishtank_enabled = false;\n',
    'local.d/options.inc': `dns { nameserver = ["127.0.0.1:${nameServer}"]; }\n`,
    'override.d/worker-normal.inc': `bind_socket = "127.0.0.1:${port}"; count = ${workers};\n`,
    'override.d/worker-controller.inc': `bind_socket = "127.0.0.1:${control}";\n`,
    'override.d/worker-proxy.inc': 'enabled = false; count = 0;\n',
  }
  for (const name of MODULES_OFF.split(' ')) files[`local.d/${name}.conf`] = 'enabled = false;\n'
  if (redis) files['local.d/redis.conf'] = `servers = "127.0.0.1:${redis}";\n`
  if (minLearns) files['local.d/classifier-bayes.conf'] = `min_learns = ${minLearns};\n`
  mkdirSync(join(folder, 'local.d'), { recursive: true })
  mkdirSync(join(folder, 'override.d'))
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  return folder
}
