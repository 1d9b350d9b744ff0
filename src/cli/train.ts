/** `tamis train`: corpora -> artifacts. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { artifactFiles, type CorpusDigests, digestCorpora } from '../training/artifacts.ts'
import { readCorpora } from '../training/corpus/read.ts'
import { TRAINING_SETS } from '../training/corpus/sets.ts'
import { examplesOf } from '../training/features.ts'
import { FITS, trainModels } from '../training/train.ts'
import { startProgress } from './progress.ts'
import { addTrainEmbeddingCommand } from './train-embedding.ts'

/** Of the artifacts, apart from the code's: year, month, count. */
const ARTIFACT_VERSION = '2026.11.2'

export function addTrainCommand(program: Command): void {
  const command = program
    .command('train')
    .description('train the text, meta and tabs models from the folders that corpora/unpack makes')
    .requiredOption('--corpora <folder>', 'folder with one folder per set (docs/data.md)')
    .requiredOption('--out <folder>', 'where to write the artifacts')
    .addHelpText(
      'after',
      `
The same corpora give the same bytes.

Examples:
  tamis train --corpora /var/tmp/corpora --out artifacts/`,
    )
    .action((options: { corpora: string; out: string }) => train(options.corpora, options.out))
  addTrainEmbeddingCommand(command)
}

function train(corpora: string, out: string): void {
  const samples = readCorpora(corpora, 'train')
  const digests = digestCorpora(samples)
  reportSets(digests)
  const reading = startProgress('read', samples.length)
  const examples = examplesOf(samples, () => reading.advance())
  reading.end()
  const fitting = startProgress('fit', FITS)
  const models = trainModels(examples, () => fitting.advance())
  fitting.end()
  for (const [path, bytes] of artifactFiles(models, ARTIFACT_VERSION, digests)) {
    mkdirSync(dirname(join(out, path)), { recursive: true })
    writeFileSync(join(out, path), bytes)
  }
}

/** Which sets were found, and what it means where one is not. */
function reportSets(found: CorpusDigests): void {
  for (const { name, absence } of TRAINING_SETS) {
    const samples = found[name]?.samples
    const line = samples === undefined ? `not found; ${absence}` : `${samples} messages`
    process.stderr.write(`${name}: ${line}\n`)
  }
}
