/** `tamis-lab train embedding`: WordNet and mail -> the text embedding. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { printJson } from '../../terminal/output.ts'
import { startProgress } from '../../terminal/progress.ts'
import { materialBeside } from '../training/embedding/material.ts'
import {
  FIT_OPTIONS,
  readEmbeddingProblem,
  trainEmbedding,
} from '../training/embedding/train-embedding.ts'

/** More threads than this wait for each other more than they work. */
const THREADS_MAX = 8

interface TrainEmbeddingOptions {
  readonly corpora: string
  readonly material?: string
  readonly out: string
  readonly json?: boolean
}

/** Adds `embedding` to `tamis-lab train`, which has the options for the corpora and for what is written. */
export function addTrainEmbeddingCommand(train: Command): void {
  train
    .command('embedding')
    .description('train the 384-dimensional text embedding')
    .option(
      '--material <folder>',
      'folder with wordnet.tsv.gz (default: embedding/ beside --corpora)',
    )
    .addHelpText(
      'after',
      `
--corpora holds what corpora/unpack makes (docs/data.md): enron_text.jsonl, spamassassin,
csdmc2010 and written are used; --material Open English WordNet; --out is the folder of all
artifacts. The same input gives the same bytes on any number of threads. Minutes on two cores.

Examples:
  tamis-lab train embedding --corpora /var/tmp/corpora --material /var/tmp/embedding --out artifacts/`,
    )
    .action((_: unknown, command: Command) => fitAndWrite(command.optsWithGlobals()))
}

async function fitAndWrite({
  corpora,
  material = materialBeside(corpora),
  out,
  json,
}: TrainEmbeddingOptions): Promise<void> {
  const problem = readEmbeddingProblem(corpora, material)
  for (const { name, pairs } of problem.sources) process.stderr.write(`${name}: ${pairs} pairs\n`)
  const threads = Math.min(THREADS_MAX, availableParallelism())
  const fitting = startProgress('fit', FIT_OPTIONS.steps)
  const artifact = await trainEmbedding(problem, FIT_OPTIONS, threads, () => fitting.advance())
  fitting.end()
  const folder = join(out, 'embedding')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(artifact.manifest, null, 2)}\n`)
  writeFileSync(join(folder, 'weights.bin'), artifact.weights)
  writeFileSync(join(folder, 'vocab.txt'), artifact.vocabulary)
  if (json) {
    const written = ['manifest.json', 'weights.bin', 'vocab.txt'].map((name) => join(folder, name))
    printJson({
      pairs: Object.fromEntries(problem.sources.map(({ name, pairs }) => [name, pairs])),
      written,
    })
  }
}
