/** SpamAssassin through spamd and spamc, network tests off (-L): with its rules alone, or with its Bayes beside them. */
import { chmodSync, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Peer, PeerServer, PeerVerdict, Place, RunningPeer } from './peer.ts'
import { freePort, outputOf, startDaemon, versionOf } from './processes.ts'

/** Children for each core: one reads while another waits for its client. */
const CHILDREN_PER_WORKER = 2

/** spamc leaves larger messages unjudged; the most that it can be given. */
const MESSAGE_BYTES_MAX = 256 * 1024 * 1024

/** spamc's exit status when no spamd answers (sysexits.h, EX_UNAVAILABLE and its like). */
const EXIT_FAILED_MIN = 2

export const SPAMASSASSIN_RULES: Peer = peer('SpamAssassin', 'rules', false, startSpamd)

export const SPAMASSASSIN_TRAINED: Peer = peer(
  'SpamAssassin',
  'rules, Bayes trained',
  true,
  (place) => startSpamd(place, ['--allow-tell', ...settings(bayesIn(place.scratch))]),
)

function peer(
  name: string,
  mode: string,
  learns: boolean,
  start: (place: Place) => Promise<PeerServer>,
): Peer {
  const version = () => versionOf('spamd') && versionOf('spamc')
  const startPeer = async (place: Place) => runningPeer(await start(place))
  return { name, mode, learns, concurrency: CHILDREN_PER_WORKER, version, start: startPeer }
}

/** spamd as Debian configures it; with its rules alone unless `options` say otherwise. */
export async function startSpamd(
  { scratch, workers = 1, cores }: Place,
  options = settings(['use_bayes 0']),
): Promise<PeerServer> {
  const port = await freePort()
  const children = workers * CHILDREN_PER_WORKER
  const args = [
    '--local',
    '--nouser-config',
    '--listen=127.0.0.1',
    `--port=${port}`,
    `--max-children=${children}`,
    `--min-children=${children}`,
    '--syslog=stderr',
    ...options,
  ]
  const command = { command: 'spamd', args, log: join(scratch, 'spamd.log'), cores }
  const daemon = await startDaemon(command, async () => (await spamc(port, ['-K'])).status === 0)
  return { ...daemon, port }
}

function settings(lines: readonly string[]): string[] {
  return lines.map((line) => `--cf=${line}`)
}

function bayesIn(scratch: string): string[] {
  const folder = join(scratch, 'bayes')
  mkdirSync(folder)
  // spamd leaves root behind and must still read and write what is learned.
  chmodSync(folder, 0o777)
  return [
    `bayes_path ${join(folder, 'bayes')}`,
    'bayes_file_mode 0777',
    'bayes_auto_learn 0',
    'bayes_auto_expire 0',
  ]
}

function runningPeer({ port, stop }: PeerServer): RunningPeer {
  return {
    judge: async (path) => {
      const { stdout, status } = await spamc(port, ['-c'], await readFile(path))
      return verdictOf(stdout, status)
    },
    learn: async (paths, spam) => {
      for (const path of paths) {
        const { stdout } = await spamc(port, ['-L', spam ? 'spam' : 'ham'], await readFile(path))
        if (!stdout.includes('un/learned')) {
          throw new Error(`spamc said "${stdout.trim()}" to learning from ${path}`)
        }
      }
    },
    stop,
  }
}

function spamc(port: number, args: readonly string[], input?: Uint8Array) {
  const server = ['-d', '127.0.0.1', '-p', String(port), '-s', String(MESSAGE_BYTES_MAX)]
  return outputOf('spamc', [...server, '--connect-retries=1', ...args], input)
}

/** 'score/threshold'; 0/0 and a high status when it was not judged. */
function verdictOf(stdout: string, status: number): PeerVerdict {
  const [score, threshold] = stdout.trim().split('/').map(Number)
  if (score === undefined || !threshold || status >= EXIT_FAILED_MIN) {
    throw new Error(`spamc said "${stdout.trim()}" (status ${status})`)
  }
  return { score, calledSpam: score >= threshold }
}
