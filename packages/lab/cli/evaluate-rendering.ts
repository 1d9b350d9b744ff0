/** `tamis-lab evaluate rendering`: whether written mail, as it is rendered, can be told from real mail. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { printJson } from '../../terminal/output.ts'
import { startProgress } from '../../terminal/progress.ts'
import { evaluateRendering } from '../evaluation/rendering/evaluate-rendering.ts'
import { renderRenderingReport } from '../evaluation/rendering/report.ts'

interface EvaluateRenderingOptions {
  readonly corpora: string
  readonly report: string
  readonly json?: boolean
}

/** Adds `rendering` to `tamis-lab evaluate`, which has the option for corpora. */
export function addEvaluateRenderingCommand(evaluate: Command): void {
  evaluate
    .command('rendering')
    .description('tell rendered mail from real by how it is made, write a report')
    .option('--report <folder>', 'where to write the report', 'packages/lab/reports/rendering')
    .addHelpText(
      'after',
      `
Examples:
  tamis-lab evaluate rendering --corpora /var/tmp/corpora`,
    )
    .action((_: unknown, command: Command) => writeReport(command.optsWithGlobals()))
}

function writeReport({ corpora, report, json }: EvaluateRenderingOptions): void {
  const found = evaluateRendering({ corpora, startProgress })
  const page = renderRenderingReport(found, 'npm run evaluate -- rendering --corpora DIR')
  mkdirSync(report, { recursive: true })
  writeFileSync(join(report, 'README.md'), page)
  if (json) printJson({ report, likeness: found })
  else process.stdout.write(page)
}
