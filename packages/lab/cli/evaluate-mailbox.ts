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
  readonly report: string
  readonly json?: boolean
}

/** Adds `mailbox` to `tamis-lab evaluate`, which has the option for the corpora. */
export function addEvaluateMailboxCommand(evaluate: Command): void {
  evaluate
    .command('mailbox')
    .description('judge the mail of a new mailbox, correct every error, write a report')
    .option('--report <folder>', 'where to write the report', 'packages/lab/reports/mailbox')
    .addHelpText(
      'after',
      `
Examples:
  tamis-lab evaluate mailbox --corpora /var/tmp/corpora`,
    )
    .action((_: unknown, command: Command) => writeReport(command.optsWithGlobals()))
}

async function writeReport({ corpora, report, json }: EvaluateMailboxOptions): Promise<void> {
  const evaluations = await evaluateMailboxes({ corpora, startProgress })
  const text = renderMailboxReport(evaluations, 'npm run evaluate -- mailbox --corpora DIR')
  mkdirSync(report, { recursive: true })
  writeFileSync(join(report, 'README.md'), text)
  if (json) printJson({ report, evaluations })
  else process.stdout.write(text)
}
