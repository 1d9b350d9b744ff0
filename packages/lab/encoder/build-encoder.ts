/** The encoder as the service reads it: its layers as an ONNX file, and the rows, scores and texts of the pieces that are kept. */
import { createHash } from 'node:crypto'
import { floats } from '../../encoder/blocks.ts'
import { DIMENSIONS, PIECES_MAX, ROW_BYTES } from '../../encoder/encoder.ts'
import { type Vocabulary, vocabularyOf } from '../../encoder/tokenize.ts'
import type { E5 } from './e5-file.ts'
import { encoderGraphs } from './graph.ts'
import { onnxFile } from './onnx-file.ts'

/** The version of the artifact: year, month, count. */
const VERSION = '2026.11.1'

/** The whole vocabulary, before any of it is left out. */
export function wholeVocabulary({ pieces, scores, normalisation, special }: E5): Vocabulary {
  return vocabularyOf(pieces, scores, new Map(textsOf(normalisation)), special.unknown)
}

/** The files of the artifact by name, with `kept` of the pieces. */
export function encoderFiles(e5: E5, kept: readonly number[]): Map<string, Uint8Array> {
  const numberOf = new Map(kept.map((piece, number) => [piece, number]))
  const { first, last } = encoderGraphs(e5)
  const files = new Map<string, Uint8Array>([
    ['first.onnx', onnxFile(first)],
    ['last.onnx', onnxFile(last)],
    ['vocabulary.txt', Buffer.from(`${kept.map((piece) => e5.pieces[piece]).join('\n')}\n`)],
    [
      'normalisation.json',
      Buffer.from(JSON.stringify(Object.fromEntries(textsOf(e5.normalisation)))),
    ],
    ['scores.bin', bytesOf(Float32Array.from(kept, (piece) => e5.scores[piece]!))],
    ['positions.bin', bytesOf(positions(e5))],
    ['rows.bin', rows(e5, kept)],
  ])
  const { begin, end, unknown } = e5.special
  const manifest = {
    name: 'multilingual-e5-small',
    version: VERSION,
    dimensions: DIMENSIONS,
    layers: e5.layers,
    pieces: kept.length,
    begin: numberOf.get(begin),
    end: numberOf.get(end),
    unknown: numberOf.get(unknown),
    files: Object.fromEntries([...files].map(([name, bytes]) => [name, sha256(bytes)])),
  }
  return files.set('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
}

function textsOf(normalisation: E5['normalisation']): [string, string][] {
  return [...normalisation].map(([codePoint, text]) => [String.fromCodePoint(codePoint), text])
}

/** What is added at each position: its row and that of the only type of text. */
function positions({ tensors }: E5): Float32Array {
  const ofPositions = floats(tensors.get('emb.pos')!)
  const ofType = floats(tensors.get('emb.type')!)
  return ofPositions
    .subarray(0, PIECES_MAX * DIMENSIONS)
    .map((value, at) => value + ofType[at % DIMENSIONS]!)
}

function rows({ tensors }: E5, kept: readonly number[]): Uint8Array {
  const all = tensors.get('emb.word')!
  return Buffer.concat(
    kept.map((piece) => all.subarray(piece * ROW_BYTES, (piece + 1) * ROW_BYTES)),
  )
}

function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
