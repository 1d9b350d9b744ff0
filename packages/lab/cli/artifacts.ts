/** `tamis-lab canary`: the features of the canary set, which training leaves out -> canary/canary.json. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { encodeEventFeatures } from '../../mail/features/event-features.ts'
import { META_FEATURE_NAMES } from '../../mail/features/meta-features.ts'
import { FEATURE_VERSION, TEXT_FEATURES_VERSION } from '../../mail/features/version.ts'
import { type CommonTextManifest, encodeCommonText } from '../../mail/models/artifact.ts'
import type { CanaryFile } from '../../mail/models/canary.ts'
import { printJson } from '../../terminal/output.ts'
import { readCorpora } from '../corpora/read.ts'
import { CANARY_FOLDER, readWritten, textOf } from '../corpora/written.ts'
import { knowledgeFiles } from '../knowledge/build-knowledge.ts'
import { countCommonText } from '../training/common-text.ts'
import { examplesOf } from '../training/features.ts'

/** One rendering is enough to judge by; training learns from several. */
const RENDERINGS = 1

interface CanaryOptions {
  readonly out: string
  readonly json?: boolean
}

export function addCanaryCommand(program: Command): void {
  program
    .command('canary')
    .description('draw the features of the mail by which learned models are judged')
    .requiredOption('--out <folder>', 'where to write the artifact')
    .option('--json', 'print what was written as one JSON object')
    .addHelpText(
      'after',
      `
To be run with every training, and after every change of the features.

Examples:
  tamis-lab canary --out artifacts/`,
    )
    .action(writeCanary)
}

function writeCanary({ out, json }: CanaryOptions): void {
  const examples = examplesOf(readWritten(CANARY_FOLDER, RENDERINGS))
  const messages: CanaryFile['messages'] = examples.map(
    ({ id, spam, messageClass, language, text, meta }) => ({
      id: textOf(id),
      spam: spam!,
      class: messageClass!,
      language: language!,
      features: Buffer.from(encodeEventFeatures(text, meta)).toString('base64'),
    }),
  )
  const folder = join(out, 'canary')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'canary.json')
  // One message a line, so that a change of the features can be looked through.
  const lines = messages.map((message) => JSON.stringify(message)).join(',\n')
  writeFileSync(
    path,
    `{"featureVersion":${JSON.stringify(FEATURE_VERSION)},"metaFeatures":${JSON.stringify(META_FEATURE_NAMES)},"messages":[\n${lines}\n]}\n`,
  )
  if (json)
    printJson({ messages: messages.length, featureVersion: FEATURE_VERSION, written: [path] })
}

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

/** Of the artifact, apart from the models': year, month, count. */
const KNOWLEDGE_VERSION = '2026.11.1'

interface KnowledgeOptions {
  readonly out: string
  readonly json?: boolean
}

export function addKnowledgeCommand(program: Command): void {
  program
    .command('knowledge')
    .description('make the table of known domains and sending networks from lists')
    .argument('<folder>', 'folder of the lists (docs/data.md)')
    .requiredOption('--out <folder>', 'where to write the artifact')
    .option('--json', 'what was written as one JSON object')
    .addHelpText(
      'after',
      `
The same lists give the same bytes.

Examples:
  tamis-lab knowledge /var/tmp/knowledge --out artifacts/`,
    )
    .action(writeKnowledge)
}

function writeKnowledge(folder: string, { out, json }: KnowledgeOptions): void {
  const files = knowledgeFiles(folder, KNOWLEDGE_VERSION)
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(out, path)), { recursive: true })
    writeFileSync(join(out, path), bytes)
  }
  const written = [...files].map(([path]) => join(out, path))
  if (json) printJson({ version: KNOWLEDGE_VERSION, written })
}
