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
import type { Verdict } from '../../mail/verdict/verdict.ts'
import { type List, printJson, printList } from '../../terminal/output.ts'
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

/** @throws TamisError LEARNING_HARMS */
export function refuseHarm(found: HeldOut): void {
  if (!isHarmful(found)) return
  const change = ({ untaught, taught, of }: Wrong) => `${untaught} -> ${taught} of ${of}`
  throw new TamisError(
    'LEARNING_HARMS',
    `Learning from half of this mail makes verdicts on the other half worse: spam missed ${change(found.spam)}, ham lost ${change(found.ham)}. Nothing was recorded; check how the mail is sorted, or learn all the same with --force`,
  )
}

/** Records nothing: prints the messages whose verdicts would change, and how many verdicts are wrong with learning and without. */
export async function dryRun(config: Config, options: Sorted, folder: string): Promise<void> {
  const { json } = options
  const changed: ChangedMessage[] = []
  const wrong = await rehearse(config, options, folder, (each) => changed.push(each))
  await printList(changed, CHANGED, { json })
  if (json) printJson({ wrong })
  else
    await printList(
      [
        { label: 'ham', ...wrong.ham },
        { label: 'spam', ...wrong.spam },
      ],
      WRONG,
    )
}

interface ChangedMessage {
  readonly name: string
  readonly untaught: Verdict
  readonly taught: Verdict
}

const CHANGED: List<ChangedMessage> = {
  headings: ['message', 'without learning', 'with learning', 'by'],
  row: ({ name, untaught, taught }) => [
    name,
    verdictText(untaught),
    verdictText(taught),
    taught.bypassReason ?? 'model',
  ],
  none: 'No verdict would change.',
}

const WRONG: List<Wrong & { readonly label: string }> = {
  headings: ['label', 'messages', 'wrong without learning', 'wrong with learning'],
  row: ({ label, of, untaught, taught }) => [label, of, untaught, taught],
  none: 'No messages.',
}

function verdictText({ isSpam, spamProbability }: Verdict): string {
  return `${isSpam ? 'spam' : 'ham'} ${spamProbability.toFixed(3)}`
}

/** Learns each half of the mail in a store of its own in `folder`, and judges the other half with that and without. */
export async function rehearse(
  config: Config,
  options: Sorted,
  folder: string,
  onChange: (changed: ChangedMessage) => void = () => {},
): Promise<HeldOut> {
  const wrong = {
    ham: { of: 0, untaught: 0, taught: 0 },
    spam: { of: 0, untaught: 0, taught: 0 },
  }
  for (const half of HALVES) {
    const dataDir = join(folder, `half-${half}`)
    await mkdir(dataDir)
    await withLearnTools(
      config,
      () => openStore({ dataDir }),
      async (tools) => {
        await recordHalf(tools, options, half)
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
  return wrong
}

async function recordHalf(tools: LearnTools, options: Sorted, half: Half): Promise<void> {
  const progress = learnProgress(options)
  for await (const message of sortedMail(options)) {
    if (halfOf(message.bytes) === half) await recordOne(tools, options, message)
    progress.advance(1, message.bytes.length)
  }
  progress.end()
  await tools.caughtUp(options.user)
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
