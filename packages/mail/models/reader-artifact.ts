/** The reader as files: `manifest.json`, and `weights.bin`, 32-bit floats, little-endian: of spam, then of each class. */
import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { TamisError } from '../../errors/errors.ts'
import { CLASSES } from './prediction.ts'
import type { ReaderHead, ReaderModel } from './reader.ts'

export const ReaderManifest = Type.Object({
  name: Type.String(),
  version: Type.String(),
  /** Name and version of the encoder. */
  encoder: Type.String(),
  means: Type.Array(Type.String(), { minItems: 1 }),
  piecesMax: Type.Integer({ minimum: 3, maximum: 512 }),
  hyperparameters: Type.Record(Type.String(), Type.Number()),
  corpora: Type.Record(
    Type.String(),
    Type.Object({ samples: Type.Integer(), sha256: Type.String() }),
  ),
  weights: Type.Object({ count: Type.Integer(), sha256: Type.String() }),
  bias: Type.Number(),
  classBias: Type.Array(Type.Number(), { minItems: CLASSES.length, maxItems: CLASSES.length }),
  classFusion: Type.Object({ tabs: Type.Number(), reader: Type.Number() }),
  fusion: Type.Object({ models: Type.Number(), reader: Type.Number(), bias: Type.Number() }),
  band: Type.Object({ below: Type.Number(), above: Type.Number() }),
  thresholds: Type.Object({
    cautious: Type.Number(),
    balanced: Type.Number(),
    strict: Type.Number(),
  }),
  escalation: Type.Object({ logitMargin: Type.Number(), disagreement: Type.Number() }),
})

export type ReaderManifest = Static<typeof ReaderManifest>

/**
 * The reader in `files`; the manifest is JSON not yet checked.
 *
 * @throws TamisError ARTIFACT_MISMATCH when the manifest is malformed, or the weights are not those that it names.
 */
export function readerFromArtifact(manifest: unknown, weights: Uint8Array): ReaderModel {
  if (!Value.Check(ReaderManifest, manifest)) {
    const [first] = Value.Errors(ReaderManifest, manifest)
    throw mismatch(`the manifest is malformed at ${first?.instancePath ?? '/'}`)
  }
  const sha256 = createHash('sha256').update(weights).digest('hex')
  const heads = [manifest.bias, ...manifest.classBias]
  const size = manifest.weights.count / heads.length
  const fits = weights.length === 4 * manifest.weights.count && Number.isInteger(size)
  if (sha256 !== manifest.weights.sha256 || !fits) {
    throw mismatch('weights.bin is not the file that the manifest names')
  }
  const floats = new Float32Array(new Uint8Array(weights).buffer)
  const [spam, ...classes] = heads.map(
    (bias, at): ReaderHead => ({ weights: floats.subarray(at * size, (at + 1) * size), bias }),
  ) as [ReaderHead, ...ReaderHead[]]
  const { version, encoder, means, piecesMax, classFusion } = manifest
  const { fusion, band, thresholds, escalation } = manifest
  return {
    version,
    encoder,
    means,
    piecesMax,
    spam,
    classes,
    classFusion,
    fusion,
    band,
    thresholds,
    escalation,
  }
}

function mismatch(why: string): TamisError {
  return new TamisError('ARTIFACT_MISMATCH', `The model reader cannot be used: ${why}`)
}
