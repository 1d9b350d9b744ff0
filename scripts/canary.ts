/**
 * Writes artifacts/canary/canary.json, the features of the mail in data/canary, which training leaves
 * out: to be run after every change of the features (src/features/version.ts). A few seconds.
 *
 *   node scripts/canary.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { encodeEventFeatures } from '../src/features/event-features.ts'
import { FEATURE_VERSION } from '../src/features/version.ts'
import type { CanaryFile } from '../src/models/canary.ts'
import { CANARY_FOLDER } from '../src/training/corpus/canary.ts'
import { readWritten } from '../src/training/corpus/written.ts'
import { examplesOf } from '../src/training/features.ts'

/** One rendering is enough to judge by; training learns from several. */
const RENDERINGS = 1

const examples = examplesOf(readWritten(CANARY_FOLDER, RENDERINGS))
const file: CanaryFile = {
  featureVersion: FEATURE_VERSION,
  messages: examples.map(({ id, spam, messageClass, language, text, meta }) => ({
    id: id.replace(/#0$/, ''),
    spam: spam!,
    class: messageClass!,
    language: language!,
    features: Buffer.from(encodeEventFeatures(text, meta)).toString('base64'),
  })),
}

const folder = new URL('../artifacts/canary/', import.meta.url)
mkdirSync(folder, { recursive: true })
// One message a line, so that a change of the features can be looked through.
const messages = file.messages.map((message) => JSON.stringify(message)).join(',\n')
writeFileSync(
  new URL('canary.json', folder),
  `{"featureVersion":${JSON.stringify(file.featureVersion)},"messages":[\n${messages}\n]}\n`,
)
process.stdout.write(`${file.messages.length} messages of features ${file.featureVersion}\n`)
