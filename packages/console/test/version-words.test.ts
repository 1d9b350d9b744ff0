/** What the page Models says of the versions. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  canRollBack,
  checksInWords,
  outcomeInWords,
  stateInWords,
  type Version,
} from '../models/version-words.ts'

function version(number: number, state: Version['state'], metrics: Version['metrics'] = {}) {
  return {
    version: number,
    state,
    base: '2026.11.4',
    createdAt: '2026-11-20T12:00:00.000Z',
    metrics,
  }
}

/** The states of versions, newest first, in words. */
function states(...of: readonly Version['state'][]): string[] {
  const versions = of.map((state, i) => version(of.length - i, state))
  return versions.map((each) => stateInWords(each, versions).text)
}

describe('stateInWords', () => {
  it('says that learning goes on from a version in use', () => {
    assert.deepEqual(states('promoted', 'retired'), [
      'in use; learning continues from it',
      'was in use until a later one replaced it',
    ])
  })

  it('says after a rollback that nothing newer is used', () => {
    assert.deepEqual(states('rejected', 'promoted'), [
      'not used',
      'in use; nothing newer is used until you promote it',
    ])
  })
})

describe('checksInWords', () => {
  it('counts what passed and what was refused', () => {
    assert.equal(
      checksInWords(version(1, 'promoted', { corrections: 9, promotions: 1, refused: 2 })),
      'passed 1 time, refused 2',
    )
    assert.equal(checksInWords(version(1, 'promoted')), undefined)
    assert.equal(
      checksInWords(version(1, 'promoted', { corrections: 4, promotions: 0, refused: 0 })),
      'none yet',
    )
  })
})

describe('canRollBack', () => {
  it('goes back from a version in use', () => {
    assert.equal(canRollBack({ versions: [version(1, 'promoted')] }), true)
  })

  it('has nothing to go back from when the shipped models are used alone', () => {
    assert.equal(canRollBack({ versions: [] }), false)
    assert.equal(canRollBack({ versions: [version(1, 'rejected')] }), false)
  })
})

describe('outcomeInWords', () => {
  it('names what is in use after a rollback, and what becomes of corrections', () => {
    assert.equal(
      outcomeInWords('rollback', 3),
      'Rolled back. Version 3 is in use. Corrections still count for their users, but the shared models stay as they are until you promote.',
    )
    assert.match(outcomeInWords('rollback', null), /Only the shipped models are in use\./)
  })
})
