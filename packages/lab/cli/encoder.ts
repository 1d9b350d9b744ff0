/** `tamis-lab encoder`: the pretrained encoder as its authors packed it -> artifact. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { printJson } from '../../terminal/output.ts'
import { readCorpora } from '../corpora/read.ts'
import { encoderFiles, wholeVocabulary } from '../encoder/build-encoder.ts'
import { readE5 } from '../encoder/e5-file.ts'
import { essencesOf } from '../encoder/essences.ts'
import { readWordLists, whichPieces } from '../encoder/which-pieces.ts'

interface EncoderOptions {
  readonly words: string
  readonly corpora: string
  readonly out: string
  readonly json?: boolean
}

export function addEncoderCommand(program: Command): void {
  program
    .command('encoder')
    .description(
      'make the files of the pretrained encoder, with the pieces of words that mail needs',
    )
    .argument('<file>', 'e5-small-q4.bin (docs/data.md)')
    .requiredOption('--words <folder>', 'wordfreq/data of the wheel of wordfreq 3.1.1')
    .requiredOption('--corpora <folder>', 'folder with one folder per set (docs/data.md)')
    .requiredOption('--out <folder>', 'where to write the artifact')
    .option('--json', 'print what was written as one JSON object')
    .addHelpText(
      'after',
      `
The same files give the same bytes.

Examples:
  tamis-lab encoder /var/tmp/e5-small-q4.bin --words /var/tmp/wordfreq/data \\
    --corpora /var/tmp/corpora --out artifacts/`,
    )
    .action(writeEncoder)
}

function writeEncoder(file: string, { words, corpora, out, json }: EncoderOptions): void {
  const e5 = readE5(file)
  const kept = whichPieces(
    e5.pieces,
    wholeVocabulary(e5),
    readWordLists(words),
    essencesOf(readCorpora(corpora, 'train')),
    Object.values(e5.special),
  )
  const folder = join(out, 'encoder')
  mkdirSync(folder, { recursive: true })
  const files = encoderFiles(e5, kept)
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
  if (json) {
    const written = [...files.keys()].map((name) => join(folder, name))
    printJson({ pieces: kept.length, of: e5.pieces.length, written })
  }
}
