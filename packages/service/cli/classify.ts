/** `tamis classify`: verdicts for messages on disk, without a service or from one. */
import { readModels } from '../../artifact-files/artifact-files.ts'
import { TamisClientError } from '../../client/client.ts'
import { TamisError } from '../../errors/errors.ts'
import { EXIT } from '../../errors/exit-status.ts'
import { analyse } from '../../mail/analyse.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import { decide, decideClass } from '../../mail/verdict/decide.ts'
import { NO_EVIDENCE } from '../../mail/verdict/evidence.ts'
import { type Policy, policyFor } from '../../mail/verdict/policy.ts'
import { sentenceOf, sentenceText } from '../../mail/verdict/sentence.ts'
import { reasonsTold } from '../../mail/verdict/told-reasons.ts'
import type { Verdict } from '../../mail/verdict/verdict.ts'
import type { Command } from '../../terminal/command.ts'
import { printJson } from '../../terminal/output.ts'
import { policySettings, readOwnConfig } from '../config.ts'
import { openKnowledge } from '../known-domains.ts'
import { tryRules } from './classify-rules.ts'
import { HEADING, type Line, rowOf, Summary } from './classify-table.ts'
import {
  addDeliveryOptions,
  type DeliveryOptions,
  deliveryOf,
  factsHere,
} from './delivery-options.ts'
import { type MailboxMessage, mailboxProgress, readMailbox } from './mailbox.ts'
import { readServiceUrl, serviceClient } from './service-options.ts'

/** Requests at a time: enough that the service is not idle between them. */
const REQUESTS_MAX = 8

interface ClassifyOptions extends DeliveryOptions {
  readonly json?: boolean
  readonly models?: string
  readonly url?: string
  readonly keyFile?: string
  readonly user?: string
  readonly rules?: string
}

type Judge = (message: MailboxMessage) => Promise<Line>

export function addClassifyCommand(program: Command): void {
  const command = program
    .command('classify')
    .description(
      'classify messages: files, folders, Maildirs, mboxes (also compressed with gzip), or - for standard input',
    )
    .argument('<path...>', 'files or folders with the messages, or -')
    .option('--json', 'print one JSON object per line, also on a terminal')
    .option('--models <folder>', 'folder of models to use instead of the shipped ones')
    .option('--url <url>', 'ask a running service instead of judging here', readServiceUrl)
    .option('--key-file <file>', 'file with the API key; without it TAMIS_API_KEY is used')
    .option(
      '--user <id>',
      'recipient whose rules and memory the service applies, or for whom --rules are',
    )
    .option(
      '--rules <file>',
      "list what a file of the operator's rules would change (docs/rules.md)",
    )
  addDeliveryOptions(command)
    .notes(`
Exit status: 0 if no message was spam, 1 if at least one was, 2 if at least one could not be classified.

Without --url the command does not use the network and knows no user. It takes threshold, prior and what is read a second
time from the settings TAMIS_THRESHOLD and TAMIS_SPAM_PRIOR (docs/configuration.md).

With --rules it judges each message without the rules of the file and with them, and lists the messages whose verdict changes,
then each rule with the messages to which it applies. Senders are not checked, so a rule with "if authenticated" never applies;
the exit status is 0, or 2 if a message could not be classified.

Examples:
  tamis classify examples/
  tamis classify ~/Maildir --json | jq 'select(.isSpam).name'
  tamis classify - < message.eml
  tamis classify --rules /etc/tamis/rules --user ann@example.org inbox.mbox
  tamis classify --url http://127.0.0.1:8025 --user user-4711 examples/phishing.eml`)
    .action(async (paths: string[], options: ClassifyOptions) => {
      const { url, user, senderIp, senderEmail, models, rules } = options
      if (
        url === undefined &&
        ((rules === undefined ? user : undefined) ?? senderIp ?? senderEmail) !== undefined
      ) {
        command.error('error: --user, --sender-ip and --sender-email need --url')
      }
      if (url !== undefined && models !== undefined) {
        command.error(
          'error: --models cannot be used with --url, because the service has its own models',
        )
      }
      if (url !== undefined && rules !== undefined) {
        command.error('error: --rules cannot be used with --url: messages are judged here')
      }
      process.exitCode =
        rules === undefined
          ? await classifyPaths(paths, options)
          : await tryRules(paths, { ...options, rules })
    })
}

async function classifyPaths(paths: readonly string[], options: ClassifyOptions): Promise<number> {
  const { url } = options
  const judge = url === undefined ? await judgeHere(options) : judgeThere(options)
  const isTable = !options.json && process.stdout.isTTY
  const summary = new Summary()
  const progress = mailboxProgress('classify', paths)
  let exit: number = EXIT.done
  if (isTable) process.stdout.write(`${HEADING}\n`)
  try {
    for await (const { line, bytes } of judged(
      paths,
      judge,
      url === undefined ? 1 : REQUESTS_MAX,
    )) {
      exit = Math.max(exit, exitOf(line))
      progress.advance(1, bytes)
      summary.add(line)
      if (isTable) process.stdout.write(`${rowOf(line)}\n`)
      else printLine(line)
    }
  } finally {
    progress.end()
  }
  if (isTable) process.stdout.write(`${summary}\n`)
  return exit
}

interface ClassifiedMessage {
  readonly line: Line
  readonly bytes: number
}

/** The lines of all messages in their order, up to `atOnce` being judged at a time. */
async function* judged(
  paths: readonly string[],
  judge: Judge,
  atOnce: number,
): AsyncGenerator<ClassifiedMessage> {
  const waiting: Promise<ClassifiedMessage>[] = []
  for (const path of paths) {
    for await (const message of readMailbox(path)) {
      const { length: bytes } = message.bytes
      const next = judge(message).then((line) => ({ line, bytes }))
      // It is awaited below, in its turn; until then a failure is not unhandled.
      next.catch(() => {})
      waiting.push(next)
      if (waiting.length >= atOnce) yield await waiting.shift()!
    }
  }
  for (const each of waiting) yield await each
}

async function judgeHere({ models: given }: ClassifyOptions): Promise<Judge> {
  const config = readOwnConfig()
  const models = await readModels(given ?? config.models)
  const knowledge = await openKnowledge(config.knownDomains)
  const policy = policyFor(models, policySettings(config))
  return async ({ name, bytes }) => {
    try {
      const analysis = analyse(memoryOctets(bytes), factsHere(), models, { knowledge })
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
  const reasons = reasonsTold(analysis, NO_EVIDENCE, policy, verdict)
  const judged = { ...verdict, threshold: policy.threshold }
  return sentenceText(sentenceOf(judged, reasons, analysis.summary.senderDomain))
}

function judgeThere(options: ClassifyOptions): Judge {
  const tamis = serviceClient(options)
  const delivery = { ...deliveryOf(options), userId: options.user }
  return async ({ name, bytes }) => {
    try {
      const answer = await tamis.message('/classify-stream/reasons', bytes, delivery)
      const { score: _, requiredScore: __, reasons: ___, sentence, ...verdict } = answer
      return { name, verdict, sentence }
    } catch (error) {
      // What is the matter with one message: of the others something may be said.
      const isItsOwn =
        error instanceof TamisClientError && [400, 413, 503].includes(error.status ?? 0)
      if (!isItsOwn || error.code === 'HEADER_INVALID') throw error
      return errorLine(name, bytes, error)
    }
  }
}

/** What to do with text that a person has saved without its header fields. */
const NO_HEADER_FIELDS =
  'This is not a message: it does not begin with header fields, such as "From: ann@example.org". To judge text alone, put an empty field before it: (echo Subject:; echo; cat FILE) | tamis classify -'

function errorLine(
  name: string,
  bytes: Uint8Array,
  { message, code }: TamisError | TamisClientError,
): Line {
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
