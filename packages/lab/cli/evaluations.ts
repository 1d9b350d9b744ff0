/** What `tamis-lab evaluate NAME` measures besides the models: one line of the table for each report. */
import { Option } from 'commander'
import { readCanary, readModels } from '../../artifact-files/artifact-files.ts'
import { readEmbeddingFiles, SHIPPED_EMBEDDING } from '../../artifact-files/embedding-files.ts'
import { staticEmbeddingFromArtifact } from '../../mail/embedding/embedding-artifact.ts'
import { META_NUMBERING } from '../../mail/features/meta-features.ts'
import { materialBeside } from '../training/embedding/material.ts'

export interface EvaluateOptions {
  readonly corpora: string
  readonly peers?: boolean
  readonly cache?: string
  readonly report: string
  readonly json?: boolean
  /** Of `embedding`. */
  readonly material?: string
  readonly artifact: string
  /** Of `parser`. */
  readonly show?: string
}

/** A report, by the names of its files, and what `--json` gives. */
export interface Evaluated {
  readonly files: ReadonlyMap<string, string>
  readonly figures: object
}

export interface Evaluation {
  readonly name: string
  readonly description: string
  /** Options of its own, before `--report`. */
  readonly options?: readonly Option[]
  /** What its help says besides. */
  readonly about?: string
  /** What follows `--corpora DIR` in the example, and in the command that the report names. */
  readonly example?: string
  readonly hasPeers?: boolean
  /** `command` gives the report again. */
  readonly run: (options: EvaluateOptions, command: string) => Promise<Evaluated>
}

export const EVALUATIONS: readonly Evaluation[] = [
  {
    name: 'embedding',
    description: 'measure the text embedding on rated sentences and on mail, and write a report',
    options: [
      new Option(
        '--material <folder>',
        'folder with wordnet.tsv.gz and stsb-{en,de,es}-dev.csv (default: embedding/ beside --corpora)',
      ),
      new Option('--artifact <folder>', 'the embedding to measure').default(
        SHIPPED_EMBEDDING,
        'the shipped one',
      ),
    ],
    example: ' --material /var/tmp/embedding',
    run: async ({ corpora, artifact, material = materialBeside(corpora) }, command) => {
      const { evaluateEmbedding } = await import('../evaluation/embedding/evaluate-embedding.ts')
      const { renderEmbeddingReport } = await import('../evaluation/embedding/report.ts')
      const files = await readEmbeddingFiles(artifact)
      const measures = await evaluateEmbedding(
        staticEmbeddingFromArtifact(files),
        corpora,
        material,
      )
      const size = { weightsBytes: files.weights.length, vocabularyBytes: files.vocabulary.length }
      return readme(renderEmbeddingReport(measures, size, command), measures)
    },
  },
  {
    name: 'stream',
    description: 'judge mail in order of arrival, correct each message, and write a report',
    about: "With --peers bogofilter and Rspamd's Bayes get the same stream, if they are installed.",
    hasPeers: true,
    run: async ({ corpora, peers = false }, command) => {
      const { evaluateStream } = await import('../evaluation/stream/evaluate-stream.ts')
      const { renderStreamReport } = await import('../evaluation/stream/report.ts')
      const { streamMeasures } = await import('../evaluation/stream/stream-measures.ts')
      const evaluated = await evaluateStream(corpora, peers)
      const measures = evaluated.runs.map(({ name, verdicts }) => ({
        name,
        ...streamMeasures(verdicts),
      }))
      const figures = { cpuMs: evaluated.cpuMs, runs: measures }
      return { files: renderStreamReport(evaluated, command), figures }
    },
  },
  {
    name: 'evasion',
    description: 'hide spam that the models do not know with many tricks, and write a report',
    run: async ({ corpora, cache }, command) => {
      const { evaluateEvasion } = await import('../evaluation/evasion/evaluate-evasion.ts')
      const { evasionFigures, renderEvasionReport } = await import(
        '../evaluation/evasion/report.ts'
      )
      const evaluated = await evaluateEvasion(corpora, cache)
      return readme(renderEvasionReport(evaluated, command), { figures: evasionFigures(evaluated) })
    },
  },
  {
    name: 'known',
    description: 'count known senders and what vouches for them, write a report',
    run: async ({ corpora }, command) => {
      const { evaluateKnown } = await import('../evaluation/known/evaluate-known.ts')
      const { knownFigures, renderKnownReport } = await import('../evaluation/known/report.ts')
      const evaluated = evaluateKnown(corpora)
      return readme(renderKnownReport(evaluated, command), { figures: knownFigures(evaluated) })
    },
  },
  {
    name: 'expectations',
    description: 'compare the weights of signals with what is expected of them, write a report',
    run: async ({ corpora }, command) => {
      const { evaluateExpectations } = await import(
        '../evaluation/expectations/evaluate-expectations.ts'
      )
      const { renderExpectationsReport } = await import('../evaluation/expectations/report.ts')
      const evaluated = evaluateExpectations(corpora)
      return readme(renderExpectationsReport(evaluated, command), evaluated)
    },
  },
  {
    name: 'rendering',
    description: 'tell rendered mail from real by how it is made, write a report',
    run: async ({ corpora }, command) => {
      const { evaluateRendering } = await import('../evaluation/rendering/evaluate-rendering.ts')
      const { renderRenderingReport } = await import('../evaluation/rendering/report.ts')
      const likeness = evaluateRendering(corpora)
      return readme(renderRenderingReport(likeness, command), { likeness })
    },
  },
  {
    name: 'mailbox',
    description: 'judge the mail of a new mailbox, correct every error, write a report',
    about:
      'With --peers bogofilter and the Bayes of Rspamd and SpamAssassin get the same mail, if they are installed.',
    hasPeers: true,
    run: async ({ corpora, peers = false }, command) => {
      const { evaluateMailboxes } = await import('../evaluation/mailbox/evaluate-mailbox.ts')
      const { renderMailboxReport } = await import('../evaluation/mailbox/report.ts')
      const evaluations = await evaluateMailboxes(corpora, peers)
      return readme(renderMailboxReport(evaluations, command), { evaluations })
    },
  },
  {
    name: 'correspondents',
    description: 'simulate a household and an account taken over, write a report',
    run: async ({ corpora }, command) => {
      const { evaluateCorrespondents } = await import(
        '../evaluation/correspondents/evaluate-correspondents.ts'
      )
      const { renderCorrespondentsReport } = await import('../evaluation/correspondents/report.ts')
      const evaluated = evaluateCorrespondents(corpora)
      return readme(renderCorrespondentsReport(evaluated, command), evaluated)
    },
  },
  {
    name: 'learning',
    description: 'simulate corrections and lies of many users, write a report',
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
  {
    name: 'parser',
    description: 'compare the parser with postal-mime and parse5, write a report',
    options: [
      new Option(
        '--show <aspect>',
        'print where the readings of an aspect differ, and write nothing',
      ),
    ],
    about: `The folder of the report has odd-differences.tsv, in which every difference on an odd message has a verdict. Exit
status 2 where one has none, and where the parsers agree less than they should. Needs a clone.`,
    run: async ({ corpora, report, show }, command) => {
      const { evaluateParser } = await import('../evaluation/parser/evaluate-parser.ts')
      return await evaluateParser({ corpora, report, show }, command)
    },
  },
  {
    name: 'reasons',
    description: 'tell the reasons of fifty verdicts, to be read by a person, and write a report',
    run: async ({ corpora }, command) => {
      const { evaluateReasons } = await import('../evaluation/reasons/evaluate-reasons.ts')
      const { renderReasonsReport } = await import('../evaluation/reasons/report.ts')
      const evaluated = evaluateReasons(corpora, await readModels())
      return readme(renderReasonsReport(evaluated, command), evaluated)
    },
  },
]

function readme(text: string, figures: object): Evaluated {
  return { files: new Map([['README.md', text]]), figures }
}
