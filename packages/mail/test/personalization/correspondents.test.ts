/** What it says for a message that its sender and the user know each other. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Correspondence } from '../../personalization/correspondence.ts'
import { correspondentOf, type Tie } from '../../personalization/correspondents.ts'

const LETTER: Correspondence = { sender: 'bob@example.net', isShared: false, repliesTo: [] }

/** Logit and whether it is held. */
function counted(
  ties: readonly Tie[],
  result: 'pass' | 'fail' | 'unknown',
  more: Partial<Correspondence> = {},
) {
  const found = correspondentOf(new Set(ties), { ...LETTER, ...more }, result)
  return found && [found.tie, found.logit, found.isHeld === true]
}

const program = { unsafe: 'ATTACHMENT_DOUBLE_EXTENSION' } as const

describe('a correspondent', () => {
  // biome-ignore format: a row each
  const cases: [what: string, ...of: Parameters<typeof counted>, ReturnType<typeof counted>][] = [
    ['who was written to counts in full with proof', ['written_to'], 'pass', {}, ['written_to', -3, false]],
    ['counts a third where nothing is known', ['written_to'], 'unknown', {}, ['written_to', -1, false]],
    ['counts for nothing where checks fail', ['written_to'], 'fail', {}, ['written_to', 0, false]],
    ['who answers counts as much', ['reply'], 'pass', {}, ['reply', -3, false]],
    ['who has long been received counts half', ['received'], 'pass', {}, ['received', -1.5, false]],
    ['and a third of that without proof', ['received'], 'unknown', {}, ['received', -0.5, false]],
    ['counts once, by the strongest tie', ['received', 'reply', 'written_to'], 'pass', {}, ['written_to', -3, false]],
    ['is nobody without a tie', [], 'pass', {}, undefined],
    ['counts for nothing with a program, which is held for a person', ['written_to'], 'pass', program, ['written_to', 0, true]],
    ['has no program held that did not prove to be it', ['written_to'], 'unknown', program, ['written_to', 0, false]],
    ['has no program held who was only received', ['received'], 'pass', program, ['received', 0, false]],
    ['counts for nothing with what hides its content', ['reply'], 'pass', { unsafe: 'ATTACHMENT_ENCRYPTED' }, ['reply', 0, false]],
    ['counts for nothing with macros', ['reply'], 'pass', { unsafe: 'ATTACHMENT_MACRO' }, ['reply', 0, false]],
    ['counts for nothing with what was not read', ['reply'], 'pass', { unsafe: 'UNREAD' }, ['reply', 0, false]],
    ['is nobody at an address from which many write', ['written_to', 'received'], 'pass', { isShared: true }, undefined],
    ['unless it replies', ['written_to', 'reply'], 'pass', { isShared: true }, ['reply', -3, false]],
  ]
  for (const [what, ties, result, more, expected] of cases) {
    it(what, () => assert.deepEqual(counted(ties, result, more), expected))
  }
})
