/**
 * The attacks in little: messages of twelve words, half of them of their own label's two hundred, a
 * shipped model that knows a quarter of these, and a community of forty-two users. packages/lab/reports/learning
 * has the figures for real mail.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { emptyModels, type Models } from '../../../mail/models/models.ts'
import { NO_META, words } from '../../../mail/test/learning/corrections.ts'
import { ATTACKS, type Attack, focusedOn } from '../../evaluation/learning/attacks.ts'
import { type Damage, judge, type Mail, simulate } from '../../evaluation/learning/simulate.ts'
import { randomSource } from '../../training/random.ts'

const TARGET = 'd7.example'

function letters(count: number, seed: number): Mail['leftOut'] {
  const random = randomSource(seed)
  return Array.from({ length: count }, (_, i) => {
    const spam = random() < 0.5
    const domain = `d${i % 10}.example`
    const own = Array.from({ length: 6 }, () => (spam ? 1_000 : 2_000) + Math.floor(random() * 200))
    const shared = Array.from({ length: 6 }, () => 3_000 + Math.floor(random() * 1_000))
    const text = words(...new Set([...own, ...shared, 5_000 + (i % 10)]))
    return { id: `letter ${seed} ${i}`, domain, spam, text, meta: NO_META }
  })
}

/** Knows the first fifty words of each label. */
function shippedModels(): Models {
  const models = emptyModels()
  const integers = new Int16Array(models.text.weights.integers.length)
  integers.fill(1, 1_000, 1_050).fill(-1, 2_000, 2_050)
  return { ...models, text: { ...models.text, weights: { integers, scale: 2 } } }
}

const base = shippedModels()

const mail: Mail = { corrected: letters(400, 1), leftOut: letters(400, 2) }

function damage(attack: Attack, malicious: number, perDay: number, users = 42): Damage {
  return simulate({
    base,
    mail,
    canary: [],
    users,
    corrections: 30,
    days: 42,
    ...(malicious === 0 ? {} : { malicious: { attack, users: malicious, perDay } }),
    seed: 1,
    watched: ({ domain, spam }) => domain === TARGET && !spam,
  })
}

const turned = ATTACKS['every label turned round']
const shipped = judge(base, mail.leftOut)
const honest = damage(turned, 0, 0)

describe('learning from a crowd', () => {
  it('tells more spam from ham than the shipped model when nobody is malicious', () => {
    assert.ok(shipped.spamCaught < 0.9 && shipped.oneMinusAuc > 0.01)
    assert.ok(honest.spamCaught > 0.99 && honest.oneMinusAuc < 0.001, `${honest.spamCaught}`)
    // Two of 189, about which the shipped model says nothing: no message is moved far from there.
    assert.ok(honest.hamLost < 0.011, `${honest.hamLost}`)
  })

  it('moves no weight for four users who poison as often as they like, and none far for all forty-two', () => {
    const { shift, refused } = damage(turned, 4, 24, 4)
    assert.deepEqual({ shift, refused }, { shift: 0, refused: 0 })
    const all = damage(turned, 42, 1)
    assert.ok(all.shift > 0 && all.shift < 0.5 + 1e-9, `${all.shift}`)
  })

  it('withstands a dictionary of ham called spam, and two users who call one sender spam', () => {
    assert.ok(damage(ATTACKS.dictionary, 1, 1).oneMinusAuc < 0.001)
    // A quarter of all users: without a bound for a message they had 57 % of the ham lost.
    const many = damage(ATTACKS.dictionary, 10, 1)
    assert.ok(many.oneMinusAuc < 0.01 && many.hamLost < 0.1, `${many.hamLost} lost`)
    assert.equal(damage(focusedOn(TARGET), 2, 1).watchedLost, 0)
  })
})
