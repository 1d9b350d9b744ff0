/**
 * `tamis learn`: learns from folders of mail that somebody has already sorted.
 *
 * Each message becomes a correction as one over HTTP would, in the store that the service uses.
 * Stopped half-way it is simply started again: what is in the log stays as it is.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCanary, readModels } from '../../artifact-files/artifact-files.ts'
import { TamisError } from '../../errors/errors.ts'
import { EXIT } from '../../errors/exit-status.ts'
import { OPERATOR_ID } from '../../mail/learning/learn-event.ts'
import { PERSONAL_EXAMPLES_MAX } from '../../mail/personalization/personal-deltas.ts'
import { policyFor } from '../../mail/verdict/policy.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import type { Command } from '../../terminal/command.ts'
import { printJson, printRow } from '../../terminal/output.ts'
import type { Progress } from '../../terminal/progress.ts'
import { DEFAULT_TENANT } from '../access/api-key.ts'
import { ENTITLEMENTS, type Scope } from '../access/caller.ts'
import { type Config, policySettings, readOwnConfig } from '../config.ts'
import { learnableMessage } from '../correct.ts'
import { openEmbedding } from '../embedding/open-embedding.ts'
import { type Judging, judge, verdictOf } from '../judge.ts'
import { openKnowledge } from '../known-domains.ts'
import { learnedFrom } from '../learned-models/learned-from.ts'
import { LearnedModels } from '../learned-models/learned-models.ts'
import { Learning } from '../learned-models/learning.ts'
import { ALONE, withOffice } from '../siblings/siblings.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { Tenants } from '../tenants/tenants.ts'
import { Corrections } from '../users/corrections.ts'
import { MessageKeys } from '../users/message-keys.ts'
import { Users } from '../users/users.ts'
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

interface LearnOptions {
  readonly user?: string
  readonly global?: boolean
  readonly tenant: string
  readonly spam?: readonly string[]
  readonly ham?: readonly string[]
  readonly rules: boolean
  readonly dryRun?: boolean
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
    .option('--tenant <id>', 'tenant of the user', DEFAULT_TENANT)
    .option('--spam <path...>', 'files, folders, Maildirs or mboxes of spam')
    .option('--ham <path...>', 'files, folders, Maildirs or mboxes of ham')
    .option('--no-rules', 'make no Sender rules')
    .option(
      '--dry-run',
      'record nothing; show which verdicts would change and what Tamis would learn',
    )
    .option('--json', 'print JSON objects, one per line')
    .notes(`
It uses the settings of the service (TAMIS_DATA_DIR, DATABASE_URL, TAMIS_LEARNING). The service may run at the
same time.

The corrections count as the operator's own. If TAMIS_LEARNING is \`operator\`, the model that all users share
learns from them at once. --global requires this.

A Sender rule is made only of a message whose sender is vouched for: its Authentication-Results field of a host
in TAMIS_TRUSTED_AUTHSERV_IDS says so. All other messages enter the memory, and the user's own models learn
from them.

With --dry-run each message is judged twice before Tamis learns from it: with what was learned from the
messages before it, and without. Messages whose verdicts differ are listed. Then it says how many verdicts were
wrong, of ham and of spam apart, with the interval in which their share in such mail lies (95 %, Wilson), and
what would be learned. With a few dozen messages the intervals are wide: a difference of one says nothing.

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
  if (!options.dryRun) {
    const open = () => openOwnStore(config, 'where named')
    await withLearnTools(config, open, (tools) => recordAll(tools, options))
    return
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'tamis-learn-'))
  try {
    const open = () => openStore({ dataDir })
    await withLearnTools(config, open, (tools) => rehearse(tools, options))
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Everything that learning needs, on one store. */
interface LearnTools {
  readonly judging: Judging
  readonly learned: LearnedModels
  readonly corrections: Corrections
  /** Resolves when what has been corrected so far is learned, and serves. */
  caughtUp(tenant: string): Promise<void>
}

async function withLearnTools(
  config: Config,
  open: () => Promise<Store>,
  use: (tools: LearnTools) => Promise<void>,
): Promise<void> {
  const models = await readModels(config.models)
  const knowledge = await openKnowledge(config.knownDomains)
  const embedding = await openEmbedding(config.embedding)
  const store = await open()
  const onError = (error: unknown) => process.stderr.write(`tamis: ${String(error)}\n`)
  const tenants = await Tenants.open(store)
  const canary = await readCanary(models)
  const settings = { ...learnedFrom(config, tenants), store, base: models, canary, onError }
  const { worker: siblings, office: workers } = withOffice(ALONE)
  // That something was refused the service says, in its log and on /models; this one only passes by.
  const learning = await Learning.open({ ...settings, workers, onRefused: () => {} })
  const learned = LearnedModels.open({ ...settings, siblings })
  const users = await Users.open(store, config.userCacheBytes, learned)
  const keys = new MessageKeys(store.secret)
  const corrections = new Corrections({ store, keys, learned, siblings })
  const caughtUp = async (tenant: string) => {
    await learning.caughtUp(tenant)
    await learned.take(tenant)
  }
  const policy = policyFor(models, policySettings(config))
  try {
    const judging = judgingHere({
      ...{ models, knowledge, policy, embedding, keys, users, learned },
      authservIds: config.trustedAuthservIds,
    })
    await use({ judging, learned, corrections, caughtUp })
  } finally {
    users.close()
    await learned.close()
    await learning.close()
    tenants.close()
    await store.close()
    await embedding.close()
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
  if (options.json) printJson(Object.fromEntries(counts))
  else if (process.stdout.isTTY) printTable(counts)
  else for (const [status, count] of counts) printRow(status, count)
}

function printTable(counts: ReadonlyMap<string, number>): void {
  const rows = [...counts].map(([status, count]) => outcomeRow(status, count))
  process.stdout.write([OUTCOMES_HEADING, ...rows, learnedSummary(counts), ''].join('\n'))
}

async function rehearse(tools: LearnTools, options: UserLearnOptions): Promise<void> {
  const wrong = {
    ham: { of: 0, untaught: 0, taught: 0 },
    spam: { of: 0, untaught: 0, taught: 0 },
  }
  let shared = 0
  const isTable = !options.json && process.stdout.isTTY
  const progress = learnProgress(options)
  if (isTable) process.stdout.write(`${CHANGES_HEADING}\n`)
  for await (const message of sortedMail(options)) {
    const verdicts = await bothVerdicts(tools, options, message)
    if (verdicts !== undefined) {
      const { untaught, taught } = verdicts
      const count = wrong[message.isSpam ? 'spam' : 'ham']
      count.of++
      if (untaught.isSpam !== message.isSpam) count.untaught++
      if (taught.isSpam !== message.isSpam) count.taught++
      if (taught.isSpam !== untaught.isSpam) printChange(message, verdicts, options)
      if ((await recordOne(tools, options, message)) === 'success') shared++
      await tools.caughtUp(options.tenant)
    }
    progress.advance(1, message.bytes.length)
  }
  progress.end()
  printRehearsal(await rehearsalOf(tools, options, wrong, shared), options, isTable)
}

/** What the rehearsal has left in its own store. */
async function rehearsalOf(
  { learned, corrections }: LearnTools,
  { tenant, user, global }: UserLearnOptions,
  wrong: Rehearsal['wrong'],
  shared: number,
): Promise<Rehearsal> {
  const remembered = await corrections.memoryOf(tenant, user)
  const rules = await corrections.rulesOf(tenant, user, 'spam')
  const isPersonal = !global && (await learned.personalDeltas(tenant, user, [])) !== undefined
  return {
    wrong,
    planned: {
      remembered: global ? 0 : remembered.length,
      rules: rules.length,
      ownModels: isPersonal ? Math.min(remembered.length, PERSONAL_EXAMPLES_MAX) : 0,
      sharedModel: shared,
    },
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

function learnProgress({ spam = [], ham = [] }: LearnOptions): Progress {
  return mailboxProgress('learn', [...spam, ...ham])
}

interface SortedMessage extends MailboxMessage {
  readonly isSpam: boolean
}

async function* sortedMail({ spam = [], ham = [] }: LearnOptions): AsyncGenerator<SortedMessage> {
  for (const [paths, isSpam] of [[spam, true] as const, [ham, false] as const]) {
    for (const path of paths) {
      for await (const message of readMailbox(path)) yield { ...message, isSpam }
    }
  }
}

/** What became of the correction, or the code of the error that it ended with. */
async function recordOne(
  { judging, corrections }: LearnTools,
  { tenant, user, rules }: UserLearnOptions,
  { bytes, isSpam, name }: SortedMessage,
): Promise<string> {
  try {
    const message = await learnableMessage(judging, incomingFrom(bytes))
    // Anybody can write a From: years of folders would make hundreds of rules that a forger profits from.
    const wish = { isSpam, skipRule: !rules || message.authenticatedDomain === undefined }
    const corrector = { tenant, userId: user, authority: 'operator' } as const
    return (await corrections.correctSpam(corrector, message, wish)).status
  } catch (error) {
    if (!(error instanceof TamisError) || error.code === 'STORE_UNAVAILABLE') throw error
    process.stderr.write(`${name}: ${error.message}\n`)
    process.exitCode = EXIT.partly
    return error.code
  }
}

/** The correction; undefined for a file that is not a message. */
async function bothVerdicts(
  { judging }: LearnTools,
  { tenant, user }: UserLearnOptions,
  { bytes }: SortedMessage,
): Promise<{ untaught: Verdict; taught: Verdict } | undefined> {
  const caller = { tenant, scopes: new Set<Scope>(), entitlements: new Set(ENTITLEMENTS) }
  const nothingLearned = { ...judging, learned: { leaseDeltas: () => undefined } }
  try {
    const question = { userIds: [user], detail: false }
    const taught = await judge(judging, caller, incomingFrom(bytes), question)
    const untaught = await judge(nothingLearned, caller, incomingFrom(bytes), {
      ...question,
      userIds: [],
    })
    return { untaught: verdictOf(untaught), taught: verdictOf(taught) }
  } catch (error) {
    if (error instanceof TamisError) return undefined
    throw error
  }
}

function printChange(
  { name }: SortedMessage,
  { untaught, taught }: { readonly untaught: Verdict; readonly taught: Verdict },
  { json }: LearnOptions,
): void {
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
