/** Each limit on its own, the others out of reach. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LearnEvent } from '../../learning/learn-event.ts'
import { LearningLimits, LIMITS, type LimitSettings } from '../../learning/learning-limits.ts'
import { correction } from './corrections.ts'

const NO_LIMITS: LimitSettings = {
  ...{ newcomerMs: 24 * 60 * 60 * 1000, agreeingOf: () => 3 },
  ...{ userWeekMax: 1_000, domainDayMax: 1_000, dayMax: 1_000 },
}

/** A correction by `user` at that time in June 2026, of a message of its own. */
function said(
  user: string,
  at = '01T12:00:00',
  more: Partial<Parameters<typeof correction>[0]> = {},
) {
  return correction({ id: `${user} ${at} ${nextId++}`, user, at: `2026-06-${at}Z`, ...more })
}
let nextId = 0

const forged = (user: string, more = {}) => said(user, undefined, { authenticated: false, ...more })

/** Which of `events` count, `+` or `-`, one after the other; of users who were all heard of a week before, but where `isFirst`. */
function counted(
  settings: Partial<LimitSettings>,
  events: readonly LearnEvent[],
  isFirst = false,
): string {
  const limits = new LearningLimits({ ...NO_LIMITS, ...settings })
  if (!isFirst) {
    for (const { userId } of events)
      limits.take(
        correction({
          id: `first of ${userId}`,
          user: userId,
          domain: userId,
          at: '2026-05-25T12:00:00Z',
        }),
      )
  }
  return events.map((event) => (limits.take(event) === undefined ? '-' : '+')).join('')
}

const [MONDAY, TUESDAY, NEXT_DAY] = ['01T12:00:00', '02T12:00:00', '02T00:00:00'] as const
const two = { domain: 'two.example' }
const onDays = (...users: readonly (readonly [string, object?])[]) =>
  [MONDAY, NEXT_DAY].flatMap((at) => users.map(([user, more]) => said(user, at, more)))

describe('what counts', () => {
  const known = ['ann', 'bob', 'cid']
  const sameMessage = (user: string, at?: string) =>
    said(user, at, { message: 'm', authenticated: false })
  const ofMessage = (user: string, label = 'spam') =>
    forged(user, { label, message: 'm', domain: `${user}.example` })
  // biome-ignore format: a row each
  const cases: [what: string, settings: Partial<LimitSettings>, events: LearnEvent[], counts: string, isFirst?: true][] = [
    ['is a user from more than a day after the first correction', {}, [said('ann', MONDAY), said('ann', '01T12:00:01'), said('ann', TUESDAY), said('ann', '02T12:00:01'), said('bob', '02T12:00:01')], '---+-', true],
    ['is nothing that newcomers agree about', {}, [...known.map((user) => sameMessage(user)), ...['eve', 'fay', 'gus', ...known].map((user) => sameMessage(user, '03T12:00:00'))], '--------+', true],
    // Weeks begin on Thursdays, as the first of 1970 did.
    ['is so much of a user a week, and again the next week', { userWeekMax: 2 }, [said('ann'), said('ann'), said('ann'), said('bob'), said('ann', '03T23:59:59'), said('ann', '04T00:00:00'), said('ann', '04T00:00:00'), said('ann', '10T23:59:59'), said('ann', '11T00:00:00')], '++-+-++-+'],
    ["is no more of a user's week on the next day", { userWeekMax: 1 }, [said('ann'), said('bob', TUESDAY), said('ann', TUESDAY)], '++-'],
    ['is so much about a domain, by all users together', { domainDayMax: 2 }, [said('ann'), said('bob'), said('cid'), said('cid', MONDAY, two)], '++-+'],
    ['is as much about a domain again the next day', { domainDayMax: 1 }, onDays(['ann', two], ['ann'], ['ann']), '++-++-'],
    ['is so much a day in all, and again the next day', { dayMax: 2 }, onDays(['a', { domain: 'a' }], ['b', { domain: 'b' }], ['c', { domain: 'c' }]), '++-++-'],
    ['takes nothing off a limit by what does not', { dayMax: 1 }, [forged('bob'), said('ann'), said('ann')], '-+-'],
    ['is mail that was not authenticated from the third user on who says the same', {}, ['ann', 'bob', 'cid', 'dan'].map((user) => ofMessage(user)), '--++'],
    ['is none of it where one says otherwise', {}, [ofMessage('ann'), ofMessage('bob', 'ham'), ofMessage('cid')], '---'],
    ['is such mail too where three say the same of other mail of its domain', {}, known.map((user) => forged(user)), '--+'],
    ['is none of it where one user says it three times', {}, [forged('ann'), forged('ann'), forged('ann')], '---'],
    ['is such mail from the fifth user on by the limits in use', LIMITS, ['ann', 'bob', 'cid', 'dan', 'eve', 'fay'].map((user) => forged(user)), '----++'],
  ]
  for (const [what, settings, events, counts, isFirst] of cases) {
    it(what, () => assert.equal(counted(settings, events, isFirst), counts))
  }

  it('takes more users where more are active, of whom those of two months ago are none', () => {
    let active = 0
    const limits = new LearningLimits({ ...NO_LIMITS, agreeingOf: (users) => (active = users) })
    const hello = (user: string, at: string) => {
      limits.take(correction({ id: `${user} ${at}`, user, at: `2026-${at}Z` }), false)
      // A newcomer, who is not active, finds how many are.
      limits.take(
        correction({ id: `after ${user} ${at}`, user: `after ${user} ${at}`, at: `2026-${at}Z` }),
      )
      return active
    }
    // biome-ignore format: a row each
    for (const [user, at, expected] of [
      ['ann', '06-01T12:00:00', 0], ['bob', '06-01T12:00:00', 0], ['cid', '06-01T12:00:00', 0],
      ['ann', '06-10T12:00:00', 1], ['ann', '06-11T12:00:00', 1], ['bob', '06-12T12:00:00', 2], ['cid', '06-13T12:00:00', 3],
      // Sixty days after the last word of Ann, and a second later; whoever speaks again is the last to go.
      ['cid', '08-10T12:00:00', 3], ['cid', '08-10T12:00:01', 2], ['bob', '08-10T13:00:00', 2], ['ann', '10-09T12:30:00', 2],
    ] as const) {
      assert.equal(hello(user, at), expected, `${user} ${at}`)
    }
  })
})
