/**
 * Whether learning from sorted mail helps: half of it is learned, the other half is judged, and then the other way
 * round. The halves are of different senders, so that what is judged is no copy of what was learned.
 */
import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { TamisError } from '../../errors/errors.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import { parseMessage } from '../../mail/message/parse.ts'
import { patternsOf } from '../../mail/personalization/patterns.ts'
import { PERSONAL_EXAMPLES_MAX } from '../../mail/personalization/personal-deltas.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import { printJson, printRow } from '../../terminal/output.ts'
import { ENTITLEMENTS, type Scope } from '../access/caller.ts'
import type { Config } from '../config.ts'
import { decisionOf, judge } from '../judge.ts'
import { openStore } from '../store/open.ts'
import { incomingFrom, type LearnTools, withLearnTools } from './learn-tools.ts'
import {
  learnProgress,
  recordOne,
  type Sorted,
  type SortedMessage,
  sortedMail,
} from './sorted-mail.ts'

/** Judged messages, and how many of these verdicts were wrong. */
export interface Wrong {
  readonly of: number
  readonly untaught: number
  readonly taught: number
}

/** Of ham and of spam apart: ham that was called spam, spam that was not. */
export interface HeldOut {
  readonly ham: Wrong
  readonly spam: Wrong
}

const HALVES = [0, 1] as const

type Half = (typeof HALVES)[number]

/** Fewer judged messages say nothing. */
export const HELD_OUT_MIN = 40

/** Further errors that are no harm, in a hundred judged messages: one message more or less is chance. */
const FURTHER_ERRORS_MAX = 1

const HALF_BIT = 1

/** The half that a message is in: that of its sender's domain, or its own if it names none. */
export function halfOf(bytes: Uint8Array): Half {
  const header = parseMessage(memoryOctets(bytes), { outOfTime: () => true })
  const { senderDomain } = patternsOf(header, false)
  const [first = 0] = createHash('sha256')
    .update(senderDomain ?? bytes)
    .digest()
  return (first & HALF_BIT) === 0 ? 0 : 1
}

/** Whether there are more errors with learning than without, beyond what may be chance; false for too few messages. */
export function isHarmful({ ham, spam }: HeldOut): boolean {
  const of = ham.of + spam.of
  if (of < HELD_OUT_MIN) return false
  const further = ham.taught + spam.taught - ham.untaught - spam.untaught
  return further > Math.max(1, (FURTHER_ERRORS_MAX * of) / 100)
}

/** 'spam missed 8 -> 25 of 212, ham lost 1 -> 0 of 164'. */
export function heldOutText({ ham, spam }: HeldOut): string {
  const change = ({ untaught, taught, of }: Wrong) => `${untaught} -> ${taught} of ${of}`
  return `spam missed ${change(spam)}, ham lost ${change(ham)}`
}

/** @throws TamisError LEARNING_HARMS */
export function refuseHarm(found: HeldOut): void {
  if (!isHarmful(found)) return
  throw new TamisError(
    'LEARNING_HARMS',
    `Learning from half of this mail makes verdicts on the other half worse: ${heldOutText(found)}. Nothing was recorded; check how the mail is sorted, or learn all the same with --force`,
  )
}

/** What a rehearsal found. */
interface Rehearsal {
  readonly wrong: HeldOut
  /** What learning would do, in messages; `rules` in rules. */
  readonly planned: {
    readonly remembered: number
    readonly rules: number
    readonly ownModels: number
    readonly sharedModel: number
  }
}

/** Records nothing: prints the messages whose verdicts would change, and what learning would do. */
export async function dryRun(config: Config, options: Sorted, folder: string): Promise<void> {
  const json = options.json === true
  const onChange = (changed: ChangedMessage) => printChange(changed, json)
  printRehearsal(await rehearse(config, options, folder, onChange), json)
}

interface ChangedMessage {
  readonly name: string
  readonly untaught: Verdict
  readonly taught: Verdict
}

/** Learns each half of the mail in a store of its own in `folder`, and judges the other half with that and without. */
export async function rehearse(
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

/** Prints how many verdicts were wrong, of ham and of spam apart, and what would be learned. */
function printRehearsal({ wrong, planned }: Rehearsal, json: boolean): void {
  const { ham, spam } = wrong
  if (json) {
    const both = { untaught: ham.untaught + spam.untaught, taught: ham.taught + spam.taught }
    printJson({ wrong: { ...both, ham, spam }, planned })
    return
  }
  const cell = (count: number, of: number) => `${count} (${interval(count, of)})`
  printRow('', 'messages', 'wrong without learning', 'wrong with learning')
  for (const label of ['ham', 'spam'] as const) {
    const { of, untaught, taught } = wrong[label]
    printRow(label, of, cell(untaught, of), cell(taught, of))
  }
  printRow('learning would', '')
  printRow('remember messages for the user', planned.remembered)
  printRow("learn from messages for the user's own models", planned.ownModels)
  printRow('make Sender rules, of senders that are vouched for', planned.rules)
  printRow('count messages for the model that all users share', planned.sharedModel)
}

/** The verdicts with and without what was learned; undefined for a file that is not a message. */
async function bothVerdicts(
  { judging }: LearnTools,
  { user }: Sorted,
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

function printChange({ name, untaught, taught }: ChangedMessage, json: boolean): void {
  if (json) {
    printJson({ name, untaught, taught })
    return
  }
  const word = ({ isSpam, spamProbability }: Verdict) =>
    `${isSpam ? 'spam' : 'ham'} ${spamProbability.toFixed(3)}`
  printRow(name, `${word(untaught)} -> ${word(taught)}`, taught.bypassReason ?? 'model')
}

/** The 0.975 quantile of the normal distribution. */
const Z_95 = 1.96

/**
 * Wilson's interval for the share of `count` in `of`, at 95 %: '0.4 to 12.9 %'. Wilson, Probable Inference, the
 * Law of Succession, and Statistical Inference (1927).
 */
function interval(count: number, of: number): string {
  if (of === 0) return 'no messages'
  const share = count / of
  const middle = share + Z_95 ** 2 / (2 * of)
  const reach = Z_95 * Math.sqrt((share * (1 - share)) / of + Z_95 ** 2 / (4 * of ** 2))
  const percentAt = (end: number) => ((100 * end) / (1 + Z_95 ** 2 / of)).toFixed(1)
  return `${percentAt(Math.max(0, middle - reach))} to ${percentAt(middle + reach)} %`
}
