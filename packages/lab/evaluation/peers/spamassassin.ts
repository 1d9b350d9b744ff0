/**
 * SpamAssassin through spamd and spamc, network tests off (-L): with its rules alone, and with
 * its Bayes trained on the same mail as ours, for which it has another set of scores.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Peer, PeerTask, PeerVerdict, PeerVerdicts } from './peer.ts'
import { freePort, inParallel, outputOf, versionOf, withDaemon } from './processes.ts'

const RULES = 'rules'
const RULES_AND_BAYES = 'rules, Bayes trained'

/** spamd's own default of children is 5; this machine's cores are what there is to use. */
const CHILDREN = 2

/** spamc leaves larger messages unjudged; the most that it can be given. */
export const MESSAGE_BYTES_MAX = 256 * 1024 * 1024

/** spamc's exit status when no spamd answers (sysexits.h, EX_UNAVAILABLE and its like). */
const EXIT_FAILED_MIN = 2

export const SPAMASSASSIN: Peer = {
  name: 'SpamAssassin',
  modes: [RULES, RULES_AND_BAYES],
  version: () =>
    versionOf('spamd', ['--version'], /version (\S+)/) &&
    versionOf('spamc', ['--version'], /version (\S+)/),
  judge,
}

async function judge(task: PeerTask): Promise<PeerVerdicts> {
  // sa-learn keeps one core busy; the rules are judged by meanwhile.
  const [settings, rules] = await Promise.all([learn(task), judgeAll(task, ['use_bayes 0'])])
  return new Map([
    [RULES, rules],
    [RULES_AND_BAYES, await judgeAll(task, settings)],
  ])
}

/** Trains Bayes; the settings with which it is then used. */
async function learn({ spam, ham, scratch }: PeerTask): Promise<string[]> {
  const folder = join(scratch, 'bayes')
  mkdirSync(folder)
  const settings = [
    `bayes_path ${join(folder, 'bayes')}`,
    // spamd leaves root behind and must still read what was learned.
    'bayes_file_mode 0777',
    'bayes_auto_learn 0',
    'bayes_auto_expire 0',
  ]
  for (const [label, paths] of [
    ['spam', spam],
    ['ham', ham],
  ] as const) {
    const list = join(scratch, `${label}.txt`)
    writeFileSync(list, paths.join('\n'))
    const options = settings.map((line) => `--cf=${line}`)
    await outputOf('sa-learn', [`--${label}`, '--no-sync', '-L', ...options, '-f', list])
  }
  await outputOf('sa-learn', ['--sync', '-L', ...settings.map((line) => `--cf=${line}`)])
  chmodSync(folder, 0o777)
  return settings
}

async function judgeAll(
  { messages, scratch, onJudged }: PeerTask,
  settings: readonly string[],
): Promise<PeerVerdict[]> {
  const port = String(await freePort())
  const args = [
    '-L',
    '-x',
    '--listen=127.0.0.1',
    `--port=${port}`,
    `--max-children=${CHILDREN}`,
    `--min-children=${CHILDREN}`,
    '--syslog=stderr',
    ...settings.map((line) => `--cf=${line}`),
  ]
  const daemon = { command: 'spamd', args, log: join(scratch, 'spamd.log') }
  const isReady = async () => (await spamc(port, ['-K'])).status === 0
  return await withDaemon(daemon, isReady, () =>
    inParallel(messages, CHILDREN, async (path) => {
      const { stdout, status } = await spamc(
        port,
        ['-c', '-s', String(MESSAGE_BYTES_MAX)],
        await readFile(path),
      )
      onJudged()
      return verdictOf(stdout, status)
    }),
  )
}

function spamc(port: string, args: readonly string[], input?: Uint8Array) {
  return outputOf('spamc', ['-d', '127.0.0.1', '-p', port, '--connect-retries=1', ...args], input)
}

/** 'score/threshold'; 0/0 and a high status when it was not judged. */
function verdictOf(stdout: string, status: number): PeerVerdict {
  const [score, threshold] = stdout.trim().split('/').map(Number)
  if (score === undefined || !threshold || status >= EXIT_FAILED_MIN) {
    throw new Error(`spamc said "${stdout.trim()}" (status ${status})`)
  }
  return { score, calledSpam: score >= threshold }
}
