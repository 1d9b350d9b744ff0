/** The commands that write artifacts: the same input gives the same bytes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { encodeEventFeatures } from '../../mail/features/event-features.ts'
import { META_FEATURE_NAMES } from '../../mail/features/meta-features.ts'
import { FEATURE_VERSION, TEXT_FEATURES_VERSION } from '../../mail/features/version.ts'
import { type CommonTextManifest, encodeCommonText } from '../../mail/models/artifact.ts'
import type { CanaryFile } from '../../mail/models/canary.ts'
import { startProgress } from '../../terminal/progress.ts'
import { readCorpora } from '../corpora/read.ts'
import { TRAINING_SETS } from '../corpora/sets.ts'
import { CANARY_FOLDER, readWritten, textOf } from '../corpora/written.ts'
import { knowledgeFiles } from '../knowledge/build-knowledge.ts'
import { artifactFiles, digestCorpora } from '../training/artifacts.ts'
import { countCommonText } from '../training/common-text.ts'
import { examplesOf } from '../training/features.ts'
import { FITS, trainModels } from '../training/train.ts'

/** Versions of artifacts, apart from that of the code: year, month, count. */
const MODELS_VERSION = '2026.11.8'
const KNOWLEDGE_VERSION = '2026.11.1'

/** One rendering is enough to judge by; training learns from several. */
const CANARY_RENDERINGS = 1

/** By their paths below the folder of artifacts. */
type Files = Iterable<readonly [path: string, content: Uint8Array | string]>

interface Folders {
  readonly out: string
  readonly corpora: string
}

export function addArtifactCommands(program: Command): void {
  const add = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .requiredOption('--out <folder>', 'where to write the artifacts')
  const corpora = ['--corpora <folder>', 'folder with one folder per set (docs/data.md)'] as const
  add('train', 'train the text, meta and tabs models from the folders that corpora/unpack makes')
    .requiredOption(...corpora)
    .action((given: Folders) => write(given.out, trained(given.corpora)))
  add('canary', 'draw the features of the mail by which learned models are judged')
    .addHelpText(
      'after',
      '\nTo be run with every training, and after every change of the features.',
    )
    .action(({ out }: Folders) => write(out, canary()))
  add('common-text', 'count which words and passages the mail of many senders shares')
    .addHelpText('after', '\nTo be run after every change of the text features.')
    .requiredOption(...corpora)
    .action((given: Folders) => write(given.out, commonText(given.corpora)))
  add('knowledge', 'make the table of known domains and sending networks from lists')
    .argument('<folder>', 'folder of the lists (docs/data.md)')
    .action((lists: string, { out }: Folders) =>
      write(out, knowledgeFiles(lists, KNOWLEDGE_VERSION)),
    )
}

function write(folder: string, files: Files): void {
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

function trained(corpora: string): Files {
  const samples = readCorpora(corpora, 'train')
  const digests = digestCorpora(samples)
  for (const { name, absence } of TRAINING_SETS) {
    const found = digests[name]
    const line = found === undefined ? `not found; ${absence}` : `${found.samples} messages`
    process.stderr.write(`${name}: ${line}\n`)
  }
  const reading = startProgress('read', samples.length)
  const examples = examplesOf(samples, () => reading.advance())
  reading.end()
  const fitting = startProgress('fit', FITS)
  const models = trainModels(examples, () => fitting.advance())
  fitting.end()
  return artifactFiles(models, MODELS_VERSION, digests)
}

function canary(): Files {
  const examples = examplesOf(readWritten(CANARY_FOLDER, CANARY_RENDERINGS))
  // One message a line, so that a change of the features can be looked through.
  const lines = examples.map(({ id, spam, messageClass, language, text, meta }) => {
    const message: CanaryFile['messages'][number] = {
      id: textOf(id),
      spam: spam!,
      class: messageClass!,
      language: language!,
      features: Buffer.from(encodeEventFeatures(text, meta)).toString('base64'),
    }
    return JSON.stringify(message)
  })
  const head = `"featureVersion":${JSON.stringify(FEATURE_VERSION)},"metaFeatures":${JSON.stringify(META_FEATURE_NAMES)}`
  return [['canary/canary.json', `{${head},"messages":[\n${lines.join(',\n')}\n]}\n`]]
}

function commonText(corpora: string): Files {
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
  return [
    ['common-text/manifest.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['common-text/table.bin', bytes],
  ]
}
