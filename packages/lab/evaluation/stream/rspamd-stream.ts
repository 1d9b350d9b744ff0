/**
 * Rspamd's Bayes alone, as Debian configures it but for one thing: it judges from the first
 * message it has learned on, where Debian's waits for 200 of each label. Needs Redis.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, outputOf, versionOf, withDaemon } from '../peers/processes.ts'
import type { StreamFilter, StreamPeer } from './stream-peers.ts'

const CONFIG = '/etc/rspamd/rspamd.conf'

/** Everything else it can do stays off, rules and what would ask the network. */
const SCAN_SETTINGS = JSON.stringify({ symbols_enabled: ['BAYES_SPAM', 'BAYES_HAM'] })

/** Already learned, or too few tokens to learn from: its answer to some messages, not a failure. */
const LEARN_STATUSES = [200, 204, 208, 404]

interface Answer {
  readonly symbols?: Readonly<Record<string, { readonly score: number }>>
}

export const RSPAMD_STREAM: StreamPeer = {
  name: 'Rspamd Bayes',
  version: () =>
    versionOf('redis-server', ['--version'], /v=(\S+)/) === undefined
      ? undefined
      : versionOf('rspamd', ['--version'], /version (\S+)/),
  run: async (scratch, use) => {
    const ports = { scan: await freePort(), control: await freePort(), redis: await freePort() }
    const redis = {
      command: 'redis-server',
      args: ['--port', String(ports.redis), '--bind', '127.0.0.1', '--save', '', '--dir', scratch],
      log: join(scratch, 'redis.log'),
    }
    const rspamd = {
      command: 'rspamd',
      args: rspamdArguments(scratch, ports),
      log: join(scratch, 'rspamd.out'),
    }
    const redisAnswers = async () => {
      const { stdout } = await outputOf('redis-cli', ['-p', String(ports.redis), 'ping'])
      return stdout.includes('PONG')
    }
    return await withDaemon(redis, redisAnswers, () =>
      withDaemon(
        rspamd,
        () => answersPing(ports.scan),
        () => use(filterAt(ports)),
      ),
    )
  },
}

function filterAt({ scan, control }: { scan: number; control: number }): StreamFilter {
  return {
    judge: async (path) => {
      const answer = await post(scan, 'checkv2', path)
      const { symbols = {} } = (await answer.json()) as Answer
      const score = Object.values(symbols).reduce((sum, symbol) => sum + symbol.score, 0)
      return { score, calledSpam: score > 0 }
    },
    learn: async (path, spam) => {
      const answer = await post(control, spam ? 'learnspam' : 'learnham', path)
      await answer.arrayBuffer()
      if (!LEARN_STATUSES.includes(answer.status)) {
        throw new Error(`Rspamd answered ${answer.status} to learning from ${path}`)
      }
    },
  }
}

async function post(port: number, verb: string, path: string): Promise<Response> {
  return await fetch(`http://127.0.0.1:${port}/${verb}`, {
    method: 'POST',
    headers: { settings: SCAN_SETTINGS },
    body: await readFile(path),
  })
}

async function answersPing(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/ping`)).ok
  } catch {
    return false
  }
}

/** Debian's configuration with our settings in the place of the administrator's. */
function rspamdArguments(
  scratch: string,
  ports: { scan: number; control: number; redis: number },
): string[] {
  const settings = join(scratch, 'settings')
  const files: [string, string][] = [
    ['local.d/options.inc', 'dns { nameserver = ["127.0.0.1:1"]; timeout = 0.05s; }\n'],
    ['local.d/redis.conf', `servers = "127.0.0.1:${ports.redis}";\n`],
    ['local.d/classifier-bayes.conf', 'min_learns = 1;\n'],
    ['override.d/worker-normal.inc', `bind_socket = "127.0.0.1:${ports.scan}"; count = 1;\n`],
    ['override.d/worker-controller.inc', `bind_socket = "127.0.0.1:${ports.control}";\n`],
    ['override.d/worker-proxy.inc', 'enabled = false; count = 0;\n'],
  ]
  for (const name of ['local.d', 'override.d']) mkdirSync(join(settings, name), { recursive: true })
  for (const [path, text] of files) writeFileSync(join(settings, path), text)
  const folders = { LOCAL_CONFDIR: settings, DBDIR: scratch, RUNDIR: scratch, LOGDIR: scratch }
  const variables = Object.entries(folders).map(([name, path]) => `--var=${name}=${path}`)
  // Debian's service starts it as root and it leaves root behind; here it stays who it is.
  return ['--no-fork', '--insecure', `--config=${CONFIG}`, ...variables]
}
