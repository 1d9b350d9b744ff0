/**
 * Writes artifacts/canary/canary.json, the features of the mail in packages/lab/data/canary, which training leaves
 * out: to be run after every change of the features (packages/mail/features/version.ts). A few seconds.
 *
 *   node scripts/canary.ts
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { CANARY_FOLDER } from '../packages/lab/corpora/canary.ts'
import { readWritten } from '../packages/lab/corpora/written.ts'
import { examplesOf } from '../packages/lab/training/features.ts'
import { encodeEventFeatures } from '../packages/mail/features/event-features.ts'
import { META_FEATURE_NAMES } from '../packages/mail/features/meta-features.ts'
import { FEATURE_VERSION } from '../packages/mail/features/version.ts'
import type { CanaryFile } from '../packages/mail/models/canary.ts'

/** One rendering is enough to judge by; training learns from several. */
const RENDERINGS = 1

const examples = examplesOf(readWritten(CANARY_FOLDER, RENDERINGS))
const file: CanaryFile = {
  featureVersion: FEATURE_VERSION,
  metaFeatures: [...META_FEATURE_NAMES],
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
  `{"featureVersion":${JSON.stringify(file.featureVersion)},"metaFeatures":${JSON.stringify(file.metaFeatures)},"messages":[\n${messages}\n]}\n`,
)
process.stdout.write(`${file.messages.length} messages of features ${file.featureVersion}\n`)
