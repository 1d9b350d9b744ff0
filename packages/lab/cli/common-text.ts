/** `tamis-lab common-text`: what the mail of many senders has in common -> artifacts/common-text. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { TEXT_FEATURES_VERSION } from '../../mail/features/version.ts'
import { type CommonTextManifest, encodeCommonText } from '../../mail/models/artifact.ts'
import { printJson } from '../../terminal/output.ts'
import { readCorpora } from '../corpora/read.ts'
import { countCommonText } from '../training/common-text.ts'

interface CommonTextOptions {
  readonly corpora: string
  readonly out: string
  readonly json?: boolean
}

export function addCommonTextCommand(program: Command): void {
  program
    .command('common-text')
    .description('count which words and passages the mail of many senders shares')
    .requiredOption('--corpora <folder>', 'folder of the corpora (docs/data.md)')
    .requiredOption('--out <folder>', 'where to write the artifact')
    .option('--json', 'print what was written as one JSON object')
    .addHelpText(
      'after',
      `
To be run after every change of the text features. The same corpora give the same bytes.

Examples:
  tamis-lab common-text --corpora /var/tmp/corpora --out artifacts/`,
    )
    .action(writeCommonText)
}

function writeCommonText({ corpora, out, json }: CommonTextOptions): void {
  const { commonText, messages, senders } = countCommonText(readCorpora(corpora, 'train'))
  const { bytes, sha256 } = encodeCommonText(commonText)
  const manifest: CommonTextManifest = {
    name: 'common-text',
    textFeatures: TEXT_FEATURES_VERSION,
    messages,
    senders,
    passages: commonText.passages.length,
    sha256,
  }
  const folder = join(out, 'common-text')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(join(folder, 'table.bin'), bytes)
  if (json) printJson({ ...manifest, written: folder })
}
