/** `tamis-lab evaluate`: how good the models are on mail that they were not trained on, and what else is measured. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { readCanary } from '../../artifact-files/artifact-files.ts'
import { META_NUMBERING } from '../../mail/features/meta-features.ts'
import { MEASURES, type MeasureName } from '../evaluation/plan.ts'
import { report, type Values } from '../evaluation/report.ts'

/** More trainings at once would want more memory than most machines have. */
const THREADS_MAX = 4

interface EvaluateOptions {
  readonly corpora: string
  readonly peers?: boolean
  readonly report?: string
  readonly only?: readonly MeasureName[]
}

interface Evaluation {
  readonly description: string
  /** The figures of the report. */
  readonly run: (options: EvaluateOptions) => Promise<Values>
}

/** By the names of their reports; `models` is the command itself. */
const EVALUATIONS: Readonly<Record<string, Evaluation>> = {
  models: {
    description: 'train with whole sources left out, measure on those, and write a report',
    run: async ({ corpora, peers = false, only }) => {
      const { evaluate } = await import('../evaluation/evaluate.ts')
      const { modelFigures } = await import('../evaluation/figures.ts')
      const threads = Math.min(THREADS_MAX, availableParallelism())
      const evaluated = await evaluate({ corpora, peers, threads, measures: only })
      for (const { name, failure } of evaluated.peers) {
        if (failure !== undefined) process.stderr.write(`tamis: ${name}: ${failure}\n`)
      }
      return modelFigures(evaluated)
    },
  },
  stream: {
    description: 'judge mail in order of arrival, correct each message, and write a report',
    run: async ({ corpora, peers = false }) =>
      (await import('../evaluation/stream.ts')).evaluateStream(corpora, peers),
  },
  evasion: {
    description: 'hide spam that the models do not know with many tricks, and write a report',
    run: async ({ corpora }) =>
      (await import('../evaluation/evasion/evaluate-evasion.ts')).evaluateEvasion(corpora),
  },
  learning: {
    description: 'simulate corrections of many users, some of them malicious, write a report',
    run: async ({ corpora }) => {
      const { evaluateLearning } = await import('../evaluation/learning/evaluate-learning.ts')
      // The models are trained here, on the features that this code draws.
      return evaluateLearning(corpora, await readCanary({ metaNumbering: META_NUMBERING }))
    },
  },
  memory: {
    description:
      "measure a user's rules and memory, and what corrections do to unlike mail, write a report",
    run: async ({ corpora }) =>
      (await import('../evaluation/memory/evaluate-memory.ts')).evaluateMemory(corpora),
  },
}

export function addEvaluateCommand(program: Command): void {
  const command = program
    .command('evaluate')
    .description(EVALUATIONS['models']!.description)
    .configureHelp({ showGlobalOptions: true })
    .requiredOption('--corpora <folder>', 'folder with one folder per set (docs/data.md)')
    .option('--report <folder>', 'where to write the report (default: packages/lab/reports/NAME)')
    .option('--only <names>', `of the models, some of ${MEASURES.join(',')}`, readMeasures)
    .option('--peers', 'of models and stream, also score other filters that are installed')
    .action((given: EvaluateOptions) => evaluate('models', given))
  for (const [name, { description }] of Object.entries(EVALUATIONS).slice(1)) {
    const below = command.command(name).description(description)
    below.action(() => evaluate(name, below.optsWithGlobals()))
  }
}

async function evaluate(name: string, options: EvaluateOptions): Promise<void> {
  const { only, peers, report: folder = `packages/lab/reports/${name}` } = options
  const words = ['tamis-lab evaluate', ...(name === 'models' ? [] : [name]), '--corpora DIR']
  if (only) words.push(`--only ${only}`)
  if (peers) words.push('--peers')
  const command = words.join(' ')
  const figures = await EVALUATIONS[name]!.run(options)
  const files = { json: join(folder, 'report.json'), page: join(folder, 'README.md') }
  process.stdout.write(report(name, { command, ...figures }, files))
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
