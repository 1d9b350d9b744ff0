/**
 * `tamis learn`: learns from folders of mail that somebody has already sorted.
 *
 * Each message becomes a correction as one over HTTP would, in the store that the service uses.
 * Stopped half-way it is simply started again: what is in the log stays as it is. Before it records anything it
 * checks on the mail itself whether learning helps (held-out.ts), and refuses where that would do harm.
 */
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readCanary, readModels } from '../../artifact-files/artifact-files.ts'
import { TamisError } from '../../errors/errors.ts'
import { EXIT } from '../../errors/exit-status.ts'
import { OPERATOR_ID } from '../../mail/personalization/kinds.ts'
import { PERSONAL_EXAMPLES_MAX } from '../../mail/personalization/personal-deltas.ts'
import { policyFor } from '../../mail/verdict/policy.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import type { Command } from '../../terminal/command.ts'
import { printJson, printRow } from '../../terminal/output.ts'
import type { Progress } from '../../terminal/progress.ts'
import { ENTITLEMENTS, type Scope } from '../access/caller.ts'
import { type Config, policySettings, readOwnConfig } from '../config.ts'
import { learnableMessage } from '../correct.ts'
import { openEmbedder } from '../encoder/embedder.ts'
import { decisionOf, type Judging, judge } from '../judge.ts'
import { openKnowledge } from '../known-domains.ts'
import { LearnedModels } from '../learned-models/learned-models.ts'
import { learnFromLog } from '../learned-models/learning.ts'
import { OperatorRules } from '../rules/operator-rules.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { Corrections } from '../users/corrections.ts'
import { MessageKeys } from '../users/message-keys.ts'
import { USER_CACHE_BYTES, Users } from '../users/users.ts'
import { HALVES, type Half, HELD_OUT_MIN, halfOf, refuseHarm } from './held-out.ts'
import { incomingFrom, judgingHere } from './judging-here.ts'
import {
  CHANGES_HEADING,
  changeRow,
  learnedSummary,
  OUTCOMES_HEADING,
  outcomeRow,
  plannedRows,
  type Rehearsal,
  rehearsedRows,
  tableOf,
} from './learn-table.ts'
import { type MailboxMessage, mailboxProgress, readMailbox } from './mailbox.ts'
import { openOwnStore } from './own-store.ts'

/** Messages of spam, and of ham, that are checked before learning: a user's own models learn from the newest 256. */
const CHECKED_MAX = 1_000

interface LearnOptions {
  readonly user?: string
  readonly global?: boolean
  readonly spam?: readonly string[]
  readonly ham?: readonly string[]
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
    .option('--no-rules', 'make no Sender rules')
    .option(
      '--dry-run',
      'record nothing; show which verdicts would change and what Tamis would learn',
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

--dry-run checks all of the mail and records nothing. It lists the messages whose verdicts differ. Then it says
how many verdicts were wrong, of ham and of spam apart, with the interval in which their share in such mail lies
(95 %, Wilson), and what would be learned. With a few dozen messages the intervals are wide: a difference of one
says nothing.

The exit status is 2 if Tamis could not learn from at least one message.

Examples:
  tamis learn --user user-4711 --spam ~/Maildir/.Junk --ham ~/Maildir/cur
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
  if (options.spam === undefined && options.ham === undefined) {
    command.error('error: give the mail to learn from: --spam PATH, --ham PATH, or both')
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
  if (options.dryRun) {
    const isTable = !options.json && process.stdout.isTTY
    if (isTable) process.stdout.write(`${CHANGES_HEADING}\n`)
    const onChange = (changed: ChangedMessage) => printChange(changed, options)
    printRehearsal(await rehearse(config, options, folder, onChange), options, isTable)
    return
  }
  const open = () => openOwnStore(config, 'where named')
  await withLearnTools(config, open, async (tools) => {
    // A store that may not be used is told of before the check, which takes its time.
    if (!options.force && (await hasEnough(options))) {
      const { wrong } = await rehearse(config, { ...options, isCheck: true }, folder)
      refuseHarm(wrong)
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

/** Everything that learning needs, on one store. */
interface LearnTools {
  readonly judging: Judging
  readonly learned: LearnedModels
  readonly corrections: Corrections
  /** Asks the service to run the learning job soon. */
  queueLearning(): Promise<void>
  /** Resolves when what has been corrected so far is learned, and serves. */
  caughtUp(userId: string): Promise<void>
}

async function withLearnTools(
  config: Config,
  open: () => Promise<Store>,
  use: (tools: LearnTools) => Promise<void>,
): Promise<void> {
  const models = await readModels(config.models)
  const knowledge = await openKnowledge(config.knownDomains)
  const embedder = await openEmbedder({
    log: { warn: (_, text) => void process.stderr.write(`tamis: ${text}\n`) },
  })
  const store = await open()
  const onError = (error: unknown) => process.stderr.write(`tamis: ${String(error)}\n`)
  const rules = await OperatorRules.open({ path: config.rules, store, onError })
  const canary = await readCanary(models)
  const settings = { mode: config.learning, rules, store, base: models, canary, onError }
  const learned = await LearnedModels.open(settings)
  const users = new Users(store, USER_CACHE_BYTES, learned)
  const keys = new MessageKeys(store.secret)
  const corrections = new Corrections({
    ...{ store, keys, learned },
    keepsSubjects: config.memorySubjects === 'on',
  })
  const caughtUp = async (userId: string) => {
    const { model } = await learnFromLog(settings)
    await store.saveModel(model, 'promoted')
    await learned.take()
    await users.read(userId)
  }
  const policy = policyFor(models, policySettings(config))
  try {
    const judging = judgingHere({
      ...{ models, knowledge, policy, embedder, keys, users, learned },
      authservIds: config.trustedAuthservIds,
    })
    const { queueLearning } = store
    await use({ judging, learned, corrections, queueLearning, caughtUp })
  } finally {
    users.close()
    learned.close()
    rules.close()
    await store.close()
    await embedder.close()
  }
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
  else if (process.stdout.isTTY) printTable(counts)
  else for (const [status, count] of counts) printRow(status, count)
}

function printTable(counts: ReadonlyMap<string, number>): void {
  const rows = [...counts].map(([status, count]) => outcomeRow(status, count))
  process.stdout.write([OUTCOMES_HEADING, ...rows, learnedSummary(counts), ''].join('\n'))
}

/** What is to be learned. */
interface Sorted extends UserLearnOptions {
  /** Whether it is only to be checked before it is learned: no more than CHECKED_MAX of each label, and nothing is told of what cannot be learned. */
  readonly isCheck?: boolean
}

interface ChangedMessage {
  readonly name: string
  readonly untaught: Verdict
  readonly taught: Verdict
}

/** Learns each half of the mail in a store of its own in `folder`, and judges the other half with that and without. */
async function rehearse(
  config: Config,
  options: Sorted,
  folder: string,
  onChange: (changed: ChangedMessage) => void = () => {},
): Promise<Rehearsal> {
  const wrong = {
    ham: { of: 0, untaught: 0, taught: 0 },
    spam: { of: 0, untaught: 0, taught: 0 },
  }
  const planned = { remembered: 0, rules: 0, ownModels: 0, sharedModel: 0 }
  for (const half of HALVES) {
    const dataDir = join(folder, `half-${half}`)
    await mkdir(dataDir)
    await withLearnTools(
      config,
      () => openStore({ dataDir }),
      async (tools) => {
        const learnt = await recordHalf(tools, options, half)
        for (const name of ['remembered', 'rules', 'ownModels', 'sharedModel'] as const) {
          planned[name] += learnt[name]
        }
        for await (const message of sortedMail(options)) {
          if (halfOf(message.bytes) === half) continue
          const verdicts = await bothVerdicts(tools, options, message)
          if (verdicts === undefined) continue
          const { untaught, taught } = verdicts
          const count = wrong[message.isSpam ? 'spam' : 'ham']
          count.of++
          if (untaught.isSpam !== message.isSpam) count.untaught++
          if (taught.isSpam !== message.isSpam) count.taught++
          if (taught.isSpam !== untaught.isSpam) onChange({ name: message.name, ...verdicts })
        }
      },
    )
  }
  return {
    wrong,
    planned: { ...planned, ownModels: Math.min(planned.ownModels, PERSONAL_EXAMPLES_MAX) },
  }
}

/** Learns one half; what that is. The halves have no sender in common, so their rules are not either. */
async function recordHalf(
  tools: LearnTools,
  options: Sorted,
  half: Half,
): Promise<Rehearsal['planned']> {
  const { learned, corrections, caughtUp } = tools
  const { user, global } = options
  const progress = learnProgress(options)
  let sharedModel = 0
  for await (const message of sortedMail(options)) {
    if (halfOf(message.bytes) === half) {
      if ((await recordOne(tools, options, message)) === 'success') sharedModel++
    }
    progress.advance(1, message.bytes.length)
  }
  progress.end()
  await caughtUp(user)
  const remembered = (await corrections.memoryOf(user)).length
  const rules = await corrections.rulesOf(user, 'spam')
  const isPersonal = !global && (await learned.personalDeltas(user, [])) !== undefined
  return {
    remembered: global ? 0 : remembered,
    rules: rules.length,
    ownModels: isPersonal ? remembered : 0,
    sharedModel,
  }
}

function printRehearsal(rehearsal: Rehearsal, { json }: LearnOptions, isTable: boolean): void {
  const { ham, spam } = rehearsal.wrong
  if (json) {
    const both = { untaught: ham.untaught + spam.untaught, taught: ham.taught + spam.taught }
    printJson({ wrong: { ...both, ham, spam }, planned: rehearsal.planned })
    return
  }
  const rows = [...rehearsedRows(rehearsal), ...plannedRows(rehearsal)]
  if (isTable) process.stdout.write(`${tableOf(rows)}\nNothing was recorded.\n`)
  else for (const row of rows) printRow(...row)
}

function learnProgress({ spam = [], ham = [], isCheck = false }: Sorted): Progress {
  return mailboxProgress(isCheck ? 'check' : 'learn', [...spam, ...ham])
}

interface SortedMessage extends MailboxMessage {
  readonly isSpam: boolean
}

async function* sortedMail({
  spam = [],
  ham = [],
  isCheck = false,
}: Pick<Sorted, 'spam' | 'ham' | 'isCheck'>): AsyncGenerator<SortedMessage> {
  for (const [paths, isSpam] of [[spam, true] as const, [ham, false] as const]) {
    let count = 0
    for await (const message of messagesAt(paths)) {
      if (isCheck && count++ === CHECKED_MAX) break
      yield { ...message, isSpam }
    }
  }
}

async function* messagesAt(paths: readonly string[]): AsyncGenerator<MailboxMessage> {
  for (const path of paths) yield* readMailbox(path)
}

/** What became of the correction, or the code of the error that it ended with. */
async function recordOne(
  { judging, corrections }: LearnTools,
  { user, rules, isCheck }: Sorted,
  { bytes, isSpam, name }: SortedMessage,
): Promise<string> {
  try {
    const message = await learnableMessage(judging, incomingFrom(bytes))
    // Anybody can write a From: years of folders would make hundreds of rules that a forger profits from.
    const wish = { isSpam, skipRule: !rules || message.authenticatedDomain === undefined }
    const corrector = { userId: user, authority: 'operator' } as const
    return (await corrections.correctSpam(corrector, message, wish)).status
  } catch (error) {
    if (!(error instanceof TamisError) || error.code === 'STORE_UNAVAILABLE') throw error
    if (!isCheck) {
      process.stderr.write(`${name}: ${error.message}\n`)
      process.exitCode = EXIT.partly
    }
    return error.code
  }
}

/** The correction; undefined for a file that is not a message. */
async function bothVerdicts(
  { judging }: LearnTools,
  { user }: UserLearnOptions,
  { bytes }: SortedMessage,
): Promise<{ untaught: Verdict; taught: Verdict } | undefined> {
  const caller = { scopes: new Set<Scope>(), entitlements: new Set(ENTITLEMENTS) }
  const nothingLearned = { ...judging, learned: { deltas: undefined } }
  try {
    const taught = await judge(judging, caller, { ...incomingFrom(bytes), users: [user] })
    const untaught = await judge(nothingLearned, caller, incomingFrom(bytes))
    return { untaught: untaught.shared.verdict, taught: decisionOf(taught).verdict }
  } catch (error) {
    if (error instanceof TamisError) return undefined
    throw error
  }
}

function printChange({ name, untaught, taught }: ChangedMessage, { json }: LearnOptions): void {
  if (json) {
    printJson({ name, untaught, taught })
    return
  }
  if (process.stdout.isTTY) {
    process.stdout.write(`${changeRow(name, untaught, taught)}\n`)
    return
  }
  const word = ({ isSpam, spamProbability }: Verdict) =>
    `${isSpam ? 'spam' : 'ham'} ${spamProbability.toFixed(3)}`
  printRow(name, `${word(untaught)} -> ${word(taught)}`, taught.bypassReason ?? 'model')
}
