/** Embedding of texts, with the encoder and without. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openEmbedder } from '../../encoder/embedder.ts'
import { letGoOn, STUCK_THREAD, threadStuck } from '../admission/stuck.ts'
import { embedderBy } from '../encoder/fake-encoder.ts'
import { build, buildOnce, LOTTERY, post } from './service.ts'

describe('embed-text', () => {
  const app = buildOnce({ modules: { embedder: embedderBy({}) } })

  function embed(payload: object) {
    return app().inject({ method: 'POST', url: '/classify/embed-text', payload })
  }

  function lengthOf(vector: readonly number[]): number {
    return Math.sqrt(vector.reduce((sum, each) => sum + each * each, 0))
  }

  describe('POST /classify/embed-text', () => {
    it('answers 384 numbers, 1 long, and names the model', async () => {
      const response = await embed({ text: 'Your parcel arrives tomorrow' })
      assert.equal(response.statusCode, 200)
      assert.match(`${response.headers['content-type']}`, /^application\/json/)
      assert.deepEqual(Object.keys(response.json()), ['embedding'])
      const { embedding } = response.json()
      assert.equal(embedding.length, 384)
      assert.ok(Math.abs(lengthOf(embedding) - 1) < 1e-5)
      assert.equal(response.headers['x-tamis-embedding-model'], 'fake-1')
    })

    it('takes lone surrogates, nothing, and a million words', async () => {
      for (const text of ['parcel \ud800 \udfff', '', 'word '.repeat(500_000)]) {
        const response = await embed({ text })
        assert.equal(response.statusCode, 200)
        assert.equal(response.json().embedding.length, 384)
      }
    })

    it('is answered while the only worker is busy, and nobody waits for it', async (t) => {
      const { app: stuck } = await build(t, {
        modules: { ...STUCK_THREAD, embedder: embedderBy({}) },
      })
      const busy = threadStuck()
      let isJudged = false
      const running = post(
        stuck,
        '/classify-stream',
        'Subject: a\r\nX-Stuck-Ms: 60000\r\n\r\nb',
      ).then(() => {
        isJudged = true
      })
      await busy
      const response = await stuck.inject({
        method: 'POST',
        url: '/classify/embed-text',
        payload: { text: 'hello' },
      })
      assert.equal(response.statusCode, 200)
      assert.equal(isJudged, false)
      letGoOn()
      await running
    })
  })
})

/** A service on a machine on which the encoder does not run. */
describe('no encoder', () => {
  describe('a service without its encoder', () => {
    it('embeds no text, says so once, and remembers corrections by their words', async (t) => {
      const warned: string[] = []
      const embedder = await openEmbedder({
        log: { warn: (_, text) => void warned.push(text) },
        runtimeModule: 'file:///nowhere/onnxruntime.js',
      })
      const { app } = await build(t, { modules: { embedder } })
      const headers = { 'x-user-id': 'ann', 'x-is-spam': 'true', 'x-skip-rule-creation': 'true' }
      assert.equal((await post(app, '/feedback-stream', LOTTERY, headers)).statusCode, 200)
      const answer = await app.inject({
        method: 'POST',
        url: '/classify/embed-text',
        payload: { text: 'hello' },
      })
      assert.equal(answer.statusCode, 503)
      assert.equal(answer.json().code, 'ENCODER_UNAVAILABLE')
      assert.equal(warned.length, 1)
      const again = LOTTERY.replace(/^Message-ID: .*\r\n/im, '')
      const user = { 'x-user-id': 'ann' }
      const { bypassReason } = (await post(app, '/classify-stream', again, user)).json()
      assert.equal(bypassReason, 'knn_memory')
    })
  })
})
