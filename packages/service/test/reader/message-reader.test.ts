import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TextRead } from '../../../encoder/open-encoder.ts'
import { TamisError } from '../../../errors/errors.ts'
import type { ReaderModel } from '../../../mail/models/reader.ts'
import { MessageReader } from '../../reader/message-reader.ts'

/** Its logit is the one number of a text. */
const MODEL: ReaderModel = {
  version: '1',
  encoder: 'e1',
  means: ['mean3'],
  piecesMax: 64,
  spam: { weights: Float32Array.of(1), bias: 0 },
  classes: [0, 1, 2, 3].map((bias) => ({ weights: Float32Array.of(-1), bias })),
  classFusion: { tabs: 1, reader: 1 },
  fusion: { models: 1, reader: 0.5, bias: 0 },
  band: { below: 1, above: 1 },
  thresholds: { cautious: 0.9, balanced: 0.8, strict: 0.7 },
  escalation: { logitMargin: 1, disagreement: 1 },
}

/** A reader for which a text means what `meaning` says. */
function readerOf(meaning: (text: string) => number | 'late' | Error) {
  const asked: [most: number, deadlineMs: number][] = []
  const read = async (text: string, most: number, deadlineMs: number) => {
    asked.push([most, deadlineMs])
    const found = meaning(text)
    if (found instanceof Error) throw found
    if (found === 'late') return found
    const answer: TextRead = { means: { mean3: Float32Array.of(found) }, pieces: text.length }
    return answer
  }
  return { reader: new MessageReader(MODEL, { read, isWorking: true }), asked }
}

/** A letter that is a word for spam counts one. */
const count = (text: string) => text.split('!').length - 1

describe('the reader of messages', () => {
  it("gives the model's log-odds of spam and classes, and how many pieces it has read", async () => {
    const { reader, asked } = readerOf(count)
    assert.deepEqual(await reader.read('Pay now!!'), {
      answer: 2,
      classes: [-2, -1, 0, 1],
      pieces: 9,
    })
    assert.deepEqual(asked, [[64, 250]])
  })

  it('says that it is late', async () => {
    const { reader } = readerOf(() => 'late')
    assert.deepEqual(await reader.read('Pay now!'), { answer: 'late', pieces: 0 })
  })

  it('says that it failed, and why', async () => {
    const failure = new Error('The thread of the encoder ended')
    const { reader } = readerOf(() => failure)
    assert.deepEqual(await reader.read('Pay now!'), { answer: 'failed', pieces: 0, failure })
  })

  it('gives up where nobody waits for it', async () => {
    const gone = new TamisError('REQUEST_ABANDONED', 'The client closed the connection')
    const { reader } = readerOf(() => gone)
    await assert.rejects(reader.read('Pay now!'), gone)
    await assert.rejects(reader.sentences('Pay now!', 1), gone)
  })

  it('gives what each sentence adds to the log-odds of the verdict, the strongest first', async () => {
    const { reader } = readerOf(count)
    const text = 'Hello.\nPay now!!!\nSoon!\n'
    assert.deepEqual(await reader.sentences(text, count(text)), [
      { text: 'Pay now!!!', logit: 1.5 },
      { text: 'Soon!', logit: 0.5 },
      { text: 'Hello.', logit: 0 },
    ])
  })

  it('gives no sentences where one reading of them is late, or fails', async () => {
    for (const answer of ['late', new Error('The thread of the encoder ended')] as const) {
      const { reader } = readerOf((text) => (text.startsWith('Hello') ? answer : 1))
      assert.equal(await reader.sentences('Hello.\nPay now!\n', 1), undefined)
    }
  })

  it('has three seconds for all sentences together', async (t) => {
    let now = 0
    t.mock.method(performance, 'now', () => now)
    const { reader, asked } = readerOf(() => {
      now += 1_000
      return 0
    })
    await reader.sentences('One. Two. Three.', 0)
    assert.deepEqual(
      asked.map(([, deadlineMs]) => deadlineMs),
      [3_000, 2_000, 1_000],
    )
  })
})
