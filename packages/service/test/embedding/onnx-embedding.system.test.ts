/**
 * With a model that is made here, of which every number can be worked out by hand, and the real
 * onnxruntime-node (packages/service/test/helpers/onnxruntime.ts).
 */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { DIMENSIONS } from '../../../mail/embedding/embedding-model.ts'
import type { OnnxEmbedding } from '../../../mail/embedding/onnx-embedding.ts'
import { modelId, openOnnxEmbedding } from '../../embedding/onnx-files.ts'
import { folderOf, runtime, skip } from '../helpers/onnxruntime.ts'
import { type TinyModel, tinyOnnxModel } from './tiny-onnx-model.ts'

const VOCABULARY = ['[UNK]', '[CLS]', '[SEP]', 'invoice', 'over', '##due']
const ROWS = VOCABULARY.length

function modelFolder(model: TinyModel): Promise<string> {
  return folderOf({ 'model.onnx': tinyOnnxModel(model), 'vocab.txt': VOCABULARY.join('\n') })
}

async function open(t: TestContext, folder: string): Promise<OnnxEmbedding> {
  const embedding = await openOnnxEmbedding(folder, runtime)
  t.after(() => embedding.close())
  return embedding
}

/** The numbers of `vector` for the pieces of VOCABULARY; all others are zero, and its length one. */
function byPiece(vector: Float32Array): Record<string, number> {
  assert.equal(vector.length, DIMENSIONS)
  assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6)
  assert.ok(vector.subarray(ROWS).every((value) => value === 0))
  const numbers = VOCABULARY.map((piece, row) => [piece, Number(vector[row]!.toFixed(4))] as const)
  return Object.fromEntries(numbers.filter(([, value]) => value !== 0))
}

async function refused(folder: string, why: RegExp): Promise<void> {
  await assert.rejects(openOnnxEmbedding(folder, runtime), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'CONFIG_INVALID')
    assert.ok(error.message.startsWith(`The embedding model in ${folder} cannot be used. `))
    assert.match(error.message, why)
    return true
  })
}

describe('an embedding model in ONNX', { skip }, () => {
  it('gives the mean of its pieces, one long', async (t) => {
    const model = await open(t, await modelFolder({ rows: ROWS, perPiece: 'last_hidden_state' }))
    assert.deepEqual(byPiece(await model.embed('Invoice overdue, invoice!')), {
      '[CLS]': 0.2887,
      '[SEP]': 0.2887,
      '[UNK]': 0.5774,
      invoice: 0.5774,
      over: 0.2887,
      '##due': 0.2887,
    })
  })

  it('gives zero for a text without a word', async (t) => {
    const model = await open(t, await modelFolder({ rows: ROWS, perPiece: 'last_hidden_state' }))
    assert.deepEqual(await model.embed(' \n'), new Float32Array(DIMENSIONS))
  })

  it('takes the vector that the model itself makes of a text', async (t) => {
    const outputs = { perPiece: 'token_embeddings', pooled: 'sentence_embedding' }
    const model = await open(t, await modelFolder({ rows: ROWS, ...outputs }))
    const expected = { '[CLS]': 0.5774, '[SEP]': 0.5774, invoice: 0.5774 }
    assert.deepEqual(byPiece(await model.embed('invoice invoice')), expected)
  })

  it('takes it under any name where there is nothing else', async (t) => {
    const model = await open(t, await modelFolder({ rows: ROWS, pooled: 'embedding' }))
    const expected = { '[CLS]': 0.5774, '[SEP]': 0.5774, invoice: 0.5774 }
    assert.deepEqual(byPiece(await model.embed('invoice invoice')), expected)
  })

  it("does not take BERT's own pooled output", async (t) => {
    const outputs = { perPiece: 'last_hidden_state', pooled: 'pooler_output' }
    const model = await open(t, await modelFolder({ rows: ROWS, ...outputs }))
    const expected = { '[CLS]': 0.4082, '[SEP]': 0.4082, invoice: 0.8165 }
    assert.deepEqual(byPiece(await model.embed('invoice invoice')), expected)
  })

  it('needs no token_type_ids', async (t) => {
    const inputs = ['input_ids', 'attention_mask']
    const folder = await modelFolder({ rows: ROWS, inputs, perPiece: 'last_hidden_state' })
    const model = await open(t, folder)
    const expected = { '[CLS]': 0.5774, '[SEP]': 0.5774, invoice: 0.5774 }
    assert.deepEqual(byPiece(await model.embed('invoice')), expected)
  })

  it('answers a text of ten megabytes', async (t) => {
    const model = await open(t, await modelFolder({ rows: ROWS, perPiece: 'last_hidden_state' }))
    const expected = { '[CLS]': 0.0039, '[SEP]': 0.0039, invoice: 1 }
    assert.deepEqual(byPiece(await model.embed('invoice '.repeat(1_250_000))), expected)
  })

  it('may lie in onnx/, with tokenizer.json', async (t) => {
    const vocab = Object.fromEntries(VOCABULARY.map((piece, row) => [piece, row]))
    const folder = await folderOf({
      'onnx/model_quantized.onnx': tinyOnnxModel({ rows: ROWS, perPiece: 'last_hidden_state' }),
      'tokenizer.json': JSON.stringify({ model: { type: 'WordPiece', vocab } }),
    })
    const expected = { '[CLS]': 0.5774, '[SEP]': 0.5774, invoice: 0.5774 }
    assert.deepEqual(byPiece(await (await open(t, folder)).embed('invoice')), expected)
  })

  it('says after its checksum which it is', async (t) => {
    const outputs = { perPiece: 'last_hidden_state' }
    const one = await open(t, await modelFolder({ rows: ROWS, ...outputs }))
    const same = await open(t, await modelFolder({ rows: ROWS, ...outputs }))
    const other = await open(t, await modelFolder({ rows: ROWS + 1, ...outputs }))
    assert.equal(one.dimensions, DIMENSIONS)
    assert.match(one.id, /^onnx-[0-9a-f]{16}$/)
    assert.equal(same.id, one.id)
    assert.notEqual(other.id, one.id)
  })

  it('embeds nothing once it is closed', async () => {
    const folder = await modelFolder({ rows: ROWS, perPiece: 'last_hidden_state' })
    const model = await openOnnxEmbedding(folder, runtime)
    await model.close()
    await assert.rejects(model.embed('invoice'))
  })
})

describe('a folder without an embedding model', { skip }, () => {
  it('is refused without a model', async () => {
    await refused(await folderOf({ 'vocab.txt': VOCABULARY.join('\n') }), /model_quantized\.onnx/)
  })

  it('is refused without a vocabulary', async () => {
    const model = tinyOnnxModel({ rows: ROWS, perPiece: 'last_hidden_state' })
    await refused(await folderOf({ 'model.onnx': model }), /vocab\.txt/)
  })

  it('is refused when it is not there', async () => {
    await refused('/nowhere/minilm', /It needs one of these files/)
  })

  it('is refused when the model is no ONNX', async () => {
    const files = { 'model.onnx': 'version https://git-lfs', 'vocab.txt': VOCABULARY.join('\n') }
    await refused(await folderOf(files), /protobuf/i)
  })

  it('is refused when tokenizer.json is no JSON', async () => {
    const model = tinyOnnxModel({ rows: ROWS, perPiece: 'last_hidden_state' })
    await refused(await folderOf({ 'model.onnx': model, 'tokenizer.json': '{' }), /JSON/)
  })

  it('is refused when the model gives another number of dimensions', async () => {
    const model = { rows: ROWS, dimensions: 8, perPiece: 'last_hidden_state' }
    await refused(await modelFolder(model), /last_hidden_state is 1 x 3 x 8; it must be 384/)
  })

  it('is refused when the model lacks an input', async () => {
    const model = { rows: ROWS, inputs: ['input_ids'], perPiece: 'last_hidden_state' }
    await refused(await modelFolder(model), /it needs input_ids and attention_mask/)
  })

  it('is refused when the model has an input of another kind', async () => {
    const inputs = ['input_ids', 'attention_mask', 'pixel_values']
    await refused(
      await modelFolder({ rows: ROWS, inputs, perPiece: 'last_hidden_state' }),
      /pixel_values/,
    )
  })

  it('is refused when its vocabulary has more pieces than the model has rows', async () => {
    const model = { rows: ROWS - 1, perPiece: 'last_hidden_state' }
    await refused(await modelFolder(model), /out of data bounds/)
  })
})

describe('onnxruntime-node', () => {
  it('is asked for by name where it is missing', async () => {
    await assert.rejects(openOnnxEmbedding('/nowhere/minilm', 'onnxruntime-node-missing'), {
      code: 'CONFIG_INVALID',
      message: /needs onnxruntime-node, which cannot be loaded on this machine$/,
    })
  })
})

describe('modelId', () => {
  it('is made of the checksum of the file', () => {
    // SHA-256 of 'abc', from FIPS 180-2, appendix B.1.
    assert.equal(modelId(Buffer.from('abc')), 'onnx-ba7816bf8f01cfea')
  })
})
