/** `tamis-lab evaluate`: how good the models are on mail that they were not trained on, and what else is measured. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { printJson } from '../../terminal/output.ts'
import { MEASURES, type MeasureName } from '../evaluation/plan.ts'
import {
  EVALUATIONS,
  type Evaluated,
  type EvaluateOptions,
  type Evaluation,
} from './evaluations.ts'

/** More trainings at once would want more memory than most machines have. */
const THREADS_MAX = 4

interface ModelOptions {
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
    .action(evaluateModels)
  for (const evaluation of EVALUATIONS) addEvaluation(command, evaluation)
}

function addEvaluation(evaluate: Command, evaluation: Evaluation): void {
  const { name, description, about, hasPeers, run } = evaluation
  const command = evaluate.command(name).description(description)
  command
    .option('--report <folder>', 'where to write the report', `packages/lab/reports/${name}`)
    .addHelpText(
      'after',
      `${about === undefined ? '' : `\n${about}\n`}
Examples:
  tamis-lab evaluate ${name} --corpora /var/tmp/corpora${hasPeers ? ' --peers' : ''}`,
    )
    .action(async () => {
      const given: EvaluateOptions = command.optsWithGlobals()
      const more = hasPeers && given.peers ? ' --peers' : ''
      const evaluated = await run(given, `tamis-lab evaluate ${name} --corpora DIR${more}`)
      writeReport(evaluated, given.report, given.json)
    })
}

async function evaluateModels(options: ModelOptions): Promise<void> {
  const { evaluate } = await import('../evaluation/evaluate.ts')
  const { headlineFigures } = await import('../evaluation/headline.ts')
  const { renderReport } = await import('../evaluation/report.ts')
  const { corpora, out, only, peers = false, threads, json } = options
  const evaluated = await evaluate({ corpora, peers, threads, measures: only })
  for (const { name, mode, failure } of evaluated.peers) {
    if (failure !== undefined) process.stderr.write(`tamis: ${name}, ${mode}: ${failure}\n`)
  }
  const measures = only === undefined ? '' : ` --only ${only.join(',')}`
  const command = `tamis-lab evaluate --corpora DIR${measures}${peers ? ' --peers' : ''}`
  const figures = headlineFigures(evaluated.measures)
  writeReport({ files: renderReport({ ...evaluated, command }), figures: { figures } }, out, json)
}

function writeReport({ files, figures }: Evaluated, folder: string, json = false): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, content] of files) {
    writeFileSync(join(folder, name), name.endsWith('.gz') ? gzipSync(content) : content)
  }
  if (json) printJson({ report: folder, ...figures })
  else process.stdout.write(files.get('README.md') ?? '')
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
