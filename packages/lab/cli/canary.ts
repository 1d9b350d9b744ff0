/** `tamis-lab canary`: the features of the canary set, which training leaves out -> canary/canary.json. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { encodeEventFeatures } from '../../mail/features/event-features.ts'
import { META_FEATURE_NAMES } from '../../mail/features/meta-features.ts'
import { FEATURE_VERSION } from '../../mail/features/version.ts'
import type { CanaryFile } from '../../mail/models/canary.ts'
import { printJson } from '../../terminal/output.ts'
import { CANARY_FOLDER, textOf } from '../corpora/canary.ts'
import { readWritten } from '../corpora/written.ts'
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
