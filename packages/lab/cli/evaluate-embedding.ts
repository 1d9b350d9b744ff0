/** `tamis-lab evaluate embedding`: how good the text embedding is, on sentences and on mail. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { readEmbeddingFiles, SHIPPED_EMBEDDING } from '../../artifact-files/embedding-files.ts'
import { staticEmbeddingFromArtifact } from '../../mail/embedding/embedding-artifact.ts'
import { printJson } from '../../terminal/output.ts'
import { startProgress } from '../../terminal/progress.ts'
import { evaluateEmbedding } from '../evaluation/embedding/evaluate-embedding.ts'
import { renderEmbeddingReport } from '../evaluation/embedding/report.ts'
import { materialBeside } from '../training/embedding/material.ts'

/** What gives this report again. */
const COMMAND = 'npm run evaluate -- embedding --corpora DIR --material DIR'

interface EvaluateEmbeddingOptions {
  readonly corpora: string
  readonly material?: string
  readonly artifact: string
  readonly report: string
  readonly json?: boolean
}

/** Adds `embedding` to `tamis-lab evaluate`, which has the option for the corpora. */
export function addEvaluateEmbeddingCommand(evaluate: Command): void {
  evaluate
    .command('embedding')
    .description('measure the text embedding on rated sentences and on mail, and write a report')
    .option(
      '--material <folder>',
      'folder with wordnet.tsv.gz and stsb-{en,de,es}-dev.csv (default: embedding/ beside --corpora)',
    )
    .addOption(
      new Option('--artifact <folder>', 'the embedding to measure').default(
        SHIPPED_EMBEDDING,
        'the shipped one',
      ),
    )
    .option('--report <folder>', 'where to write the report', 'packages/lab/reports/embedding')
    .addHelpText(
      'after',
      `
Examples:
  tamis-lab evaluate embedding --corpora /var/tmp/corpora --material /var/tmp/embedding`,
    )
    .action((_: unknown, command: Command) => writeReport(command.optsWithGlobals()))
}

async function writeReport({
  corpora,
  material = materialBeside(corpora),
  artifact,
  report,
  json,
}: EvaluateEmbeddingOptions): Promise<void> {
  const files = await readEmbeddingFiles(artifact)
  const measures = evaluateEmbedding(
    staticEmbeddingFromArtifact(files),
    corpora,
    material,
    startProgress,
  )
  const size = { weightsBytes: files.weights.length, vocabularyBytes: files.vocabulary.length }
  const text = renderEmbeddingReport(measures, size, COMMAND)
  mkdirSync(report, { recursive: true })
  writeFileSync(join(report, 'README.md'), text)
  if (json) printJson({ report, ...measures })
  else process.stdout.write(text)
}
