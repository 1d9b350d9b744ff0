/** What corrections are worth in a new mailbox: mail walked through one message after the other, and the report. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DIMENSIONS } from '../../../mail/embedding/embedding-model.ts'
import { packTerm } from '../../../mail/embedding/sparse-terms.ts'
import { META_FEATURE_NAMES } from '../../../mail/features/meta-features.ts'
import type { SparseVector } from '../../../mail/features/sparse-vector.ts'
import { TEXT_FEATURES_SIZE } from '../../../mail/features/text-features.ts'
import { emptyModels } from '../../../mail/learning/empty-models.ts'
import { PersonalTraining } from '../../../mail/learning/personal-training.ts'
import { encodeMemoryItem } from '../../../mail/personalization/memory-item.ts'
import { policyFor } from '../../../mail/verdict/policy.ts'
import {
  type MailboxMessage,
  type MailboxVerdict,
  walkMailbox,
} from '../../evaluation/mailbox/mailbox.ts'
import { renderMailboxReport } from '../../evaluation/mailbox/report.ts'

const NO_META: SparseVector = {
  size: META_FEATURE_NAMES.length,
  indices: new Uint32Array(),
  values: new Float32Array(),
}

/** Words by which two messages are alike; each has one more of its own, and a sender whom no rule knows again. */
const WORDS = 12

/** A message of the words from `word` on and one of its own. */
function message(i: number, spam: boolean, word: number): MailboxMessage {
  const dense = new Float32Array(DIMENSIONS)
  dense[i] = 1
  const words = [...Array.from({ length: WORDS }, (_, k) => word + k), 1_000 + i]
  const terms = Uint32Array.from(words, (each) =>
    packTerm(each, Math.sqrt(1 / words.length)),
  ).sort()
  return {
    spam,
    classes: undefined,
    text: {
      size: TEXT_FEATURES_SIZE,
      indices: Uint32Array.from(words),
      values: new Float32Array(words.length).fill(Math.sqrt(1 / words.length)),
    },
    meta: NO_META,
    patterns: { sender: `sender@${i}.example` },
    memory: encodeMemoryItem(dense, terms),
    isFramed: false,
  }
}

const models = emptyModels()
const policy = policyFor(models, { threshold: 0.6, spamPrior: 0.5, spamEntitled: true })

describe('a new mailbox', () => {
  const mail = Array.from({ length: 12 }, (_, i) =>
    message(i, i % 2 === 0, i % 2 === 0 ? 100 : 200),
  )

  it('is judged by the models, rules and memory, each error corrected', () => {
    const verdicts = walkMailbox(models, policy, mail, undefined)
    assert.deepEqual(
      verdicts.map(({ calledSpam }) => calledSpam),
      mail.map(() => false),
    )
    assert.equal(verdicts.at(-1)!.corrections, 6)
  })

  it('needs one correction where personal deltas know the word again', () => {
    const verdicts = walkMailbox(models, policy, mail, new PersonalTraining(models, []))
    assert.deepEqual(
      verdicts.map(({ spam, calledSpam }) => spam === calledSpam),
      mail.map((_, i) => i > 0),
    )
    assert.equal(verdicts.at(-1)!.corrections, 1)
  })
})

describe('a new mailbox whose user confirms verdicts', () => {
  const ham = Array.from({ length: 6 }, (_, i) => message(i, false, 200))
  const mail = [...ham, message(6, true, 200), message(7, true, 200)]
  const walk = (confirmEvery?: number) =>
    walkMailbox(models, policy, mail, new PersonalTraining(models, []), confirmEvery)

  it('learns from these too: one error of a word says less after six confirmed ham with it', () => {
    assert.equal(walk().at(-1)!.calledSpam, true)
    assert.equal(walk(1).at(-1)!.calledSpam, false)
  })

  it('counts them as no errors', () => {
    assert.deepEqual(
      walk(1).map(({ corrections }) => corrections),
      [0, 0, 0, 0, 0, 0, 0, 1],
    )
  })
})

describe('the report of new mailboxes', () => {
  it('says for each filter how many of a hundred are wrong, by corrections made before', () => {
    const verdicts = (wrong: number, corrections: number): MailboxVerdict[] =>
      Array.from({ length: 100 }, (_, i) => ({
        spam: true,
        calledSpam: i >= wrong,
        classRight: undefined,
        corrections,
      }))
    const runs = [
      { name: 'Tamis', orders: [[...verdicts(20, 0), ...verdicts(10, 30)]] },
      { name: 'another, told of all mail', orders: [verdicts(40, 0)] },
    ]
    const report = renderMailboxReport([{ mailbox: 'household_2025', runs }], 'npm run x')
    assert.match(report, /^\| Tamis \| 20\.0 \| 10\.0 \| – \| – \| – \| 15\.0 \|$/m)
    assert.match(report, /^\| another, told of all mail \| 40\.0 \| – \| – \| – \| – \| 40\.0 \|$/m)
  })
})
