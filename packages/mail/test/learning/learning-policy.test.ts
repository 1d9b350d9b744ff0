/** Which corrections are learned from, and as whose, with the shipped limits. Ann is known for a week. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { emptyModels } from '../../learning/empty-models.ts'
import type { LearnEvent } from '../../learning/learn-event.ts'
import {
  type LearningMode,
  LearningPolicy,
  type LearningRoute,
} from '../../learning/learning-policy.ts'
import { correction } from './corrections.ts'

const OPERATOR: LearningRoute = { by: 'operator' }
const USERS: LearningRoute = { by: 'users', agreeing: 5 }

const WEEK_BEFORE = correction({ id: 'first', at: '2026-05-25T12:00:00Z' })

function outcomes(
  mode: LearningMode,
  events: readonly LearnEvent[],
): (LearningRoute | undefined)[] {
  const learningPolicy = new LearningPolicy(emptyModels(), { mode })
  learningPolicy.take(WEEK_BEFORE)
  return events.map((event) => learningPolicy.take(event))
}

describe('LearningPolicy', () => {
  it("counts against a user's two a week what was learned, and nothing else", () => {
    const events = [
      correction({ id: '1', authenticated: false }),
      correction({ id: '2' }),
      correction({ id: '3' }),
      correction({ id: '4' }),
    ]
    const learned = [undefined, USERS, USERS, undefined]
    assert.deepEqual(outcomes('users', events), learned)
  })

  it("limits the operator's word in the mode users alone", () => {
    const events = ['1', '2', '3'].map((id) => correction({ id, authority: 'operator' }))
    assert.deepEqual(outcomes('operator', events), [OPERATOR, OPERATOR, OPERATOR])
    assert.deepEqual(outcomes('users', events), [USERS, USERS, undefined])
  })

  it('learns nothing from a user for whom it is off, whoever says it', () => {
    const events = [correction({ id: '1' }), correction({ id: '2', authority: 'operator' })]
    const routes = (isOff: (userId: string) => boolean) => {
      const learningPolicy = new LearningPolicy(emptyModels(), { mode: 'operator', isOff })
      learningPolicy.take(WEEK_BEFORE)
      return events.map((event) => learningPolicy.take(event))
    }
    assert.deepEqual(
      routes((userId) => userId === WEEK_BEFORE.userId),
      [undefined, undefined],
    )
    assert.deepEqual(
      routes((userId) => userId !== WEEK_BEFORE.userId),
      [USERS, OPERATOR],
    )
  })

  it('knows a user from a correction that could not be learned from', () => {
    const later = correction({ id: '1' })
    const learningPolicy = new LearningPolicy(emptyModels(), { mode: 'users' })
    assert.equal(learningPolicy.routeOf(later), undefined)
    learningPolicy.passOver(WEEK_BEFORE)
    assert.deepEqual(learningPolicy.routeOf(later), USERS)
  })
})
