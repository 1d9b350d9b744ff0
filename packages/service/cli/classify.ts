/** `tamis classify`: verdicts for messages on disk, without a service. */
import { readModels } from '../../artifact-files/artifact-files.ts'
import { TamisError } from '../../errors/errors.ts'
import { EXIT } from '../../errors/exit-status.ts'
import { analyse } from '../../mail/analyse.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import { decide, decideClass } from '../../mail/verdict/decide.ts'
import { NO_EVIDENCE } from '../../mail/verdict/evidence.ts'
import { type Policy, policyFor } from '../../mail/verdict/policy.ts'
import { sentenceOf, sentenceText, strongestReasons } from '../../mail/verdict/sentence.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import type { Command } from '../../terminal/command.ts'
import { printJson } from '../../terminal/output.ts'
import { policySettings, readOwnConfig } from '../config.ts'
import { openKnowledge } from '../known-domains.ts'
import { tryRules } from './classify-rules.ts'
import { type MailboxMessage, mailboxProgress, readMailbox } from './mailbox.ts'

interface ClassifyOptions {
  readonly json?: boolean
  readonly models?: string
  readonly user?: string
  readonly rules?: string
}

type Judge = (message: MailboxMessage) => Line

export function addClassifyCommand(program: Command): void {
  program
    .command('classify')
    .description(
      'classify messages: files, folders, Maildirs, mboxes (also compressed with gzip), or - for standard input',
    )
    .argument('<path...>', 'files or folders with the messages, or -')
    .option('--json', 'print one JSON object per line, also on a terminal')
    .option('--models <folder>', 'folder of models to use instead of the shipped ones')
    .option('--user <id>', 'recipient for whom --rules are')
    .option(
      '--rules <file>',
      "list what a file of the operator's rules would change (docs/rules.md)",
    )
    .notes(`
Exit status: 0 if no message was spam, 1 if at least one was, 2 if at least one could not be classified.

The command does not use the network and knows no user: POST /classify-stream asks a running service. It takes threshold, prior and what is read a second
time from the settings TAMIS_THRESHOLD and TAMIS_SPAM_PRIOR (docs/configuration.md).

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

async function classifyPaths(paths: readonly string[], options: ClassifyOptions): Promise<number> {
  const judge = await judgeHere(options)
  const isTable = !options.json && process.stdout.isTTY
  const summary = new Summary()
  const progress = mailboxProgress('classify', paths)
  let exit: number = EXIT.done
  if (isTable) process.stdout.write(`${HEADING}\n`)
  try {
    for (const path of paths) {
      for await (const message of readMailbox(path)) {
        const line = judge(message)
        exit = Math.max(exit, exitOf(line))
        progress.advance(1, message.bytes.length)
        summary.add(line)
        if (isTable) process.stdout.write(`${rowOf(line)}\n`)
        else printLine(line)
      }
    }
  } finally {
    progress.end()
  }
  if (isTable) process.stdout.write(`${summary}\n`)
  return exit
}

async function judgeHere({ models: given }: ClassifyOptions): Promise<Judge> {
  const config = readOwnConfig()
  const models = await readModels(given ?? config.models)
  const knowledge = await openKnowledge(config.knownDomains)
  const policy = policyFor(models, policySettings(config))
  return ({ name, bytes }) => {
    try {
      const analysis = analyse(
        memoryOctets(bytes),
        { now: new Date(), arrivalFallback: 'date' },
        models,
        { knowledge },
      )
      const { confidence } = decideClass(analysis, NO_EVIDENCE)
      const verdict = decide(analysis, NO_EVIDENCE, policy)
      return { name, verdict, confidence, sentence: sentenceHere(analysis, verdict, policy) }
    } catch (error) {
      if (!(error instanceof TamisError)) throw error
      return errorLine(name, bytes, error)
    }
  }
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

function errorLine(name: string, bytes: Uint8Array, { message, code }: TamisError): Line {
  const isText = code === 'NOT_A_MESSAGE' && bytes.length > 0
  return { name, error: isText ? NO_HEADER_FIELDS : message, code }
}

function exitOf(line: Line): number {
  if ('error' in line) return EXIT.partly
  return line.verdict.isSpam ? EXIT.spam : EXIT.done
}

function printLine(line: Line): void {
  const { name } = line
  if ('error' in line) printJson({ name, error: line.error, code: line.code })
  else printJson({ name, ...line.verdict, sentence: line.sentence })
}

/** What became of one message. */
export type Line = { readonly name: string } & (
  | {
      readonly verdict: Verdict
      readonly confidence?: number
      /** Why, in words. */
      readonly sentence?: string | undefined
    }
  | { readonly error: string; readonly code: string }
)

/** Characters of a message's name in the table. */
export const NAME_WIDTH = 48

/** Between columns: as much as sets words apart from names with spaces. */
export const COLUMN_GAP = '  '

export const HEADING = [
  'message'.padEnd(NAME_WIDTH),
  '    ',
  'spam ',
  'class'.padEnd(12),
  'sure',
].join(COLUMN_GAP)

/** One message; the class's confidence where it is known, `look` where a person should, and below it the sentence. */
export function rowOf(line: Line): string {
  const name = shortened(line.name).padEnd(NAME_WIDTH)
  if ('error' in line) return [name, `error ${line.code}: ${line.error}`].join(COLUMN_GAP)
  const { isSpam, spamProbability, classification, shouldEscalate } = line.verdict
  const row = [
    name,
    isSpam ? 'SPAM' : 'ham ',
    spamProbability.toFixed(3),
    classification.padEnd(12),
    line.confidence?.toFixed(2) ?? '    ',
    shouldEscalate ? 'look' : '',
  ].join(COLUMN_GAP)
  return line.sentence === undefined ? row : `${row}\n${COLUMN_GAP}${line.sentence}`
}

/** Counts messages as they are judged. */
export class Summary {
  #spam = 0
  #ham = 0
  #look = 0
  #errors = 0

  add(line: Line): void {
    if ('error' in line) this.#errors++
    else {
      if (line.verdict.isSpam) this.#spam++
      else this.#ham++
      if (line.verdict.shouldEscalate) this.#look++
    }
  }

  /** '3 messages: 1 spam, 2 ham; 1 to look at'. */
  toString(): string {
    const messages = this.#spam + this.#ham + this.#errors
    const look = this.#look > 0 ? `; ${this.#look} to look at` : ''
    const errors = this.#errors > 0 ? `; ${this.#errors} not classified` : ''
    const noun = messages === 1 ? 'message' : 'messages'
    return `${messages} ${noun}: ${this.#spam} spam, ${this.#ham} ham${look}${errors}`
  }
}

/** At most NAME_WIDTH characters of `name`, the last ones. */
export function shortened(name: string): string {
  return name.length <= NAME_WIDTH ? name : `…${name.slice(1 - NAME_WIDTH)}`
}
