/**
 * `tamis learn`: learns from folders of mail that somebody has already sorted.
 *
 * Each message becomes a correction as one over HTTP would, in the store that the service uses.
 * Stopped half-way it is simply started again: what is in the log stays as it is. Before it records anything it
 * checks on the mail itself whether learning helps (held-out.ts), and refuses where that would do harm.
 */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { TamisError } from '../../errors/errors.ts'
import { OPERATOR_ID } from '../../mail/personalization/kinds.ts'
import type { Command } from '../../terminal/command.ts'
import { printJson, printRow } from '../../terminal/output.ts'
import { type Config, readOwnConfig } from '../config.ts'
import { dryRun, HELD_OUT_MIN, refuseHarm, rehearse } from './held-out.ts'
import { type LearnTools, withLearnTools } from './learn-tools.ts'
import { openOwnStore } from './own-store.ts'
import { learnProgress, recordOne, sortedMail } from './sorted-mail.ts'

interface LearnOptions {
  readonly user?: string
  readonly global?: boolean
  readonly spam?: readonly string[]
  readonly ham?: readonly string[]
  readonly withdraw?: readonly string[]
  readonly rules: boolean
  readonly dryRun?: boolean
  readonly force?: boolean
  readonly json?: boolean
}

/** The options, once the user is known whose corrections these are. */
interface UserLearnOptions extends LearnOptions {
  readonly user: string
}

export function addLearnCommand(program: Command): void {
  program
    .command('learn')
    .description(
      "learn from sorted mail, for a user's memory and for the model that all users share",
    )
    .option('--user <id>', 'user whose memory learns, by the id that the service knows')
    .option(
      '--global',
      'learn only for the model that all users share, not for a user; each message counts once',
    )
    .option('--spam <path...>', 'files, folders, Maildirs or mboxes of spam')
    .option('--ham <path...>', 'files, folders, Maildirs or mboxes of ham')
    .option('--withdraw <path...>', 'the same, of messages whose corrections are withdrawn')
    .option('--no-rules', 'make no Sender rules')
    .option(
      '--dry-run',
      'record nothing; show which verdicts would change, and how many would be wrong',
    )
    .option('--force', 'learn also if the check finds that verdicts become worse')
    .option('--json', 'print JSON objects, one per line')
    .notes(`
It uses the settings of the service (TAMIS_DATA_DIR, DATABASE_URL, TAMIS_LEARNING). The service may run at the
same time.

The corrections count as the operator's own. If TAMIS_LEARNING is \`operator\`, the model that all users share
learns from them soon. --global requires this.

A Sender rule is made only of a message whose sender is vouched for: its Authentication-Results field of a host
in TAMIS_TRUSTED_AUTHSERV_IDS says so. All other messages enter the memory, and the user's own models learn
from them.

Before it records anything, the command checks whether learning helps: it learns one half of the mail as a new
user, judges the other half with and without that, and then the other way round. The halves are of different
senders' domains. If there are more errors with learning than without, by more than one in a hundred messages,
nothing is recorded and the command fails (LEARNING_HARMS); --force learns all the same. Less than 40 messages
are learned unchecked, and of more than 1,000 spam or ham the first 1,000 are checked.

--dry-run checks all of the mail and records nothing. It lists the messages whose verdicts differ, and how many
verdicts were wrong, of ham and of spam apart. With a few dozen messages a difference of one says nothing.

The exit status is 2 if Tamis could not learn from at least one message.

Examples:
  tamis learn --user user-4711 --spam ~/Maildir/.Junk --ham ~/Maildir/cur
  tamis learn --user user-4711 --ham - < message.eml
  tamis learn --user user-4711 --withdraw message.eml
  tamis learn --user user-4711 --spam spam.mbox --dry-run
  tamis learn --global --spam corpus/spam --ham corpus/ham`)
    .action((options: LearnOptions, command: Command) => learn(withUser(options, command)))
}

/** Ends the command unless the options say whose corrections these are. */
function withUser(options: LearnOptions, command: Command): UserLearnOptions {
  const { user, global = false } = options
  if ((user === undefined) !== global) {
    command.error('error: give either --user ID or --global')
  }
  if ((options.spam ?? options.ham ?? options.withdraw) === undefined) {
    command.error('error: give the mail to learn from: --spam PATH, --ham PATH or --withdraw PATH')
  }
  return user === undefined ? { ...options, user: OPERATOR_ID, rules: false } : { ...options, user }
}

async function learn(options: UserLearnOptions): Promise<void> {
  const config = readOwnConfig()
  if (options.global === true && config.learning !== 'operator') {
    throw new TamisError(
      'CONFIG_INVALID',
      `TAMIS_LEARNING is "${config.learning}", so --global would have no effect; set it to "operator", also for the service`,
    )
  }
  const folder = await mkdtemp(join(tmpdir(), 'tamis-learn-'))
  try {
    await learnFrom(config, await withoutStdin(options, folder), folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The mail is read more than once, which standard input cannot be: it goes to a file in `folder`. */
async function withoutStdin(options: UserLearnOptions, folder: string): Promise<UserLearnOptions> {
  const paths = [...(options.spam ?? []), ...(options.ham ?? [])]
  if (!paths.includes('-')) return options
  const file = join(folder, 'standard-input')
  await pipeline(process.stdin, createWriteStream(file))
  const inFile = (given: readonly string[] | undefined) =>
    given?.map((path) => (path === '-' ? file : path))
  const { spam, ham } = { spam: inFile(options.spam), ham: inFile(options.ham) }
  return { ...options, ...(spam && { spam }), ...(ham && { ham }) }
}

/** @param folder for what is needed until the command ends. */
async function learnFrom(config: Config, options: UserLearnOptions, folder: string): Promise<void> {
  const { withdraw: _, ...sorted } = options
  if (options.dryRun) {
    await dryRun(config, sorted, folder)
    return
  }
  const open = () => openOwnStore(config, 'where named')
  await withLearnTools(config, open, async (tools) => {
    // A store that may not be used is reported before the check, which takes its time.
    if (!options.force && (await hasEnough(sorted))) {
      refuseHarm(await rehearse(config, { ...sorted, isCheck: true }, folder))
    }
    await recordAll(tools, options)
  })
}

/** Whether there are messages enough to be checked. */
async function hasEnough(options: UserLearnOptions): Promise<boolean> {
  let count = 0
  for await (const _ of sortedMail(options)) if (++count === HELD_OUT_MIN) return true
  return false
}

async function recordAll(tools: LearnTools, options: UserLearnOptions): Promise<void> {
  const counts = new Map<string, number>()
  const progress = learnProgress(options)
  for await (const message of sortedMail(options)) {
    const status = await recordOne(tools, options, message)
    counts.set(status, (counts.get(status) ?? 0) + 1)
    progress.advance(1, message.bytes.length)
  }
  progress.end()
  if (counts.has('success')) await tools.queueLearning()
  if (options.json) printJson(Object.fromEntries(counts))
  else for (const [status, count] of counts) printRow(status, count)
}
