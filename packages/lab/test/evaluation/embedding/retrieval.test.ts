import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MessageEmbedding } from '../../../../mail/embedding/message-embedding.ts'
import type { Message } from '../../../../mail/message/message.ts'
import { memoryOctets } from '../../../../mail/message/octets.ts'
import { parseMessage } from '../../../../mail/message/parse.ts'
import { nearDuplicateGroups, threadGroups } from '../../../evaluation/embedding/groups.ts'
import { measureRetrieval } from '../../../evaluation/embedding/retrieval.ts'

function embedding(dense: readonly number[], terms: readonly number[]): MessageEmbedding {
  return {
    model: 'm',
    dense: Float32Array.from(dense),
    sparse: Uint32Array.from(terms, (term) => term * 256 + 255),
  }
}

function parse(source: string): Message {
  return parseMessage(memoryOctets(Buffer.from(source)))
}

describe('measureRetrieval', () => {
  it('counts the queries of which the most similar message is of the same group', () => {
    const set = {
      name: 'set',
      embeddings: [embedding([1, 0], [1, 2]), embedding([0, 1], [1, 2]), embedding([1, 0], [3])],
      groups: [0, 0, 1],
      isQuery: [true, true, true],
    }
    assert.deepEqual(measureRetrieval(set), {
      name: 'set',
      messages: 3,
      // The third stands alone in its group.
      queries: 2,
      // By the dense part the first finds the third. What is equally near is found in order.
      found: { sparse: 1, dense: 0.5, hybrid: 1 },
    })
  })
})

const TEXT =
  'Your parcel could not be delivered because the fee of 2 euros was not paid. Please pay it within two days or the parcel goes back to the sender in another country.'

describe('nearDuplicateGroups', () => {
  it('takes texts for alike that differ in a few words and in their digits', () => {
    const first = parse(`Subject: Parcel 1\n\n${TEXT}`)
    const second = parse(`Subject: Parcel 2\n\n${TEXT.replace('two days', 'three days')}`)
    const third = parse(
      'Subject: Lunch\n\nShall we meet in the park by the lake tomorrow at noon, or do you have another place in mind for our lunch?',
    )
    const [a, b, c] = nearDuplicateGroups([first, second, third])
    assert.equal(a, b)
    assert.notEqual(a, c)
  })

  it('leaves short texts alone', () => {
    const [a, b] = nearDuplicateGroups([parse('Subject: Hi\n\nyes'), parse('Subject: Hi\n\nyes')])
    assert.notEqual(a, b)
  })
})

describe('threadGroups', () => {
  it('joins what refers to the same message, directly or not', () => {
    const [a, b, c, d] = threadGroups([
      parse('Message-ID: <1@example.com>\n\nfirst'),
      parse('Message-ID: <2@example.com>\nIn-Reply-To: <1@example.com>\n\nsecond'),
      parse('Message-ID: <3@example.com>\nReferences: <0@example.com> <2@example.com>\n\nthird'),
      parse('Message-ID: <4@example.com>\n\nother'),
    ])
    assert.equal(a, b)
    assert.equal(b, c)
    assert.notEqual(a, d)
  })
})
