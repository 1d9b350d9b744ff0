/**
 * Rspamd as Debian configures it, all that asks the network off: with its rules alone; with its Bayes
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
import type { Peer, PeerServer, PeerVerdict, Place, RunningPeer } from './peer.ts'
import {
  answersAt,
  type Daemon,
  freePort,
  inParallel,
  outputOf,
  startDaemon,
  versionOf,
} from './processes.ts'

const CONFIG = '/etc/rspamd/rspamd.conf'

/** Modules that ask DNS, other hosts or what earlier mail left behind. */
const MODULES_OFF =
  'arc asn bimi dkim dkim_signing dmarc fuzzy_check greylist hfilter history_redis mx_check neural ratelimit rbl replies reputation rspamd_update spf url_redirector'.split(
    ' ',
  )

/** Corpus mail is old for everyone: Rspamd has no way to be told when a message arrived. */
const ALL_SYMBOLS = { symbols_disabled: ['DATE_IN_PAST'] }

/** Everything else it can do stays off. */
const BAYES_SYMBOLS = { symbols_enabled: ['BAYES_SPAM', 'BAYES_HAM'] }

/** Score of the action "add header", from which mail goes to the junk folder. */
const ADD_HEADER_SCORE = 6

const CONCURRENCY = 4

const WORKERS = 2

/** Already learned, or too few tokens to learn from: Rspamd's answer to some messages, not a failure. */
const LEARN_STATUSES = [200, 204, 208, 404]

const versionOfRspamd = () => versionOf('rspamd')

const versionWithRedis = () => versionOf('redis-server', /v=(\S+)/) && versionOfRspamd()

export const RSPAMD_RULES: Peer = {
  name: 'Rspamd',
  mode: 'rules',
  learns: false,
  concurrency: CONCURRENCY,
  version: versionOfRspamd,
  start: async (place) => runningPeer(await startRspamd({ workers: WORKERS, ...place }), ruleScore),
}

export const RSPAMD_TRAINED: Peer = {
  ...RSPAMD_RULES,
  mode: 'rules, Bayes trained',
  learns: true,
  version: versionWithRedis,
  start: async (place) => await withRedis({ workers: WORKERS, ...place }, {}, ruleScore),
}

export const RSPAMD_BAYES: Peer = {
  name: 'Rspamd Bayes',
  mode: 'Bayes alone',
  learns: true,
  concurrency: CONCURRENCY,
  version: versionWithRedis,
  start: async (place) => await withRedis(place, { minLearns: 1 }, bayesScore),
}

interface RspamdServer extends PeerServer {
  /** Where it is told labels. */
  readonly control: number
}

/** What the administrator of a host without a network would write. */
export interface RspamdSettings {
  readonly scan: number
  readonly control: number
  /** Where names are asked for (name-server.ts). */
  readonly nameServer: number
  /** Where Redis listens; absent where there is none. */
  readonly redis?: number
  /** Messages of each label that Bayes waits for; Debian's 200 when absent. */
  readonly minLearns?: number
  /** Processes that scan. */
  readonly workers: number
}

/** Its scanning workers, asked at /checkv2. */
export async function startRspamd(
  { scratch, workers = 1, cores }: Place,
  settings: Pick<RspamdSettings, 'redis' | 'minLearns'> = {},
): Promise<RspamdServer> {
  const names = fork(moduleBeside(import.meta.url, 'name-server'))
  try {
    const [nameServer] = (await once(names, 'message')) as [number]
    const ports = { scan: await freePort(), control: await freePort(), nameServer }
    const folder = writeSettings(scratch, { ...settings, ...ports, workers })
    const args = rspamdArguments(folder, scratch)
    const daemon = await startDaemon(
      { command: 'rspamd', args, log: join(scratch, 'rspamd.out'), cores },
      () => answersAt(`http://127.0.0.1:${ports.scan}/ping`),
    )
    const stop = async () => {
      names.kill()
      await daemon.stop()
    }
    return { pid: daemon.pid, port: ports.scan, control: ports.control, stop }
  } catch (error) {
    names.kill()
    throw error
  }
}

/** Rspamd with a Redis in memory only, which ends with it. */
async function withRedis(
  place: Place,
  settings: Pick<RspamdSettings, 'minLearns'>,
  verdictOf: Scoring,
): Promise<RunningPeer> {
  const redis = await freePort()
  const daemon = await startRedis(place.scratch, String(redis))
  try {
    const peer = runningPeer(await startRspamd(place, { ...settings, redis }), verdictOf)
    const stop = async () => {
      await peer.stop()
      await daemon.stop()
    }
    return { ...peer, stop }
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
  readonly score?: number
  readonly symbols?: Readonly<Record<string, { readonly score: number }>>
}

/** Which symbols are asked for, and the verdict by them; undefined for no answer. */
interface Scoring {
  readonly asked: object
  readonly verdict: (answer: Answer) => PeerVerdict | undefined
}

const ruleScore: Scoring = {
  asked: ALL_SYMBOLS,
  verdict: ({ score }) =>
    score === undefined ? undefined : { score, calledSpam: score >= ADD_HEADER_SCORE },
}

const bayesScore: Scoring = {
  asked: BAYES_SYMBOLS,
  verdict: ({ symbols = {} }) => {
    const score = Object.values(symbols).reduce((sum, symbol) => sum + symbol.score, 0)
    return { score, calledSpam: score > 0 }
  },
}

function runningPeer({ port, control, stop }: RspamdServer, scoring: Scoring): RunningPeer {
  const post = async (at: number, verb: string, path: string) =>
    await fetch(`http://127.0.0.1:${at}/${verb}`, {
      method: 'POST',
      headers: { settings: JSON.stringify(scoring.asked) },
      body: await readFile(path),
    })
  return {
    judge: async (path) => {
      const answer = await post(port, 'checkv2', path)
      const verdict = scoring.verdict((await answer.json()) as Answer)
      if (verdict === undefined) throw new Error(`Rspamd answered ${answer.status} for ${path}`)
      return verdict
    },
    learn: async (paths, spam) => {
      await inParallel(paths, CONCURRENCY, async (path) => {
        const answer = await post(control, spam ? 'learnspam' : 'learnham', path)
        await answer.arrayBuffer()
        if (!LEARN_STATUSES.includes(answer.status)) {
          throw new Error(`Rspamd answered ${answer.status} to learning from ${path}`)
        }
      })
    },
    stop,
  }
}

/** Debian's configuration with our settings in the place of the administrator's. */
export function rspamdArguments(settings: string, scratch: string): string[] {
  const folders = { LOCAL_CONFDIR: settings, DBDIR: scratch, RUNDIR: scratch, LOGDIR: scratch }
  const variables = Object.entries(folders).map(([name, path]) => `--var=${name}=${path}`)
  // Debian's service starts it as root and it leaves root behind; here it stays who it is.
  return ['--no-fork', '--insecure', `--config=${CONFIG}`, ...variables]
}

/** Writes the settings into `scratch`; gives their folder. */
export function writeSettings(scratch: string, settings: RspamdSettings): string {
  const { scan, control, nameServer, redis, minLearns, workers } = settings
  const folder = join(scratch, 'settings')
  const files: Record<string, string> = {
    ...Object.fromEntries(
      MODULES_OFF.map((name) => [`local.d/${name}.conf`, 'enabled = false;\n']),
    ),
    // Debian has it on: a TXT record of phishtank for each link.
    'local.d/phishing.conf': 'phishtank_enabled = false;\n',
    'local.d/options.inc': `dns { nameserver = ["127.0.0.1:${nameServer}"]; }\n`,
    'override.d/worker-normal.inc': `bind_socket = "127.0.0.1:${scan}"; count = ${workers};\n`,
    'override.d/worker-controller.inc': `bind_socket = "127.0.0.1:${control}";\n`,
    'override.d/worker-proxy.inc': 'enabled = false; count = 0;\n',
  }
  if (redis) files['local.d/redis.conf'] = `servers = "127.0.0.1:${redis}";\n`
  if (minLearns) files['local.d/classifier-bayes.conf'] = `min_learns = ${minLearns};\n`
  for (const name of ['local.d', 'override.d']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text)
  return folder
}
