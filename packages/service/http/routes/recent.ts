/** The route for the last half hour of mail, for the console. */
import { Type } from 'typebox'
import { callerOf } from '../../access/caller.ts'
import { RecentResult } from '../recent-results.ts'
import { type RecentStep, STEP_MS } from '../recent-work.ts'
import { ok, operation } from '../route.ts'
import { Closed, Time } from '../schemas.ts'

const RecentQuery = Closed({
  after: Type.Optional(
    Time('Only steps that began later than this: the `at` of the last complete step'),
  ),
})

const EXAMPLE: RecentResult = {
  stepSeconds: 5,
  steps: [
    {
      at: '2026-11-20T12:00:05.000Z',
      messages: 212,
      refused: 0,
      spam: 31,
      ham: 181,
      overridden: 14,
      escalated: 9,
      classes: { primary: 61, promotions: 40, updates: 83, transactions: 28 },
      latencyMs: { p50: 2.41, p95: 6.87, p99: 14.8 },
      queueDepth: 3,
      feeds: { phishtank: 1_804 },
    },
  ],
}

export const RECENT = [
  operation({
    method: 'GET',
    path: '/stats/recent',
    scope: 'admin',
    operationId: 'recentStats',
    tag: 'Operate',
    summary: 'The last half hour: messages, verdicts, latency, queue, feeds',
    description:
      'The mail in steps of five seconds, for live display. Use `/metrics` to keep the figures.',
    query: RecentQuery,
    example: { query: { after: '2026-11-20T12:00:00.000Z' } },
    answers: ok('The steps', RecentResult, EXAMPLE),
    handler: async (request, { classifier }) => {
      const after = Date.parse(request.query.after ?? '1970-01-01T00:00:00Z')
      const { entitlements } = callerOf(request)
      const steps = await classifier.metrics.recent.of(after)
      const shown = entitlements.has('spam') ? steps : steps.map(withoutSpam)
      return { stepSeconds: STEP_MS / 1_000, steps: shown }
    },
  }),
]

/** The step as a licence without spam detection shows it: no message is spam. */
function withoutSpam(step: RecentStep): RecentStep {
  return { ...step, spam: 0, ham: step.spam + step.ham, overridden: 0, escalated: 0 }
}
