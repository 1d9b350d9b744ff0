/**
 * Embedding by the operator's own transformer, in the form in which all-MiniLM-L6-v2 and similar models
 * are published: ONNX, pieces of words in, one vector for each piece or one for the text out.
 * Reimers and Gurevych, Sentence-BERT (EMNLP 2019).
 *
 * It is hundreds of times slower than the table that comes with Tamis, and onnxruntime-node runs it
 * on the calling thread, although it returns a promise: call it on a thread.
 */
import { TamisError } from '../../errors/errors.ts'
import { DIMENSIONS, normaliseLength, type TextEmbedding } from './embedding-model.ts'
import { PIECES_MAX, readPieces, type WordPieces } from './word-piece.ts'

/** The part of onnxruntime-node's tensors that is used. */
export interface OnnxTensor {
  readonly dims: readonly number[]
  readonly data: unknown
}

/** A model as onnxruntime-node has loaded it. */
export interface OnnxSession {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(
    inputs: Readonly<Record<string, OnnxTensor>>,
    outputNames: readonly string[],
  ): Promise<Readonly<Record<string, OnnxTensor>>>
  release(): Promise<void>
}

/** Makes a tensor of 64-bit integers. */
export type MakeTensor = (data: BigInt64Array, dims: readonly number[]) => OnnxTensor

export interface OnnxEmbedding extends TextEmbedding {
  embed(text: string): Promise<Float32Array>
  /** Frees the model's memory; afterwards nothing can be embedded. */
  close(): Promise<void>
}

/** The inputs of BERT, and what each holds for a single text: all its pieces count, and none belongs to a second sentence. */
const INPUTS: Readonly<Record<string, (pieces: readonly number[]) => BigInt64Array>> = {
  input_ids: (pieces) => BigInt64Array.from(pieces, BigInt),
  attention_mask: ({ length }) => new BigInt64Array(length).fill(1n),
  token_type_ids: ({ length }) => new BigInt64Array(length),
}

const INPUTS_NEEDED = ['input_ids', 'attention_mask']

/**
 * Which output is taken: the first of these that the model has, else its first output. BERT's own
 * pooled output (`pooler_output`) is not among them: it was never trained for comparison.
 */
const OUTPUTS_PREFERRED = ['sentence_embedding', 'last_hidden_state']

/** How many pieces the trial texts have: the fewest and the most. */
const TRIAL_LENGTHS = [3, PIECES_MAX]

/**
 * The embedding that `session` makes of `pieces`, after a trial.
 *
 * @throws TamisError CONFIG_INVALID when inputs or outputs are not those of such a model.
 */
export async function onnxEmbedding(
  id: string,
  pieces: WordPieces,
  session: OnnxSession,
  makeTensor: MakeTensor,
): Promise<OnnxEmbedding> {
  checkInputs(session.inputNames)
  const output =
    OUTPUTS_PREFERRED.find((name) => session.outputNames.includes(name)) ?? session.outputNames[0]!

  async function embedPieces(numbers: readonly number[]): Promise<Float32Array> {
    const dims = [1, numbers.length]
    const inputs = session.inputNames.map((name) => [
      name,
      makeTensor(INPUTS[name]!(numbers), dims),
    ])
    const outputs = await session.run(Object.fromEntries(inputs), [output])
    return pooled(output, outputs[output]!, numbers.length)
  }

  for (const length of TRIAL_LENGTHS) await embedPieces(trialPieces(pieces, length))
  return {
    id,
    dimensions: DIMENSIONS,
    async embed(text) {
      const numbers = readPieces(pieces, text)
      return numbers.length === 0 ? new Float32Array(DIMENSIONS) : await embedPieces(numbers)
    },
    close: () => session.release(),
  }
}

function checkInputs(names: readonly string[]): void {
  const missing = INPUTS_NEEDED.filter((name) => !names.includes(name))
  const unknown = names.filter((name) => !Object.hasOwn(INPUTS, name))
  if (missing.length === 0 && unknown.length === 0) return
  throw new TamisError(
    'CONFIG_INVALID',
    `The model has the inputs ${names.join(', ')}; it needs ${INPUTS_NEEDED.join(' and ')}, and may have token_type_ids`,
  )
}

/** A text made of the piece with the highest number: a model with fewer rows refuses it. */
function trialPieces({ numbers, start, end }: WordPieces, length: number): number[] {
  let last = 0
  for (const number of numbers.values()) last = Math.max(last, number)
  return [start, ...new Array<number>(length - 2).fill(last), end]
}

/** `tensor`, of shape (1, 384) or (1, pieces, 384), as one vector of length 1: the mean where it has several. */
function pooled(name: string, { dims, data }: OnnxTensor, pieces: number): Float32Array {
  const shape = dims.join(' x ')
  const isPooled = shape === `1 x ${DIMENSIONS}`
  if (!isPooled && shape !== `1 x ${pieces} x ${DIMENSIONS}`) {
    throw new TamisError(
      'CONFIG_INVALID',
      `The output ${name} is ${shape}; it must be ${DIMENSIONS} numbers for each piece or for the text`,
    )
  }
  if (!(data instanceof Float32Array) || !data.every(Number.isFinite)) {
    throw new TamisError(
      'CONFIG_INVALID',
      `The output ${name} does not consist of finite 32-bit numbers`,
    )
  }
  const vector = isPooled ? data.slice() : sumOfRows(data)
  normaliseLength(vector)
  return vector
}

/** Has the direction of their mean; the length is made 1 later anyway. */
function sumOfRows(rows: Float32Array): Float32Array {
  const sum = new Float32Array(DIMENSIONS)
  for (let i = 0; i < rows.length; i++) sum[i % DIMENSIONS]! += rows[i]!
  return sum
}
