/** `tamis-lab evaluate known`: what is known of senders and hosts, on mail with labels, and what it costs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { readModels } from '../../artifact-files/artifact-files.ts'
import { printJson } from '../../terminal/output.ts'
import { startProgress } from '../../terminal/progress.ts'
import { evaluateKnown } from '../evaluation/known/evaluate-known.ts'
import { knownFigures, renderKnownReport } from '../evaluation/known/report.ts'

interface EvaluateKnownOptions {
  readonly corpora: string
  readonly report: string
  readonly json?: boolean
}

/** Adds `known` to `tamis-lab evaluate`, which has the option for corpora. */
export function addEvaluateKnownCommand(evaluate: Command): void {
  evaluate
    .command('known')
    .description('count known senders and what vouches for them, measure the table, write a report')
    .option('--report <folder>', 'where to write the report', 'packages/lab/reports/known')
    .addHelpText(
      'after',
      `
Examples:
  tamis-lab evaluate known --corpora /var/tmp/corpora`,
    )
    .action((_: unknown, command: Command) => writeReport(command.optsWithGlobals()))
}

async function writeReport({ corpora, report, json }: EvaluateKnownOptions): Promise<void> {
  const evaluated = evaluateKnown({ corpora, models: await readModels(), startProgress })
  const page = renderKnownReport(evaluated, 'npm run evaluate -- known --corpora DIR')
  mkdirSync(report, { recursive: true })
  writeFileSync(join(report, 'README.md'), page)
  if (json) printJson({ report, figures: knownFigures(evaluated) })
  else process.stdout.write(page)
}
