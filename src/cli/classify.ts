/** `tamis classify`: verdicts for messages on disk, without a service. */
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { analyse, decide, decideClass } from '../classify.ts'
import { policySettings, readConfig } from '../config.ts'
import { TamisError } from '../errors.ts'
import { memoryOctets } from '../message/octets.ts'
import type { Models } from '../models/models.ts'
import { readModels } from '../storage/artifact-files.ts'
import { NO_EVIDENCE } from '../verdict/evidence.ts'
import { type Policy, policyFor } from '../verdict/policy.ts'
import type { ClassVerdict, Verdict } from '../verdict/verdict.ts'
import { type MailboxMessage, readMailbox } from './mailbox.ts'
import { startProgress } from './progress.ts'

/** Nothing was spam; something was; something could not be classified. */
export const EXIT = { ham: 0, spam: 1, error: 2 } as const

/** Characters of a message's name in the table. */
const NAME_WIDTH = 48

type Line = { name: string } & (
  | { verdict: Verdict; classes: ClassVerdict }
  | { error: string; code: string }
)

export function addClassifyCommand(program: Command): void {
  program
    .command('classify')
    .description('classify messages: files, folders, Maildirs, mboxes, or - for standard input')
    .argument('<path...>', 'where the messages are')
    .option('--json', 'one JSON object a line, also on a terminal')
    .option('--models <folder>', 'artifacts other than the shipped ones')
    .addHelpText(
      'after',
      `
Exit status: 0 no message was spam, 1 at least one was, 2 at least one could not be classified.

Threshold and prior are the service's: TAMIS_THRESHOLD, TAMIS_SPAM_PRIOR (docs/configuration.md).

Examples:
  tamis classify examples/
  tamis classify ~/Maildir --json | jq 'select(.isSpam).name'
  tamis classify - < message.eml`,
    )
    .action(async (paths: string[], options: { json?: boolean; models?: string }) => {
      process.exitCode = await classifyPaths(paths, options)
    })
}

async function classifyPaths(
  paths: readonly string[],
  options: { json?: boolean; models?: string },
): Promise<number> {
  const config = readConfig(process.env, (path) => readFileSync(path, 'utf8'))
  const models = await readModels(options.models ?? config.models)
  const policy = policyFor(models, policySettings(config))
  const print = options.json || !process.stdout.isTTY ? printJson : printRow
  const progress = startProgress('classify', undefined)
  let exit: number = EXIT.ham
  for (const path of paths) {
    for await (const message of readMailbox(path)) {
      const line = classifyMessage(message, models, policy)
      exit = Math.max(exit, exitOf(line))
      progress.advance()
      print(line)
    }
  }
  progress.end()
  return exit
}

function classifyMessage({ name, bytes }: MailboxMessage, models: Models, policy: Policy): Line {
  try {
    const analysis = analyse(memoryOctets(bytes), { receivedAt: new Date() }, models)
    return {
      name,
      verdict: decide(analysis, NO_EVIDENCE, policy),
      classes: decideClass(analysis, NO_EVIDENCE),
    }
  } catch (error) {
    if (!(error instanceof TamisError)) throw error
    return { name, error: error.message, code: error.code }
  }
}

function exitOf(line: Line): number {
  if ('error' in line) return EXIT.error
  return line.verdict.isSpam ? EXIT.spam : EXIT.ham
}

function printJson(line: Line): void {
  const { name } = line
  const fields = 'error' in line ? { error: line.error, code: line.code } : line.verdict
  process.stdout.write(`${JSON.stringify({ name, ...fields })}\n`)
}

function printRow(line: Line): void {
  const name = shortened(line.name).padEnd(NAME_WIDTH)
  const columns =
    'error' in line
      ? `error ${line.code}`
      : [
          line.verdict.isSpam ? 'SPAM' : 'ham ',
          line.verdict.spamProbability.toFixed(3),
          line.verdict.classification.padEnd(12),
          line.classes.confidence.toFixed(2),
          line.verdict.shouldEscalate ? 'look' : '',
        ].join('  ')
  process.stdout.write(`${name}  ${columns}\n`)
}

function shortened(name: string): string {
  return name.length <= NAME_WIDTH ? name : `…${name.slice(1 - NAME_WIDTH)}`
}
