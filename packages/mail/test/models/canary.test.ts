/** The canary set: as it ships, as it is refused, and how it is judged. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { SHIPPED_ARTIFACTS } from '../../../artifact-files/artifact-files.ts'
import { readCorpora } from '../../../lab/corpora/read.ts'
import { CANARY_FOLDER, canaryIds } from '../../../lab/corpora/written.ts'
import { FEATURE_VERSION } from '../../features/version.ts'
import { emptyModels } from '../../learning/empty-models.ts'
import { type Canary, canaryFrom, classErrors, spamErrors } from '../../models/canary.ts'
import { META_7, NO_META, words } from '../learning/corrections.ts'

const file = JSON.parse(readFileSync(join(SHIPPED_ARTIFACTS, 'canary/canary.json'), 'utf8'))

describe('the canary set that ships', () => {
  it('is packages/lab/data/canary', () => {
    const ids = file.messages.map(({ id }: { id: string }) => id)
    assert.deepEqual(new Set(ids), canaryIds())
    assert.equal(canaryFrom(file, emptyModels()).length, 320)
  })

  it('has spam and ham of every class, half of it not in English', () => {
    const canary = canaryFrom(file, emptyModels())
    for (const messageClass of ['primary', 'promotions', 'updates', 'transactions']) {
      const ofClass = canary.filter((message) => message.messageClass === messageClass)
      const spam = ofClass.filter((message) => message.spam).length
      assert.deepEqual([ofClass.length - spam, spam], [50, 30], messageClass)
    }
    const languages = file.messages.map(({ language }: { language: string }) => language)
    assert.equal(languages.filter((language: string) => language === 'en').length, 160)
    assert.equal(new Set(languages).size, 25)
  })

  it('is left out of training, wherever the corpora have it', () => {
    const corpora = temporaryFolder()
    mkdirSync(join(corpora, 'written'))
    const [line, ...lines] = readFileSync(join(CANARY_FOLDER, 'canary.jsonl'), 'utf8').split('\n')
    const another = JSON.stringify({ ...JSON.parse(line!), id: 'another' })
    writeFileSync(join(corpora, 'written/all.jsonl'), [another, line, ...lines].join('\n'))
    assert.deepEqual(
      readCorpora(corpora, 'train').map(({ id }) => id),
      ['another#0', 'another#1', 'another#2'],
    )
  })
})

describe('canaryFrom', () => {
  const [first] = file.messages
  const refused: [name: string, file: unknown, message: RegExp][] = [
    ['what is no canary set', { featureVersion: FEATURE_VERSION }, /is malformed/],
    ['other features', { ...file, featureVersion: 't1-1-m0' }, /has features t1-1-m0, not t\d+-/],
    [
      'damaged features',
      { ...file, messages: [{ ...first, features: 'AAAA' }] },
      /has damaged features for/,
    ],
  ]
  for (const [name, content, message] of refused) {
    it(`refuses ${name}`, () => {
      assert.throws(() => canaryFrom(content, emptyModels()), {
        code: 'ARTIFACT_MISMATCH',
        message,
      })
    })
  }
})

describe('errors on a canary set', () => {
  const message = (word: number, spam: boolean, messageClass: Canary[number]['messageClass']) => ({
    text: words(word),
    meta: NO_META,
    spam,
    messageClass,
  })
  const canary: Canary = [
    message(1, false, 'primary'),
    message(2, false, 'updates'),
    message(1, true, 'primary'),
    message(2, true, 'primary'),
    message(3, true, 'updates'),
  ]

  it('are ham lost and spam missed at the threshold, each of how many', () => {
    const deltas = new Float32Array(words(1).size + 1)
    deltas[1] = 1
    const { text, ...models } = emptyModels()
    assert.deepEqual(spamErrors({ ...models, text: { ...text, deltas } }, canary), [
      { wrong: 1, of: 2 },
      { wrong: 2, of: 3 },
    ])
  })

  it('are messages of which another class is likelier', () => {
    const { tabs, ...models } = emptyModels()
    const learned = { ...tabs, bias: [1, 0, 0, 0] }
    assert.deepEqual(classErrors({ ...models, tabs: learned }, canary), [{ wrong: 2, of: 5 }])
  })

  it('are none where classes are as likely as each other, and go by words and by how a message is made', () => {
    const { tabs, ...models } = emptyModels()
    const integers = new Int16Array(tabs.weights.integers.length)
    // A row of four for each feature: word 1 is of primary, meta feature 7, behind the words, of updates.
    integers[4 * 1] = 1
    integers[4 * (words(1).size + 7) + 2] = 2
    const learned = { ...models, tabs: { ...tabs, weights: { integers, scale: 1 } } }
    const of = (features: Pick<Canary[number], 'text' | 'meta'>, right: string, wrong: string) =>
      [right, wrong].map(
        (messageClass) =>
          classErrors(learned, [
            {
              ...features,
              spam: false,
              messageClass: messageClass as Canary[number]['messageClass'],
            },
          ])[0]!.wrong,
      )
    assert.deepEqual(of({ text: words(1), meta: NO_META }, 'primary', 'updates'), [0, 1])
    assert.deepEqual(of({ text: words(1), meta: META_7 }, 'updates', 'primary'), [0, 1])
    const undecided = of({ text: words(2), meta: NO_META }, 'transactions', 'promotions')
    assert.deepEqual(undecided, [0, 0])
  })
})
