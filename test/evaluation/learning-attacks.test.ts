/**
 * The attacks in little: messages of twelve words, half of them of their own label's thousand words,
 * and a community of forty-two users. reports/learning has the figures for real mail.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ATTACKS, type Attack, focusedOn } from '../../src/evaluation/learning/attacks.ts'
import { type Damage, type Mail, simulate } from '../../src/evaluation/learning/simulate.ts'
import { emptyModels } from '../../src/learning/empty-models.ts'
import { randomSource } from '../../src/training/random.ts'
import { NO_META, words } from '../learning/corrections.ts'

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

const mail: Mail = { corrected: letters(400, 1), leftOut: letters(400, 2) }

function damage(mode: 'operator' | 'users', attack: Attack, liars: number, perDay: number): Damage {
  return simulate({
    base: emptyModels(),
    mail,
    learning: { mode },
    users: 42,
    corrections: 30,
    days: 42,
    ...(liars === 0 ? {} : { liars: { attack, users: liars, perDay } }),
    seed: 1,
    watched: ({ domain, spam }) => domain === TARGET && !spam,
  })
}

const turned = ATTACKS['every label turned round']
const honest = damage('users', turned, 0, 0)

describe('learning from a crowd', () => {
  it('tells spam from ham when nobody lies', () => {
    assert.ok(honest.oneMinusAuc < 0.01, `1-AUC ${honest.oneMinusAuc}`)
  })

  it('counts two a week of a thousand wrong corrections by one user, which without limits turn it round', () => {
    const flooded = damage('users', turned, 1, 24)
    assert.ok(flooded.taught <= honest.taught + 2 * 7)
    assert.ok(flooded.oneMinusAuc < 0.02, `1-AUC ${flooded.oneMinusAuc}`)
    assert.ok(damage('operator', turned, 1, 24).oneMinusAuc > 0.3)
  })

  it('withstands two users in forty-two who turn every label round', () => {
    const attacked = damage('users', turned, 2, 1)
    assert.ok(attacked.oneMinusAuc < 0.02, `1-AUC ${attacked.oneMinusAuc}`)
  })

  it('withstands a dictionary of ham called spam, and recovers from what it had learned of it', () => {
    const attacked = damage('users', ATTACKS.dictionary, 1, 1)
    assert.ok(attacked.oneMinusAuc < 0.02 && attacked.hamLost < 0.05, `${attacked.hamLost} lost`)
  })

  it('withstands two users who call one sender spam', () => {
    const attacked = damage('users', focusedOn(TARGET), 2, 1)
    assert.ok(attacked.watchedLost < 0.15, `${attacked.watchedLost} lost`)
  })
})
