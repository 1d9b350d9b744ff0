import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, it } from 'node:test'
import { TamisError } from '../../../errors/errors.ts'
import { embeddingOf } from '../../encoder/embed-message.ts'

const log = { warn: () => {} }
const OUTLET = Object.assign(new EventEmitter(), { destroyed: false })

/** An embedder that answers when told; `asked` counts what it was given. */
function embedder() {
  const answers: PromiseWithResolvers<Float32Array>[] = []
  const embed = () => {
    const answer = Promise.withResolvers<Float32Array>()
    answers.push(answer)
    return answer.promise
  }
  return { answers, service: { embedder: { id: 'e5', isUsable: true, embed } } }
}

describe('embeddingOf', () => {
  it('embeds a text once for all who ask at the same time', async () => {
    const { answers, service } = embedder()
    const all = [1, 2, 3].map(() => embeddingOf(service, { outlet: OUTLET, log }, 'A letter'))
    answers[0]!.resolve(Float32Array.of(1))
    const vectors = (await Promise.all(all)).map((each) => each?.vector)
    assert.deepEqual(vectors, Array(3).fill(Float32Array.of(1)))
    assert.equal(answers.length, 1)
  })

  it('embeds it again for those whose turn was given up with another request', async () => {
    const { answers, service } = embedder()
    const first = embeddingOf(service, { outlet: OUTLET, log }, 'A letter')
    const second = embeddingOf(service, { outlet: OUTLET, log }, 'A letter')
    answers[0]!.reject(new TamisError('REQUEST_ABANDONED', 'The client closed the connection'))
    await assert.rejects(first, { code: 'REQUEST_ABANDONED' })
    await new Promise(setImmediate)
    answers[1]!.resolve(Float32Array.of(2))
    assert.deepEqual((await second)?.vector, Float32Array.of(2))
  })
})
