/** `tamis-lab evaluate`: how good the models are on mail that they were not trained on. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { printJson } from '../../terminal/output.ts'
import { startProgress } from '../../terminal/progress.ts'
import { evaluate } from '../evaluation/evaluate.ts'
import { headlineFigures } from '../evaluation/headline.ts'
import { MEASURES, type MeasureName } from '../evaluation/plan.ts'
import { renderReport } from '../evaluation/report.ts'
import { addEvaluateEmbeddingCommand } from './evaluate-embedding.ts'
import { addEvaluateEvasionCommand } from './evaluate-evasion.ts'
import { addEvaluateKnownCommand } from './evaluate-known.ts'
import { addEvaluateMailboxCommand } from './evaluate-mailbox.ts'
import { addEvaluateRenderingCommand } from './evaluate-rendering.ts'
import { addEvaluateStreamCommand } from './evaluate-stream.ts'

/** More trainings at once would want more memory than most machines have. */
const THREADS_MAX = 4

interface EvaluateOptions {
  readonly corpora: string
  readonly out: string
  readonly only?: readonly MeasureName[]
  readonly peers?: boolean
  readonly threads: number
  readonly json?: boolean
}

export function addEvaluateCommand(program: Command): void {
  const command = program
    .command('evaluate')
    .description('train with whole sources left out, measure on those, and write a report')
    .configureHelp({ showGlobalOptions: true })
    .requiredOption('--corpora <folder>', 'folder with one folder per set (docs/data.md)')
    .option('--out <folder>', 'where to write the report', 'packages/lab/reports/models')
    .option('--only <names>', `some of ${MEASURES.join(',')}`, readMeasures)
    .option('--peers', 'also score Rspamd, SpamAssassin and bogofilter, if installed')
    .option('--json', 'print the figures as one JSON object instead of the report')
    .addOption(
      new Option('--threads <count>', 'trainings that run at once')
        .argParser(readCount)
        .default(
          Math.min(THREADS_MAX, availableParallelism()),
          `as many as processors, at most ${THREADS_MAX}`,
        ),
    )
    .addHelpText(
      'after',
      `
docs/evaluation.md describes how it is measured.

Examples:
  tamis-lab evaluate --corpora /var/tmp/corpora
  tamis-lab evaluate --corpora /var/tmp/corpora --only household_2025,lists --out /tmp/report
  tamis-lab evaluate --corpora /var/tmp/corpora --peers`,
    )
    .action(writeReport)
  addEvaluateEmbeddingCommand(command)
  addEvaluateStreamCommand(command)
  addEvaluateEvasionCommand(command)
  addEvaluateKnownCommand(command)
  addEvaluateRenderingCommand(command)
  addEvaluateMailboxCommand(command)
}

async function writeReport({
  corpora,
  out,
  only,
  peers = false,
  threads,
  json,
}: EvaluateOptions): Promise<void> {
  const evaluated = await evaluate({
    corpora,
    peers,
    threads,
    startProgress,
    ...(only === undefined ? {} : { measures: only }),
  })
  const failures = evaluated.peers.flatMap(({ name, failure }) =>
    failure === undefined ? [] : [`tamis: ${name}: ${failure}\n`],
  )
  // One filter in several modes fails once.
  for (const line of new Set(failures)) process.stderr.write(line)
  mkdirSync(out, { recursive: true })
  const files = renderReport({ ...evaluated, command: commandFor(only, peers) })
  for (const [name, content] of files) writeFileSync(join(out, name), content)
  if (json) printJson({ report: out, figures: headlineFigures(evaluated.measures) })
  else process.stdout.write(files.get('README.md')!)
}

/** What gives this report again. */
function commandFor(only: readonly MeasureName[] | undefined, peers: boolean): string {
  const measures = only === undefined ? '' : ` --only ${only.join(',')}`
  return `npm run evaluate -- --corpora DIR${measures}${peers ? ' --peers' : ''}`
}

function readMeasures(text: string): MeasureName[] {
  return text.split(',').map((name) => {
    const found = MEASURES.find((known) => known === name)
    if (found === undefined) {
      throw new InvalidArgumentError(`"${name}" is none of ${MEASURES.join(', ')}.`)
    }
    return found
  })
}

function readCount(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('It is a number from 1 to 99.')
  return Number(text)
}
