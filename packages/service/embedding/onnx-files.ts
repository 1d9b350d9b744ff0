/**
 * The operator's own embedding model on disk: a folder as sentence-transformers exports it, with the
 * model as ONNX and its vocabulary.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TamisError } from '../../errors/errors.ts'
import {
  type OnnxEmbedding,
  type OnnxSession,
  type OnnxTensor,
  onnxEmbedding,
} from '../../mail/embedding/onnx-embedding.ts'
import {
  type WordPieces,
  wordPiecesOfTokenizer,
  wordPiecesOfVocabulary,
} from '../../mail/embedding/word-piece.ts'

const RUNTIME_MODULE = 'onnxruntime-node'

/** The names that a model's file may have; the first that exists is used. */
const MODEL_FILES = [
  'model.onnx',
  'onnx/model_quantized.onnx',
  'model_quantized.onnx',
  'onnx/model.onnx',
]

/** The names of published models by the SHA-256 of their file. */
const KNOWN_MODELS: ReadonlyMap<string, string> = new Map([
  ['afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1', 'all-MiniLM-L6-v2-q8'],
])

/** Hexadecimal digits of the checksum in the id of any other model. */
const ID_DIGITS = 16

/**
 * One thread, so that sums have one order. Nothing goes to standard error (4: only fatal errors), since
 * failures are also thrown.
 */
const SESSION_OPTIONS = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 4 }

/** The part of onnxruntime-node that is used. */
interface OnnxRuntime {
  readonly InferenceSession: {
    create(model: Uint8Array, options: typeof SESSION_OPTIONS): Promise<OnnxSession>
  }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => OnnxTensor
}

/**
 * The embedding model in `folder`: an ONNX file, and vocab.txt or tokenizer.json.
 *
 * @param runtimeModule the module to import for running it, a name or a file URL.
 * @throws TamisError CONFIG_INVALID when onnxruntime-node is not installed, a file is missing, or
 *   the model is not one that reads pieces of words and gives 384 numbers.
 */
export async function openOnnxEmbedding(
  folder: string,
  runtimeModule: string = RUNTIME_MODULE,
): Promise<OnnxEmbedding> {
  const runtime = await importRuntime(runtimeModule)
  try {
    return await openModel(folder, runtime)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new TamisError(
      'CONFIG_INVALID',
      `The embedding model in ${folder} cannot be used. ${why}`,
      { cause },
    )
  }
}

async function importRuntime(module: string): Promise<OnnxRuntime> {
  try {
    return await import(module)
  } catch (cause) {
    throw new TamisError(
      'CONFIG_INVALID',
      'Your own embedding model needs onnxruntime-node, which cannot be loaded on this machine',
      { cause },
    )
  }
}

async function openModel(folder: string, runtime: OnnxRuntime): Promise<OnnxEmbedding> {
  const model = await readModel(folder)
  const pieces = await readWordPieces(folder)
  const session = await runtime.InferenceSession.create(model, SESSION_OPTIONS)
  try {
    return await onnxEmbedding(
      modelId(model),
      pieces,
      session,
      (data, dims) => new runtime.Tensor('int64', data, dims),
    )
  } catch (error) {
    await session.release()
    throw error
  }
}

/** The id under which vectors of the model with this file are kept. */
export function modelId(model: Uint8Array): string {
  const sha256 = createHash('sha256').update(model).digest('hex')
  return KNOWN_MODELS.get(sha256) ?? `onnx-${sha256.slice(0, ID_DIGITS)}`
}

async function readModel(folder: string): Promise<Uint8Array> {
  for (const name of MODEL_FILES) {
    const bytes = await readIfThere(join(folder, name))
    if (bytes !== undefined) return bytes
  }
  throw new TamisError('CONFIG_INVALID', `It needs one of these files: ${MODEL_FILES.join(', ')}`)
}

async function readWordPieces(folder: string): Promise<WordPieces> {
  const vocabulary = await readIfThere(join(folder, 'vocab.txt'))
  if (vocabulary !== undefined) return wordPiecesOfVocabulary(vocabulary.toString('utf8'))
  const tokenizer = await readIfThere(join(folder, 'tokenizer.json'))
  if (tokenizer !== undefined) return wordPiecesOfTokenizer(JSON.parse(tokenizer.toString('utf8')))
  throw new TamisError('CONFIG_INVALID', 'It needs vocab.txt or tokenizer.json')
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
