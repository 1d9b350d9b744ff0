/** What scripts/mutants.ts breaks, in a file of a few lines. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mutantsOf } from '../scripts/mutants/mutate.ts'

function brokenLines(source: string): string[] {
  return mutantsOf(source).map(({ line, is }) => `${line}: ${is}`)
}

describe('mutantsOf', () => {
  it('turns a comparison round, and leaves a guard out', () => {
    assert.deepEqual(brokenLines('function f(a) {\n  if (a === 1) return\n}\n'), [
      '2: if (a !== 1) return',
      '2: if (false) return',
      '2: if (a === 2) return',
    ])
  })

  it('raises a limit by one', () => {
    assert.deepEqual(brokenLines('const LIMITS = {\n  userWeekMax: 2,\n}\nconst MAX = 20_000\n'), [
      '2: userWeekMax: 3,',
      '4: const MAX = 20001',
    ])
  })

  it('leaves out a call that is made for its effect', () => {
    assert.deepEqual(brokenLines('  this.#keys.clear()\n'), ['1: '])
  })

  it('keeps its hands off comments, strings and types', () => {
    const source = `/** a === b */\n// c && d\nlog('e < f')\ntype A = B extends C ? 1 : 2\n`
    assert.deepEqual(brokenLines(source), [])
  })

  it('gives the whole file with one wrong in it', () => {
    const [mutant] = mutantsOf('const a = 1\nconst b = c && d\n')
    assert.equal(mutant!.source, 'const a = 2\nconst b = c && d\n')
    assert.equal(mutant!.was, 'const a = 1')
  })
})
