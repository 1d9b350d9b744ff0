import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SharedBudget } from '../../admission/byte-budget.ts'

describe('SharedBudget', () => {
  it('gives one holder half of it, and no byte more', () => {
    const budget = new SharedBudget(100)
    assert.equal(budget.take('a', 50), true)
    assert.equal(budget.take('a', 1), false)
    assert.equal(budget.taken, 50)
  })

  it('leaves to the next sender as much as each of the others can hold', () => {
    const budget = new SharedBudget(120)
    for (const holder of ['a', 'b', 'c']) while (budget.take(holder, 1));
    assert.equal(budget.hasRoom('d', 7), true)
    assert.equal(budget.hasRoom('d', 8), false)
    assert.equal(budget.taken, 60 + 30 + 15)
  })

  it('takes nothing where there is no room', () => {
    const budget = new SharedBudget(100)
    assert.equal(budget.take('a', 51), false)
    assert.equal(budget.take('a', 50), true)
  })
})
