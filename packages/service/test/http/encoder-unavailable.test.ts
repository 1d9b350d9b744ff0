/** A service on a machine on which the encoder does not run. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openEmbedder } from '../../encoder/embedder.ts'
import { build, LOTTERY, post } from './service.ts'

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
