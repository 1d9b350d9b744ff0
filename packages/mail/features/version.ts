/**
 * Which features a model was trained on. A model whose features differ from those that this
 * code draws would give numbers without meaning, so artifacts carry this version and another
 * one is refused (`ARTIFACT_MISMATCH`).
 */
import { createHash } from 'node:crypto'
import { META_FEATURE_NAMES } from './meta-features.ts'
import { TEXT_FEATURES_SIZE } from './text-features.ts'

/** Raised by hand when normalisation, tokens or hashing change; the names of the meta features are in by themselves. */
const TEXT_FEATURES_REVISION = 3

/** For example 't1-262144-m3fa90c21': revision and size of the text features, hash of the meta features' names. */
export const FEATURE_VERSION = `t${TEXT_FEATURES_REVISION}-${TEXT_FEATURES_SIZE}-m${createHash(
  'sha256',
)
  .update(META_FEATURE_NAMES.join('\n'))
  .digest('hex')
  .slice(0, 8)}`
