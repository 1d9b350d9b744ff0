/** What `tamis-lab evaluate NAME` measures besides the models: one line of the table for each report. */
import { readCanary } from '../../artifact-files/artifact-files.ts'
import { META_NUMBERING } from '../../mail/features/meta-features.ts'

export interface EvaluateOptions {
  readonly corpora: string
  readonly peers?: boolean
  readonly report: string
  readonly json?: boolean
}

/** A report, by the names of its files, and what `--json` gives. */
export interface Evaluated {
  readonly files: ReadonlyMap<string, string>
  readonly figures: object
}

export interface Evaluation {
  readonly name: string
  readonly description: string
  /** What its help says besides. */
  readonly about?: string
  readonly hasPeers?: boolean
  /** `command` gives the report again. */
  readonly run: (options: EvaluateOptions, command: string) => Promise<Evaluated>
}

export const EVALUATIONS: readonly Evaluation[] = [
  {
    name: 'stream',
    description: 'judge mail in order of arrival, correct each message, and write a report',
    about: "With --peers bogofilter and Rspamd's Bayes get the same stream, if they are installed.",
    hasPeers: true,
    run: async ({ corpora, peers = false }, command) => {
      const { evaluateStream, renderStreamReport, streamMeasures } = await import(
        '../evaluation/stream.ts'
      )
      const evaluated = await evaluateStream(corpora, peers)
      const measures = evaluated.runs.map(({ name, verdicts }) => ({
        name,
        ...streamMeasures(verdicts),
      }))
      const figures = { cpuMs: evaluated.cpuMs, runs: measures }
      return readme(renderStreamReport(evaluated, command), figures)
    },
  },
  {
    name: 'evasion',
    description: 'hide spam that the models do not know with many tricks, and write a report',
    run: async ({ corpora }, command) => {
      const { evaluateEvasion } = await import('../evaluation/evasion/evaluate-evasion.ts')
      const { evasionFigures, renderEvasionReport } = await import(
        '../evaluation/evasion/report.ts'
      )
      const evaluated = await evaluateEvasion(corpora)
      return readme(renderEvasionReport(evaluated, command), { figures: evasionFigures(evaluated) })
    },
  },
  {
    name: 'learning',
    description: 'simulate corrections of many users, some of them malicious, write a report',
    about: 'Some ten minutes.',
    run: async ({ corpora }, command) => {
      const { evaluateLearning } = await import('../evaluation/learning/evaluate-learning.ts')
      const { renderLearningReport } = await import('../evaluation/learning/report.ts')
      // The models are trained here, on the features that this code draws.
      const canary = await readCanary({ metaNumbering: META_NUMBERING })
      const evaluated = evaluateLearning(corpora, canary)
      const { mail: _, ...figures } = evaluated
      return readme(renderLearningReport(evaluated, command), figures)
    },
  },
  {
    name: 'memory',
    description:
      "measure a user's rules and memory, and what corrections do to unlike mail, write a report",
    about: 'Some five minutes.',
    run: async ({ corpora }, command) => {
      const { evaluateMemory } = await import('../evaluation/memory/evaluate-memory.ts')
      const { memoryReport } = await import('../evaluation/memory/report.ts')
      const evaluated = await evaluateMemory(corpora)
      const { samples: _, ...figures } = evaluated
      return readme(memoryReport(evaluated, command), figures)
    },
  },
]

function readme(text: string, figures: object): Evaluated {
  return { files: new Map([['README.md', text]]), figures }
}
