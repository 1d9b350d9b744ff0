/** `tamis weighted-rules try`: which verdicts on the messages of a folder weighted rules would change, before anything is switched on. */
import { readModels } from '../../artifact-files/artifact-files.ts'
import { TamisError } from '../../errors/errors.ts'
import { EXIT } from '../../errors/exit-status.ts'
import { analyse } from '../../mail/analyse.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import type { WeightedRule } from '../../mail/personalization/weighted-rule.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import { decide } from '../../mail/verdict/decide.ts'
import { NO_EVIDENCE } from '../../mail/verdict/evidence.ts'
import { percent } from '../../mail/verdict/percent.ts'
import { policyFor } from '../../mail/verdict/policy.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import type { Command } from '../../terminal/command.ts'
import { type List, printList } from '../../terminal/output.ts'
import { policySettings, readOwnConfig } from '../config.ts'
import { openKnowledge } from '../known-domains.ts'
import { openWeightedRules } from '../weighted-rules.ts'
import { factsHere } from './delivery-options.ts'
import { type MailboxMessage, mailboxProgress, readMailbox } from './mailbox.ts'

interface TryOptions {
  readonly rules: readonly string[]
  readonly json?: boolean
}

/** A message, judged without the rules and with them. */
interface Tried {
  readonly name: string
  readonly before: Pick<Verdict, 'isSpam' | 'spamProbability'>
  readonly after: Pick<Verdict, 'isSpam' | 'spamProbability'>
  /** Names of the rules that hold. */
  readonly rules: readonly string[]
}

/** What became of a rule. */
interface Count {
  readonly rule: string
  readonly weight: number
  /** Messages for which it holds. */
  readonly holds: number
  /** Those of them that all rules together make spam, and that they make none. */
  readonly madeSpam: number
  readonly madeHam: number
}

const CHANGED: List<Tried> = {
  headings: ['message', 'before', 'after', 'is now', 'rules'],
  row: ({ name, before, after, rules }) => [
    name,
    percent(before.spamProbability),
    percent(after.spamProbability),
    after.isSpam ? 'spam' : 'ham',
    rules.join(', '),
  ],
  none: 'No verdict would change.',
}

const COUNTS: List<Count> = {
  headings: ['rule', 'weight', 'holds', 'made spam', 'made ham'],
  row: ({ rule, weight, holds, madeSpam, madeHam }) => [rule, weight, holds, madeSpam, madeHam],
  none: 'No weighted rules.',
}

/** Adds `try` to `parent`, which is the command of that name. */
export function addTryCommand(parent: Command, name: string): void {
  parent
    .command('try')
    .argument('<path...>', 'files or folders with messages, Maildirs, mboxes, or -')
    .requiredOption('--rules <file...>', 'files of weighted rules')
    .option('--json', 'print one JSON object per line')
    .description('judge messages without the rules of a file and with them, and list what changes')
    .notes(`
First come the messages whose verdict changes: the message, the probability of spam without the rules and with them, what it
is now, and the rules that hold for it. Then the rules, each with its weight, for how many messages it holds, and how many
of these all rules together make spam and make ham.

No service is needed. Threshold and prior are those of the settings. All rules of the files apply, whatever
tenant they name. Senders are not checked: in service, rules against spam do not count where checks fail.

Exit status: 0, or 2 if at least one message could not be classified.

Examples:
  tamis ${name} try ~/Maildir --rules weighted.rules
  tamis ${name} try spam.mbox ham.mbox --rules weighted.rules --json`)
    .action(async (paths: string[], options: TryOptions) => {
      process.exitCode = await tryRules(paths, options)
    })
}

async function tryRules(
  paths: readonly string[],
  { rules: files, json }: TryOptions,
): Promise<number> {
  const rules = await openWeightedRules(files, '--rules')
  const judge = await judgingWith(rules)
  const progress = mailboxProgress('try', paths)
  const tried: Tried[] = []
  let exit: number = EXIT.done
  try {
    for (const path of paths) {
      for await (const message of readMailbox(path)) {
        progress.advance(1, message.bytes.length)
        const result = await judgedIfPossible(judge, message)
        if (result === undefined) exit = EXIT.partly
        else if (result.rules.length > 0) tried.push(result)
      }
    }
  } finally {
    progress.end()
  }
  await printList(tried.filter(isChanged), CHANGED, { json })
  if (!json) process.stdout.write('\n')
  await printList(countsOf(rules, tried), COUNTS, { json })
  return exit
}

type Judge = (message: MailboxMessage) => Promise<Tried>

async function judgingWith(weightedRules: readonly WeightedRule[]): Promise<Judge> {
  const config = readOwnConfig()
  const models = await readModels(config.models)
  const knowledge = await openKnowledge(config.knownDomains)
  const policy = policyFor(models, policySettings(config))
  const verdictOn = (analysis: Analysis) => {
    const verdict = decide(analysis, NO_EVIDENCE, policy)
    return { isSpam: verdict.isSpam, spamProbability: verdict.spamProbability }
  }
  const judge: Judge = async ({ name, bytes }) => {
    const options = { knowledge, weightedRules }
    const { weighted, ...without } = analyse(memoryOctets(bytes), factsHere(), models, options)
    const rules = weighted?.holding.map((rule) => rule.name) ?? []
    const before = verdictOn(without)
    if (weighted === undefined || rules.length === 0) return { name, before, after: before, rules }
    return { name, before, after: verdictOn({ ...without, weighted }), rules }
  }
  return judge
}

/** What became of the message; undefined where it cannot be classified, which standard error says. */
async function judgedIfPossible(judge: Judge, message: MailboxMessage): Promise<Tried | undefined> {
  try {
    return await judge(message)
  } catch (error) {
    if (!(error instanceof TamisError)) throw error
    process.stderr.write(`tamis: ${message.name}: ${error.message} (${error.code})\n`)
    return undefined
  }
}

function isChanged({ before, after }: Tried): boolean {
  return before.isSpam !== after.isSpam
}

function countsOf(rules: readonly WeightedRule[], tried: readonly Tried[]): Count[] {
  return rules.map(({ name: rule, weight }) => {
    const holding = tried.filter((each) => each.rules.includes(rule))
    const changed = holding.filter(isChanged)
    const madeSpam = changed.filter(({ after }) => after.isSpam).length
    const holds = holding.length
    return { rule, weight, holds, madeSpam, madeHam: changed.length - madeSpam }
  })
}
