/** A service with an embedding model of the operator's own (TAMIS_EMBEDDING). */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { tinyOnnxModel } from '../embedding/tiny-onnx-model.ts'
import { folderOf, runtime, skip } from '../helpers/onnxruntime.ts'
import { build, ORDER, post } from './service.ts'

const VOCABULARY = ['[UNK]', '[CLS]', '[SEP]', 'order', 'shipped', 'thank', 'you']

const modules = { onnxRuntime: runtime }

async function modelFolder(): Promise<string> {
  return await folderOf({
    'model.onnx': tinyOnnxModel({ rows: VOCABULARY.length, perPiece: 'last_hidden_state' }),
    'vocab.txt': VOCABULARY.join('\n'),
  })
}

async function embed(app: FastifyInstance, body: object) {
  return await app.inject({ method: 'POST', url: '/classify/embed-text', payload: body })
}

async function diagnose(app: FastifyInstance) {
  const headers = { 'x-user-id': 'user-4711' }
  return (await post(app, '/classify/diagnostic-stream', ORDER, headers)).json()
}

describe("an embedding model of the operator's own", { skip }, () => {
  it('answers at /classify/embed-text', async (t) => {
    const { app } = await build(t, { config: { embedding: await modelFolder() }, modules })
    const { embedding } = (await embed(app, { text: 'Order shipped' })).json()
    assert.equal(embedding.length, 384)
    // [CLS], [SEP], order and shipped, each a direction of its own.
    assert.deepEqual(embedding.slice(0, 7), [0, 0.5, 0.5, 0.5, 0.5, 0, 0])
    const { embeddings } = (await embed(app, { texts: ['order', ''] })).json()
    assert.equal(embeddings[0][3], 0.5773503)
    assert.ok(embeddings[1].every((number: number) => number === 0))
  })

  it('embeds the messages that users correct and those compared with them', async (t) => {
    const { app } = await build(t, { config: { embedding: await modelFolder() }, modules })
    const headers = {
      'x-user-id': 'user-4711',
      'x-is-spam': 'true',
      'x-skip-rule-creation': 'true',
    }
    assert.equal((await post(app, '/feedback-stream', ORDER, headers)).statusCode, 200)
    const { result, models } = await diagnose(app)
    assert.equal(result.bypassReason, 'knn_memory')
    assert.match(models.embedding.model, /^onnx-[0-9a-f]{16}$/)
    // 1 but for rounding, as of any message with itself.
    assert.ok(models.embedding.outputs.spam > 0.9999)
  })

  it('compares what the shipped table has embedded by its words, and counts it', async (t) => {
    const dataDir = await folderOf({})
    const headers = {
      'x-user-id': 'user-4711',
      'x-is-spam': 'true',
      'x-skip-rule-creation': 'true',
    }
    const before = await build(t, { config: { dataDir } })
    assert.equal((await post(before.app, '/feedback-stream', ORDER, headers)).statusCode, 200)
    assert.deepEqual((await before.app.inject('/ready')).json().setAside, {
      features: 0,
      embeddings: 0,
    })
    await before.close()

    const embedding = await modelFolder()
    const { app } = await build(t, { config: { dataDir, embedding }, modules })
    assert.deepEqual((await app.inject('/ready')).json().setAside, { features: 0, embeddings: 1 })
    const { result, models } = await diagnose(app)
    assert.equal(result.bypassReason, 'knn_memory')
    assert.ok(models.embedding.outputs.spam > 0.9999)
  })

  it('does not start with a folder in which there is no model', async (t) => {
    const folder = await folderOf({ 'vocab.txt': '' })
    await assert.rejects(build(t, { config: { embedding: folder }, modules }), {
      code: 'CONFIG_INVALID',
      message: /It needs one of these files: model\.onnx/,
    })
  })
})
