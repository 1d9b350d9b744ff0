/**
 * Which features vectors hold. Numbers drawn as one version says mean nothing to another, so models, the
 * canary set and the log of corrections carry it.
 *
 * It is that of a model's features, not of the code's: a signal that comes into the code changes no
 * model, and what was learned from users stays. Training with other names makes another version.
 */
import { createHash } from 'node:crypto'
import { META_FEATURE_NAMES } from './meta-features.ts'
import { TEXT_FEATURES_SIZE } from './text-features.ts'

/** Raised by hand when normalisation, tokens or hashing change; the version also includes the meta features' names. */
const TEXT_FEATURES_REVISION = 5

/** The version of text features as this code draws them: revision and size. */
export const TEXT_FEATURES_VERSION: string = `t${TEXT_FEATURES_REVISION}-${TEXT_FEATURES_SIZE}`

/**
 * The version of text features as this code draws them and meta features of these names, in this order.
 * For example 't5-262144-m3fa90c21': revision and size of the text features, hash of the names.
 */
export function featureVersion(metaNames: readonly string[]): string {
  const hash = createHash('sha256').update(metaNames.join('\n')).digest('hex').slice(0, 8)
  return `${TEXT_FEATURES_VERSION}-m${hash}`
}

/** That of a model that this code trains. */
export const FEATURE_VERSION: string = featureVersion(META_FEATURE_NAMES)
