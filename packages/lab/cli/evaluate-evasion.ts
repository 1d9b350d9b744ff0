/** `tamis-lab evaluate evasion`: what tricks cost, on spam that the models have not been trained on. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { printJson } from '../../terminal/output.ts'
import { startProgress } from '../../terminal/progress.ts'
import { evaluateEvasion } from '../evaluation/evasion/evaluate-evasion.ts'
import { evasionFigures, renderEvasionReport } from '../evaluation/evasion/report.ts'

interface EvaluateEvasionOptions {
  readonly corpora: string
  readonly report: string
  readonly json?: boolean
}

/** Adds `evasion` to `tamis-lab evaluate`, which has the option for corpora. */
export function addEvaluateEvasionCommand(evaluate: Command): void {
  evaluate
    .command('evasion')
    .description('hide spam that the models do not know with many tricks, and write a report')
    .option('--report <folder>', 'where to write the report', 'packages/lab/reports/evasion')
    .addHelpText(
      'after',
      `
Examples:
  tamis-lab evaluate evasion --corpora /var/tmp/corpora`,
    )
    .action((_: unknown, command: Command) => writeReport(command.optsWithGlobals()))
}

async function writeReport({ corpora, report, json }: EvaluateEvasionOptions): Promise<void> {
  const evaluated = await evaluateEvasion({ corpora, startProgress })
  const page = renderEvasionReport(evaluated, 'npm run evaluate -- evasion --corpora DIR')
  mkdirSync(report, { recursive: true })
  writeFileSync(join(report, 'README.md'), page)
  if (json) printJson({ report, figures: evasionFigures(evaluated) })
  else process.stdout.write(page)
}
