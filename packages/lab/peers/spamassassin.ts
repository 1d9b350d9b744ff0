/** SpamAssassin through spamd and spamc, network tests off (-L): with its rules, and with its Bayes beside them. */
import { chmodSync, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, outputOf, startDaemon, versionOf } from './processes.ts'
import type { Peer, PeerVerdict } from './run-peers.ts'

/** One reads while the other waits for its client. */
const CHILDREN = 2

/** spamc leaves larger messages unjudged; the most that it can be given. */
const MESSAGE_BYTES_MAX = 256 * 1024 * 1024

/** spamc's exit status when no spamd answers (sysexits.h, EX_UNAVAILABLE and its like). */
const EXIT_FAILED_MIN = 2

export const SPAMASSASSIN: Peer = {
  name: 'SpamAssassin',
  version: () => versionOf('spamd') && versionOf('spamc'),
  start: async (scratch) => {
    const { port, stop } = await startSpamd(scratch, ['--allow-tell', ...bayesIn(scratch)])
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
  },
}

/** spamd as Debian configures it; with its rules alone unless `options` say otherwise. */
export async function startSpamd(scratch: string, options = ['--cf=use_bayes 0']) {
  const port = await freePort()
  const args = [
    '--local',
    '--nouser-config',
    '--listen=127.0.0.1',
    `--port=${port}`,
    `--max-children=${CHILDREN}`,
    `--min-children=${CHILDREN}`,
    '--syslog=stderr',
    ...options,
  ]
  const command = { command: 'spamd', args, log: join(scratch, 'spamd.log') }
  const daemon = await startDaemon(command, async () => (await spamc(port, ['-K'])).status === 0)
  return { ...daemon, port }
}

function bayesIn(scratch: string): string[] {
  const folder = join(scratch, 'bayes')
  mkdirSync(folder)
  // spamd leaves root behind and must still read and write what is learned.
  chmodSync(folder, 0o777)
  return [
    `--cf=bayes_path ${join(folder, 'bayes')}`,
    '--cf=bayes_file_mode 0777',
    '--cf=bayes_auto_learn 0',
    '--cf=bayes_auto_expire 0',
  ]
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
