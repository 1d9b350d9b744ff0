/** The canary set: as it ships, as it is refused, and how it is judged. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { SHIPPED_ARTIFACTS } from '../../../artifact-files/artifact-files.ts'
import { readCorpora } from '../../../lab/corpora/read.ts'
import { CANARY_FOLDER } from '../../../lab/corpora/written.ts'
import { FEATURE_VERSION } from '../../features/version.ts'
import { type Canary, canaryFrom, classErrors, spamErrors } from '../../models/canary.ts'
import { emptyModels } from '../../models/models.ts'
import { NO_META, words } from '../learning/corrections.ts'

const file = JSON.parse(readFileSync(join(SHIPPED_ARTIFACTS, 'canary/canary.json'), 'utf8'))

describe('the canary set that ships', () => {
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
})
