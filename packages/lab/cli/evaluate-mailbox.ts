/** `tamis-lab evaluate mailbox`: what a user's corrections are worth in a new mailbox. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { printJson } from '../../terminal/output.ts'
import { startProgress } from '../../terminal/progress.ts'
import { evaluateMailboxes } from '../evaluation/mailbox/evaluate-mailbox.ts'
import { renderMailboxReport } from '../evaluation/mailbox/report.ts'

interface EvaluateMailboxOptions {
  readonly corpora: string
  readonly peers?: boolean
  readonly report: string
  readonly json?: boolean
}

/** Adds `mailbox` to `tamis-lab evaluate`, which has the options for corpora and peers. */
export function addEvaluateMailboxCommand(evaluate: Command): void {
  evaluate
    .command('mailbox')
    .description('judge the mail of a new mailbox, correct every error, write a report')
    .option('--report <folder>', 'where to write the report', 'packages/lab/reports/mailbox')
    .addHelpText(
      'after',
      `
With --peers bogofilter and the Bayes of Rspamd and SpamAssassin get the same mail, if they are installed.

Examples:
  tamis-lab evaluate mailbox --corpora /var/tmp/corpora --peers`,
    )
    .action((_: unknown, command: Command) => writeReport(command.optsWithGlobals()))
}

async function writeReport({
  corpora,
  peers = false,
  report,
  json,
}: EvaluateMailboxOptions): Promise<void> {
  const evaluations = await evaluateMailboxes({ corpora, peers, startProgress })
  const command = `npm run evaluate -- mailbox --corpora DIR${peers ? ' --peers' : ''}`
  const text = renderMailboxReport(evaluations, command)
  mkdirSync(report, { recursive: true })
  writeFileSync(join(report, 'README.md'), text)
  if (json) printJson({ report, evaluations })
  else process.stdout.write(text)
}
