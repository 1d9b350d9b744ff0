/** `tamis-lab evaluate`: how good the models are on mail that they were not trained on, and what else is measured. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { readCanary } from '../../artifact-files/artifact-files.ts'
import { META_NUMBERING } from '../../mail/features/meta-features.ts'
import { MEASURES, type MeasureName } from '../evaluation/plan.ts'

/** More trainings at once would want more memory than most machines have. */
const THREADS_MAX = 4

interface EvaluateOptions {
  readonly corpora: string
  readonly peers?: boolean
  readonly report?: string
  readonly only?: readonly MeasureName[]
}

/** The page of a report, and the figures in it. */
interface Evaluated {
  readonly page: string
  readonly figures: object
}

interface Evaluation {
  readonly description: string
  /** `command` gives the report again. */
  readonly run: (options: EvaluateOptions, command: string) => Promise<Evaluated>
}

/** By the names of their reports; `models` is the command itself. */
const EVALUATIONS: Readonly<Record<string, Evaluation>> = {
  models: {
    description: 'train with whole sources left out, measure on those, and write a report',
    run: async ({ corpora, peers = false, only }, command) => {
      const { evaluate } = await import('../evaluation/evaluate.ts')
      const { renderReport } = await import('../evaluation/report.ts')
      const threads = Math.min(THREADS_MAX, availableParallelism())
      const evaluated = await evaluate({ corpora, peers, threads, measures: only })
      for (const { name, mode, failure } of evaluated.peers) {
        if (failure !== undefined) process.stderr.write(`tamis: ${name}, ${mode}: ${failure}\n`)
      }
      return renderReport({ ...evaluated, command })
    },
  },
  stream: {
    description: 'judge mail in order of arrival, correct each message, and write a report',
    run: async ({ corpora, peers = false }, command) => {
      const stream = await import('../evaluation/stream.ts')
      const evaluated = await stream.evaluateStream(corpora, peers)
      const runs = evaluated.runs.map(({ name, verdicts }) => ({
        name,
        ...stream.streamMeasures(verdicts),
      }))
      const page = stream.renderStreamReport(evaluated, command)
      return { page, figures: { cpuMs: evaluated.cpuMs, runs } }
    },
  },
  evasion: {
    description: 'hide spam that the models do not know with many tricks, and write a report',
    run: async ({ corpora }, command) => {
      const { evaluateEvasion } = await import('../evaluation/evasion/evaluate-evasion.ts')
      const report = await import('../evaluation/evasion/report.ts')
      const evaluated = await evaluateEvasion(corpora)
      const page = report.renderEvasionReport(evaluated, command)
      return { page, figures: report.evasionFigures(evaluated) }
    },
  },
  learning: {
    description: 'simulate corrections of many users, some of them malicious, write a report',
    run: async ({ corpora }, command) => {
      const { evaluateLearning } = await import('../evaluation/learning/evaluate-learning.ts')
      const { renderLearningReport } = await import('../evaluation/learning/report.ts')
      // The models are trained here, on the features that this code draws.
      const canary = await readCanary({ metaNumbering: META_NUMBERING })
      const evaluated = evaluateLearning(corpora, canary)
      const { mail: _, ...figures } = evaluated
      return { page: renderLearningReport(evaluated, command), figures }
    },
  },
  memory: {
    description:
      "measure a user's rules and memory, and what corrections do to unlike mail, write a report",
    run: async ({ corpora }, command) => {
      const { evaluateMemory } = await import('../evaluation/memory/evaluate-memory.ts')
      const { memoryReport } = await import('../evaluation/memory/report.ts')
      const evaluated = await evaluateMemory(corpora)
      const { samples: _, ...figures } = evaluated
      return { page: memoryReport(evaluated, command), figures }
    },
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
  const { only, peers, report = `packages/lab/reports/${name}` } = options
  const words = ['tamis-lab evaluate', ...(name === 'models' ? [] : [name]), '--corpora DIR']
  if (only) words.push(`--only ${only}`)
  if (peers) words.push('--peers')
  const command = words.join(' ')
  const { page, figures } = await EVALUATIONS[name]!.run(options, command)
  mkdirSync(report, { recursive: true })
  writeFileSync(join(report, 'README.md'), page)
  const json = JSON.stringify({ command, ...figures }, null, 2)
  writeFileSync(join(report, 'report.json'), `${json}\n`)
  process.stdout.write(page)
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
