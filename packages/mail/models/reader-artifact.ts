/** The reader as files: `manifest.json`, and `weights.bin`, 32-bit floats, little-endian. */
import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { TamisError } from '../../errors/errors.ts'
import type { ReaderModel } from './reader.ts'

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
  if (sha256 !== manifest.weights.sha256 || weights.length !== 4 * manifest.weights.count) {
    throw mismatch('weights.bin is not the file that the manifest names')
  }
  const { version, encoder, means, piecesMax, fusion, band, thresholds, escalation } = manifest
  const spam = {
    weights: new Float32Array(new Uint8Array(weights).buffer),
    bias: manifest.bias,
  }
  return { version, encoder, means, piecesMax, spam, fusion, band, thresholds, escalation }
}

function mismatch(why: string): TamisError {
  return new TamisError('ARTIFACT_MISMATCH', `The model reader cannot be used: ${why}`)
}
