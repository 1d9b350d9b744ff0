/** `tamis classify`: verdicts for messages on disk, without a service. */
import { readKnowledge, readModels } from '../../artifact-files/artifact-files.ts'
import { TamisError } from '../../errors/errors.ts'
import { EXIT } from '../../errors/exit-status.ts'
import { type AnalyseOptions, analyse } from '../../mail/analyse.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import {
  factsOf,
  indexOperatorRules,
  type RuleIndex,
  rulesFor,
} from '../../mail/operator-rules/match.ts'
import { UNKNOWN_SENDER } from '../../mail/personalization/rules.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import { decide } from '../../mail/verdict/decide.ts'
import { NO_EVIDENCE, withRules } from '../../mail/verdict/evidence.ts'
import { type Policy, policyFor } from '../../mail/verdict/policy.ts'
import { sentenceOf, sentenceText, strongestReasons } from '../../mail/verdict/sentence.ts'
import { percent } from '../../mail/verdict/standing.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import type { Command } from '../../terminal/command.ts'
import { type List, printList } from '../../terminal/output.ts'
import { policySettings, readOwnConfig } from '../config.ts'
import { recipientOf } from '../policies.ts'
import { readRulesFile } from '../rules/rules-file.ts'
import { type MailboxMessage, mailboxProgress, readMailbox } from './mailbox.ts'

interface ClassifyOptions {
  readonly json?: boolean
  readonly user?: string
  readonly rules?: string
}

/** What became of one message. */
type Line<Judged> = { readonly name: string } & (Judged | Failed)

interface Failed {
  readonly error: string
  readonly code: string
}

interface Classified {
  readonly verdict: Verdict
  /** Why, in words. */
  readonly sentence: string | undefined
}

export function addClassifyCommand(program: Command): void {
  program
    .command('classify')
    .description(
      'classify messages: files, folders, Maildirs, mboxes (also compressed with gzip), or - for standard input',
    )
    .argument('<path...>', 'files or folders with the messages, or -')
    .option('--json', 'print one JSON object per line, also on a terminal')
    .option('--user <id>', 'recipient for whom --rules are')
    .option(
      '--rules <file>',
      "list what a file of the operator's rules would change (docs/rules.md)",
    )
    .notes(`
Exit status: 0 if no message was spam, 1 if at least one was, 2 if at least one could not be classified.

The command does not use the network and knows no user: POST /classify-stream asks a running service. Models, threshold
and prior are those of the settings (docs/configuration.md).

With --rules it judges each message without the rules of the file and with them, and lists the messages whose verdict changes,
then each rule with the messages to which it applies. Senders are not checked, so a rule with "if authenticated" never applies;
the exit status is 0, or 2 if a message could not be classified.

Examples:
  tamis classify examples/
  tamis classify ~/Maildir --json | jq 'select(.isSpam).name'
  tamis classify - < message.eml
  tamis classify --rules /etc/tamis/rules --user ann@example.org inbox.mbox`)
    .action(async (paths: string[], options: ClassifyOptions, command: Command) => {
      const { user, rules } = options
      if (rules === undefined && user !== undefined) command.error('error: --user needs --rules')
      process.exitCode =
        rules === undefined
          ? await classifyPaths(paths, options)
          : await tryRules(paths, { ...options, rules })
    })
}

const VERDICTS: List<Line<Classified>> = {
  headings: ['verdict', 'spam', 'class', '', 'message', 'why'],
  row: (line) => {
    if ('error' in line) return ['error', '', '', '', line.name, line.error]
    const { isSpam, spamProbability, classification, shouldEscalate } = line.verdict
    return [
      isSpam ? 'SPAM' : 'ham',
      spamProbability.toFixed(3),
      classification,
      shouldEscalate ? 'look' : '',
      line.name,
      line.sentence ?? '',
    ]
  },
  json: (line) =>
    'error' in line ? line : { name: line.name, ...line.verdict, sentence: line.sentence },
  none: 'No messages.',
}

async function classifyPaths(paths: readonly string[], { json }: ClassifyOptions): Promise<number> {
  const isTable = !json && process.stdout.isTTY === true
  const { analysed, policy } = await modelsHere()
  const counts = { spam: 0, ham: 0, look: 0, errors: 0 }
  const judge = (message: MailboxMessage): Classified => {
    const analysis = analysed(message)
    const verdict = decide(analysis, NO_EVIDENCE, policy)
    counts[verdict.isSpam ? 'spam' : 'ham']++
    if (verdict.shouldEscalate) counts.look++
    return { verdict, sentence: sentenceHere(analysis, verdict, policy) }
  }
  const lines = linesAt(paths, judge, () => counts.errors++)
  await printList(lines, VERDICTS, { json: !isTable })
  if (isTable) process.stdout.write(`${summaryText(counts)}\n`)
  if (counts.errors > 0) return EXIT.partly
  return counts.spam > 0 ? EXIT.spam : EXIT.done
}

/** What `judge` says of each message, or why it cannot be judged, which `onError` hears. */
async function* linesAt<Judged>(
  paths: readonly string[],
  judge: (message: MailboxMessage) => Judged,
  onError: (line: Failed & { readonly name: string }) => void,
): AsyncGenerator<Line<Judged>> {
  const progress = mailboxProgress('classify', paths)
  try {
    for (const path of paths) {
      for await (const message of readMailbox(path)) {
        progress.advance(1, message.bytes.length)
        const { name } = message
        try {
          yield { name, ...judge(message) }
        } catch (error) {
          if (!(error instanceof TamisError)) throw error
          const failed = { name, error: errorText(message, error), code: error.code }
          onError(failed)
          yield failed
        }
      }
    }
  } finally {
    progress.end()
  }
}

/** The models as the settings have them, and how messages are analysed with them. */
async function modelsHere(options: AnalyseOptions = {}) {
  const config = readOwnConfig()
  const models = await readModels(config.models)
  const knowledge = await readKnowledge()
  const settings = policySettings(config)
  const analysed = ({ bytes }: MailboxMessage) => {
    const facts = { now: new Date(), arrivalFallback: 'date' } as const
    return analyse(memoryOctets(bytes), facts, models, { ...options, knowledge })
  }
  return { models, settings, policy: policyFor(models, settings), analysed }
}

/** Why, in words; undefined without spam detection. */
function sentenceHere(analysis: Analysis, verdict: Verdict, policy: Policy): string | undefined {
  if (!policy.spamEntitled) return undefined
  const reasons = strongestReasons(analysis, NO_EVIDENCE, policy, verdict)
  const judged = { ...verdict, threshold: policy.threshold }
  return sentenceText(sentenceOf(judged, reasons, analysis.summary.senderDomain))
}

/** What to do with text that a person has saved without its header fields. */
const NO_HEADER_FIELDS =
  'This is not a message: it does not begin with header fields, such as "From: ann@example.org". To judge text alone, put an empty field before it: (echo Subject:; echo; cat FILE) | tamis classify -'

function errorText({ bytes }: MailboxMessage, { message, code }: TamisError): string {
  return code === 'NOT_A_MESSAGE' && bytes.length > 0 ? NO_HEADER_FIELDS : message
}

/** '3 messages: 1 spam, 2 ham; 1 to look at'. */
function summaryText({
  spam,
  ham,
  look,
  errors,
}: Record<'spam' | 'ham' | 'look' | 'errors', number>): string {
  const messages = spam + ham + errors
  const looked = look > 0 ? `; ${look} to look at` : ''
  const failed = errors > 0 ? `; ${errors} not classified` : ''
  const noun = messages === 1 ? 'message' : 'messages'
  return `${messages} ${noun}: ${spam} spam, ${ham} ham${looked}${failed}`
}

type Judged = Pick<Verdict, 'isSpam' | 'spamProbability' | 'classification'>

/** A message, judged without the rules and with them. */
interface Tried {
  readonly before: Judged
  readonly after: Judged
  /** The rules that apply. */
  readonly rules: readonly string[]
}

interface Count {
  readonly rule: string
  /** Messages to which it applies. */
  readonly hits: number
  /** Those of them whose verdict or class all rules together change. */
  readonly changed: number
}

const CHANGED: List<Tried & { readonly name: string }> = {
  headings: ['message', 'before', 'after', 'rules'],
  row: ({ name, before, after, rules }) => [name, words(before), words(after), rules.join('; ')],
  none: 'No verdict would change.',
}

const COUNTS: List<Count> = {
  headings: ['hits', 'changed', 'rule'],
  row: ({ rule, hits, changed }) => [hits, changed, rule],
  none: 'No rules.',
}

/** Lists the messages whose verdict changes, then the rules with their counts. @returns the exit status. */
async function tryRules(
  paths: readonly string[],
  { rules: file, user, json }: ClassifyOptions & { readonly rules: string },
): Promise<number> {
  const { rules } = (await readRulesFile(file, '--rules'))!
  const judge = await judgingWith(indexOperatorRules(rules), user)
  const tried: (Tried & { readonly name: string })[] = []
  let exit: number = EXIT.done
  const onError = ({ name, error, code }: Failed & { readonly name: string }) => {
    process.stderr.write(`tamis: ${name}: ${error} (${code})\n`)
    exit = EXIT.partly
  }
  for await (const line of linesAt(paths, judge, onError)) {
    if (!('error' in line)) tried.push(line)
  }
  await printList(tried.filter(isChanged), CHANGED, { json })
  if (!json) process.stdout.write('\n')
  const counts = rules.map(({ text: rule }) => {
    const applying = tried.filter((each) => each.rules.includes(rule))
    return { rule, hits: applying.length, changed: applying.filter(isChanged).length }
  })
  await printList(counts, COUNTS, { json })
  return exit
}

async function judgingWith(index: RuleIndex, user: string | undefined) {
  const { textRules } = index
  const { models, settings, policy, analysed } = await modelsHere({ textRules })
  return (message: MailboxMessage): Tried => {
    const analysis = analysed(message)
    const { claims, ruleTexts, personal } = analysis
    const facts = factsOf(index, claims!, personal.patterns)
    const say = rulesFor(index, facts, ruleTexts!, recipientOf(user), UNKNOWN_SENDER)
    const { threshold } = say
    const withThreshold =
      threshold === undefined ? policy : policyFor(models, { ...settings, threshold })
    return {
      before: judged(decide(analysis, NO_EVIDENCE, policy)),
      after: judged(decide(analysis, withRules(NO_EVIDENCE, say), withThreshold)),
      rules: say.applied.map(({ text }) => text),
    }
  }
}

function judged({ isSpam, spamProbability, classification }: Verdict): Judged {
  return { isSpam, spamProbability, classification }
}

function words({ isSpam, spamProbability, classification }: Judged): string {
  return `${isSpam ? 'spam' : 'ham'} ${percent(spamProbability)} ${classification}`
}

function isChanged({ before, after }: Tried): boolean {
  return before.isSpam !== after.isSpam || before.classification !== after.classification
}
