/**
 * The encoder from its folder of files. onnxruntime-node computes on the thread that asks, although it returns a
 * promise: open it on a thread of its own.
 *
 * The rows of the pieces stay in their file, from which those of a text are read: 30 MB that the processes of a service
 * have in common, in the memory in which the system keeps files. The graphs are read by onnxruntime, which copies them.
 */
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TamisError } from '../errors/errors.ts'
import { floats } from './blocks.ts'
import {
  DIMENSIONS,
  embeddingOf,
  embedPieces,
  PIECES_MAX,
  type PieceTable,
  ROW_BYTES,
  windowsOf,
} from './encoder.ts'
import { vocabularyOf } from './tokenize.ts'

export interface Encoder {
  /** Name and version of the files. */
  readonly id: string
  readonly table: PieceTable
  /** The windows of `text`, of which each is embedded in a turn of its own (windowsOf). */
  windows(text: string): number[][]
  /** The mean of a window by all layers: DIMENSIONS numbers. */
  mean(window: readonly number[]): Promise<Float32Array>
  close(): Promise<void>
}

/** What is used of manifest.json. */
interface Manifest {
  readonly name: string
  readonly version: string
  readonly pieces: number
  readonly begin: number
  readonly end: number
  readonly unknown: number
  /** The SHA-256 of each file. */
  readonly files: Readonly<Record<string, string>>
}

/** The part of onnxruntime-node that is used. */
interface OnnxRuntime {
  readonly InferenceSession: {
    create(path: string, options: typeof SESSION_OPTIONS): Promise<OnnxSession>
  }
  readonly Tensor: new (type: 'float32', data: Float32Array, dims: readonly number[]) => OnnxTensor
}

interface OnnxSession {
  run(
    inputs: Readonly<Record<string, OnnxTensor>>,
    outputs: readonly string[],
  ): Promise<Readonly<Record<string, OnnxTensor>>>
  release(): Promise<void>
}

interface OnnxTensor {
  readonly data: unknown
}

/**
 * One thread, so that sums have one order. The arena would keep what the longest text needed. Nothing goes to
 * standard error (4: only fatal errors), since failures are also thrown.
 */
const SESSION_OPTIONS = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  enableCpuMemArena: false,
  logSeverityLevel: 4,
}

const FILES = [
  'first.onnx',
  'last.onnx',
  'vocabulary.txt',
  'normalisation.json',
  'scores.bin',
  'positions.bin',
  'rows.bin',
]

const RUNTIME_MODULE = 'onnxruntime-node'

/**
 * @param runtimeModule the module that runs the layers, a name or a file URL.
 * @throws TamisError ARTIFACT_MISMATCH when a file is missing or damaged; ENCODER_UNAVAILABLE when onnxruntime-node
 *   cannot be loaded here.
 */
export async function openEncoder(
  folder: string,
  runtimeModule: string = RUNTIME_MODULE,
): Promise<Encoder> {
  const manifest = manifestFrom(await read(folder, 'manifest.json'), folder)
  for (const name of FILES) await check(folder, name, manifest.files[name])
  const table = await readTable(folder, manifest)
  const { InferenceSession, Tensor } = await importRuntime(runtimeModule)
  const first = await InferenceSession.create(join(folder, 'first.onnx'), SESSION_OPTIONS)
  const last = await InferenceSession.create(join(folder, 'last.onnx'), SESSION_OPTIONS)
  const rows = openSync(join(folder, 'rows.bin'), 'r')
  return {
    id: `${manifest.name}-${manifest.version}`,
    table,
    windows: (text) => windowsOf(text, table),
    async mean(window) {
      const rowsRead = { ...table, rows: readRows(rows, window) }
      const embedded = embedPieces([...window.keys()], rowsRead)
      const input = new Tensor('float32', embedded, [1, window.length, DIMENSIONS])
      const { hidden } = await first.run({ embedded: input }, ['hidden'])
      return numbers((await last.run({ hidden: hidden! }, ['mean12'])).mean12)
    },
    async close() {
      await first.release()
      await last.release()
      closeSync(rows)
    },
  }
}

/** The embedding of `text`, for who has the encoder alone: DIMENSIONS numbers of length 1. */
export async function embedText(
  { windows, mean }: Pick<Encoder, 'windows' | 'mean'>,
  text: string,
): Promise<Float32Array> {
  const all = windows(text)
  const means: Float32Array[] = []
  for (const window of all) means.push(await mean(window))
  return embeddingOf(all, means)
}

function numbers(tensor: OnnxTensor | undefined): Float32Array {
  return tensor?.data as Float32Array
}

/** All of the table but its rows. */
async function readTable(
  folder: string,
  { pieces, begin, end, unknown }: Manifest,
): Promise<PieceTable> {
  const texts = (await read(folder, 'vocabulary.txt')).toString('utf8').trimEnd().split('\n')
  const normalisation = JSON.parse((await read(folder, 'normalisation.json')).toString('utf8'))
  const scores = floats(await read(folder, 'scores.bin'))
  const positions = floats(await read(folder, 'positions.bin'))
  const fits =
    texts.length === pieces &&
    scores.length === pieces &&
    statSync(join(folder, 'rows.bin')).size === pieces * ROW_BYTES &&
    positions.length === PIECES_MAX * DIMENSIONS
  if (!fits) throw mismatch(`The files in ${folder} do not have the sizes that their manifest says`)
  const vocabulary = vocabularyOf(texts, scores, new Map(Object.entries(normalisation)), unknown)
  return { vocabulary, begin, end, rows: new Uint8Array(), positions }
}

/** The rows of `pieces`, one after another, from the file. */
function readRows(file: number, pieces: readonly number[]): Uint8Array {
  const rows = new Uint8Array(pieces.length * ROW_BYTES)
  pieces.forEach((piece, at) => {
    const read = readSync(file, rows, at * ROW_BYTES, ROW_BYTES, piece * ROW_BYTES)
    if (read < ROW_BYTES) throw mismatch('rows.bin has been cut short')
  })
  return rows
}

function manifestFrom(bytes: Buffer, folder: string): Manifest {
  try {
    return JSON.parse(bytes.toString('utf8')) as Manifest
  } catch (cause) {
    throw new TamisError('ARTIFACT_MISMATCH', `The manifest in ${folder} is not JSON`, { cause })
  }
}

async function importRuntime(module: string): Promise<OnnxRuntime> {
  try {
    return await import(module)
  } catch (cause) {
    throw new TamisError('ENCODER_UNAVAILABLE', 'onnxruntime-node cannot be loaded here', { cause })
  }
}

/** @throws TamisError ARTIFACT_MISMATCH when the file cannot be read or is another. */
async function check(folder: string, name: string, sha256: string | undefined): Promise<void> {
  const path = join(folder, name)
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk)
  } catch (cause) {
    throw new TamisError('ARTIFACT_MISMATCH', `Cannot read ${path}`, { cause })
  }
  if (hash.digest('hex') !== sha256)
    throw mismatch(`${path} is not the file that the manifest names`)
}

async function read(folder: string, name: string): Promise<Buffer> {
  try {
    return await readFile(join(folder, name))
  } catch (cause) {
    throw new TamisError('ARTIFACT_MISMATCH', `Cannot read ${join(folder, name)}`, { cause })
  }
}

function mismatch(message: string): TamisError {
  return new TamisError('ARTIFACT_MISMATCH', message)
}
