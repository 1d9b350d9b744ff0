/** `tamis-lab evaluate stream`: how fast the global model learns from corrections, on mail in order of arrival. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { printJson } from '../../terminal/output.ts'
import { startProgress } from '../../terminal/progress.ts'
import { evaluateStream } from '../evaluation/stream/evaluate-stream.ts'
import { renderStreamReport } from '../evaluation/stream/report.ts'
import { streamMeasures } from '../evaluation/stream/stream-measures.ts'

interface EvaluateStreamOptions {
  readonly corpora: string
  readonly peers?: boolean
  readonly report: string
  readonly json?: boolean
}

/** Adds `stream` to `tamis-lab evaluate`, which has the options for corpora and peers. */
export function addEvaluateStreamCommand(evaluate: Command): void {
  evaluate
    .command('stream')
    .description('judge mail in order of arrival, correct each message, and write a report')
    .option('--report <folder>', 'where to write the report', 'packages/lab/reports/stream')
    .addHelpText(
      'after',
      `
With --peers bogofilter and Rspamd's Bayes get the same stream, if they are installed.

Examples:
  tamis-lab evaluate stream --corpora /var/tmp/corpora --peers`,
    )
    .action((_: unknown, command: Command) => writeReport(command.optsWithGlobals()))
}

async function writeReport({
  corpora,
  peers = false,
  report,
  json,
}: EvaluateStreamOptions): Promise<void> {
  const evaluated = await evaluateStream({ corpora, peers, startProgress })
  const command = `npm run evaluate -- stream --corpora DIR${peers ? ' --peers' : ''}`
  const files = renderStreamReport(evaluated, command)
  mkdirSync(report, { recursive: true })
  for (const [name, content] of files) writeFileSync(join(report, name), content)
  if (json) {
    const runs = evaluated.runs.map(({ name, verdicts }) => ({ name, ...streamMeasures(verdicts) }))
    printJson({ report, cpuMs: evaluated.cpuMs, runs })
  } else process.stdout.write(files.get('README.md')!)
}
