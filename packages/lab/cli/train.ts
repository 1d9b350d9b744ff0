/** `tamis-lab train`: corpora -> artifacts. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { printJson } from '../../terminal/output.ts'
import { startProgress } from '../../terminal/progress.ts'
import { readCorpora } from '../corpora/read.ts'
import { TRAINING_SETS } from '../corpora/sets.ts'
import { artifactFiles, type CorpusDigests, digestCorpora } from '../training/artifacts.ts'
import { examplesOf } from '../training/features.ts'
import { FITS, trainModels } from '../training/train.ts'

/** The version of the artifacts, apart from that of the code: year, month, count. */
const ARTIFACT_VERSION = '2026.11.8'

export function addTrainCommand(program: Command): void {
  program
    .command('train')
    .description('train the text, meta and tabs models from the folders that corpora/unpack makes')
    .requiredOption('--corpora <folder>', 'folder with one folder per set (docs/data.md)')
    .requiredOption('--out <folder>', 'where to write the artifacts')
    .option('--json', 'print what was written as one JSON object')
    .addHelpText(
      'after',
      `
The same corpora give the same bytes.

Examples:
  tamis-lab train --corpora /var/tmp/corpora --out artifacts/`,
    )
    .action(train)
}

interface TrainOptions {
  readonly corpora: string
  readonly out: string
  readonly json?: boolean
}

function train({ corpora, out, json }: TrainOptions): void {
  const samples = readCorpora(corpora, 'train')
  const digests = digestCorpora(samples)
  reportSets(digests)
  const reading = startProgress('read', samples.length)
  const examples = examplesOf(samples, () => reading.advance())
  reading.end()
  const fitting = startProgress('fit', FITS)
  const models = trainModels(examples, () => fitting.advance())
  fitting.end()
  const files = artifactFiles(models, ARTIFACT_VERSION, digests)
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(out, path)), { recursive: true })
    writeFileSync(join(out, path), bytes)
  }
  const written = [...files].map(([path]) => join(out, path))
  if (json) printJson({ version: ARTIFACT_VERSION, samples: samples.length, written })
}

/** Which sets were found, and what it means where one is not. */
function reportSets(found: CorpusDigests): void {
  for (const { name, absence } of TRAINING_SETS) {
    const samples = found[name]?.samples
    const line = samples === undefined ? `not found; ${absence}` : `${samples} messages`
    process.stderr.write(`${name}: ${line}\n`)
  }
}
