/** Each limit on its own, the others out of reach. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LearnEvent } from '../../learning/learn-event.ts'
import { LearningLimits, LIMITS, type LimitSettings } from '../../learning/learning-limits.ts'
import { correction } from './corrections.ts'

const NO_LIMITS: LimitSettings = {
  newcomerMs: 24 * 60 * 60 * 1000,
  userWeekMax: 1_000,
  domainDayMax: 1_000,
  dayMax: 1_000,
  agreeingOf: () => 3,
}

/** Which of `events` count, one after the other, of users who were all heard of a week before. */
function counted(settings: Partial<LimitSettings>, events: readonly LearnEvent[]): boolean[] {
  const users = [...new Set(events.map(({ userId }) => userId))]
  const first = users.map((user) =>
    correction({ id: `first of ${user}`, user, domain: user, at: '2026-05-25T12:00:00Z' }),
  )
  return countedFromTheFirst(settings, [...first, ...events]).slice(first.length)
}

function countedFromTheFirst(
  settings: Partial<LimitSettings>,
  events: readonly LearnEvent[],
): boolean[] {
  const limits = new LearningLimits({ ...NO_LIMITS, ...settings })
  return events.map((event) => limits.take(event) !== undefined)
}

describe('LIMITS', () => {
  it('counts mail that was not authenticated from the fifth known user on', () => {
    const users = ['ann', 'bob', 'cid', 'dan', 'eve', 'fay']
    const events = users.map((user) => correction({ id: user, user, authenticated: false }))
    assert.deepEqual(counted(LIMITS, events), [false, false, false, false, true, true])
  })
})

describe('LearningLimits', () => {
  it('counts a user from more than a day after their first correction', () => {
    const events = [
      correction({ id: '1', at: '2026-06-01T12:00:00Z' }),
      correction({ id: '2', at: '2026-06-01T12:00:01Z' }),
      correction({ id: '3', at: '2026-06-02T12:00:00Z' }),
      correction({ id: '4', at: '2026-06-02T12:00:01Z' }),
      correction({ id: '5', user: 'bob', at: '2026-06-02T12:00:01Z' }),
    ]
    assert.deepEqual(countedFromTheFirst({}, events), [false, false, false, true, false])
  })

  it('does not let newcomers agree about mail that was not authenticated', () => {
    const said = (user: string, at: string) =>
      correction({ id: `${user} ${at}`, user, message: 'm', authenticated: false, at })
    const known = ['ann', 'bob', 'cid'].map((user) => said(user, '2026-06-01T12:00:00Z'))
    const later = ['eve', 'fay', 'gus', 'ann', 'bob', 'cid'].map((user) =>
      said(user, '2026-06-03T12:00:00Z'),
    )
    assert.deepEqual(countedFromTheFirst({}, [...known, ...later]), [
      ...[false, false, false],
      ...[false, false, false, false, false, true],
    ])
  })

  it('counts so many corrections of a user a week, and again the next week', () => {
    const events = [
      correction({ id: '1' }),
      correction({ id: '2' }),
      correction({ id: '3' }),
      correction({ id: '4', user: 'bob' }),
      // Weeks begin on Thursdays, as the first of 1970 did.
      correction({ id: '5', at: '2026-06-03T23:59:59Z' }),
      correction({ id: '6', at: '2026-06-04T00:00:00Z' }),
      correction({ id: '7', at: '2026-06-04T00:00:00Z' }),
      correction({ id: '8', at: '2026-06-10T23:59:59Z' }),
      correction({ id: '9', at: '2026-06-11T00:00:00Z' }),
    ]
    assert.deepEqual(counted({ userWeekMax: 2 }, events), [
      ...[true, true, false, true, false],
      ...[true, true, false, true],
    ])
  })

  it("does not begin a user's week again with the next day", () => {
    const events = [
      correction({ id: '1', at: '2026-06-01T12:00:00Z' }),
      correction({ id: '2', user: 'bob', at: '2026-06-02T12:00:00Z' }),
      correction({ id: '3', at: '2026-06-02T12:00:00Z' }),
    ]
    assert.deepEqual(counted({ userWeekMax: 1 }, events), [true, true, false])
  })

  it('counts so many corrections about a domain a day, by all users together', () => {
    const events = [
      correction({ id: '1', user: 'ann' }),
      correction({ id: '2', user: 'bob' }),
      correction({ id: '3', user: 'cid' }),
      correction({ id: '4', user: 'cid', domain: 'two.example' }),
    ]
    assert.deepEqual(counted({ domainDayMax: 2 }, events), [true, true, false, true])
  })

  it('counts so many about a domain again the next day', () => {
    const days = ['2026-06-01T12:00:00Z', '2026-06-02T00:00:00Z']
    const events = days.flatMap((at) => [
      correction({ id: `1 ${at}`, domain: 'two.example', at }),
      correction({ id: `2 ${at}`, at }),
      correction({ id: `3 ${at}`, at }),
    ])
    const eachDay = [true, true, false]
    assert.deepEqual(counted({ domainDayMax: 1 }, events), [...eachDay, ...eachDay])
  })

  it('counts so many corrections a day in all, and again the next day', () => {
    const days = ['2026-06-01T12:00:00Z', '2026-06-02T00:00:00Z']
    const events = days.flatMap((at) =>
      ['a', 'b', 'c'].map((user) => correction({ id: `${user} ${at}`, user, domain: user, at })),
    )
    const eachDay = [true, true, false]
    assert.deepEqual(counted({ dayMax: 2 }, events), [...eachDay, ...eachDay])
  })

  it('takes nothing off a limit for what does not count', () => {
    const events = [
      correction({ id: '1', user: 'bob', authenticated: false }),
      correction({ id: '2', user: 'ann' }),
      correction({ id: '3', user: 'ann' }),
    ]
    assert.deepEqual(counted({ dayMax: 1 }, events), [false, true, false])
  })

  it('counts mail that was not authenticated from the third user on who says the same of it', () => {
    const said = (user: string, label = 'spam') =>
      correction({
        id: user,
        user,
        label,
        message: 'm',
        domain: `${user}.example`,
        authenticated: false,
      })
    assert.deepEqual(counted({}, [said('ann'), said('bob'), said('cid'), said('dan')]), [
      false,
      false,
      true,
      true,
    ])
    assert.deepEqual(counted({}, [said('ann'), said('bob', 'ham'), said('cid')]), [
      false,
      false,
      false,
    ])
  })

  it('counts it too when three users say the same of other mail of its domain', () => {
    const said = (user: string) => correction({ id: user, user, authenticated: false })
    assert.deepEqual(counted({}, [said('ann'), said('bob'), said('cid')]), [false, false, true])
  })

  it('takes one user who says it three times for one', () => {
    const said = (id: string) => correction({ id, authenticated: false })
    assert.deepEqual(counted({}, [said('1'), said('2'), said('3')]), [false, false, false])
  })

  it('has more users agree where more are active, of whom those of two months ago are none', () => {
    let active = 0
    const agreeingOf = (users: number) => {
      active = users
      return users
    }
    const limits = new LearningLimits({ ...NO_LIMITS, agreeingOf })
    const hello = (user: string, at: string) => {
      limits.take(correction({ id: `${user} ${at}`, user, at }), false)
      // A newcomer, who is not active, finds how many are.
      limits.take(correction({ id: `after ${user} ${at}`, user: `after ${user} ${at}`, at }))
      return active
    }
    // Newcomers have no say yet.
    assert.deepEqual(
      ['ann', 'bob', 'cid'].map((user) => hello(user, '2026-06-01T12:00:00Z')),
      [0, 0, 0],
    )
    assert.deepEqual(
      ['ann', 'ann', 'bob', 'cid'].map((user, day) => hello(user, `2026-06-1${day}T12:00:00Z`)),
      [1, 1, 2, 3],
    )
    // Sixty days after the last word of Ann, and a second later.
    assert.equal(hello('cid', '2026-08-10T12:00:00Z'), 3)
    assert.equal(hello('cid', '2026-08-10T12:00:01Z'), 2)
    // Whoever speaks again is the last to go.
    assert.equal(hello('bob', '2026-08-10T13:00:00Z'), 2)
    assert.equal(hello('ann', '2026-10-09T12:30:00Z'), 2)
  })
})
