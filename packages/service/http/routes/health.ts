/** For whoever keeps the service running: does the process live, can it take messages, and what is in it? */
import type { FastifyInstance } from 'fastify'
import { TamisError } from '../../../mail/errors.ts'
import { callerIfKnown, callerOf, isAdmin } from '../../access/caller.ts'
import { terms } from '../../access/route-terms.ts'
import type { Counts, Statistics } from '../../users/statistics.ts'
import type { Classifier } from '../classification.ts'
import { checkBySchema } from '../json-body.ts'
import { type RecentStep, STEP_MS } from '../recent-work.ts'
import {
  ErrorResult,
  type FeedState,
  Health,
  Ready,
  RecentQuery,
  RecentResult,
  StatsResult,
} from '../schemas.ts'

export interface HealthDependencies {
  /** Its parts may be replaced while the service runs. */
  readonly classifier: Pick<Classifier, 'analyser' | 'feeds' | 'metrics' | 'modelsVersion'>
  readonly statistics: Statistics
  readonly embeddingModel: string
}

export function healthRoutes(app: FastifyInstance, dependencies: HealthDependencies): void {
  const { classifier, statistics, embeddingModel } = dependencies
  app.get('/health', {
    config: terms({ scope: 'none', rateLimited: false }),
    schema: { summary: 'The process lives', response: { 200: Health } },
    handler: () => Promise.resolve({ status: 'ok' }),
  })
  app.get('/ready', {
    config: terms({ scope: 'none' }),
    schema: {
      summary: 'Models are loaded and workers are up',
      response: { 200: Ready, '4xx': ErrorResult, '5xx': ErrorResult },
    },
    handler: async (request) => {
      if (!classifier.analyser.ready)
        throw new TamisError('NOT_READY', 'The service takes no messages now')
      const caller = callerIfKnown(request)
      if (caller === undefined || !isAdmin(caller)) return { status: 'ready' }
      const setAside = await setAsideOf(statistics, caller.tenant)
      return { status: 'ready', setAside, feeds: feedsOf(classifier) }
    },
  })
  app.get('/stats', {
    config: terms({ scope: 'admin' }),
    schema: {
      summary: 'How much the users have taught, and what is at work',
      response: { 200: StatsResult, '4xx': ErrorResult, '5xx': ErrorResult },
    },
    handler: async (request) => {
      const { tenant, entitlements } = callerOf(request)
      const counts = await statistics.countsOf(tenant)
      const { spam, tabs } = counts.corrections
      return {
        ...counts,
        corrections: { spam: entitlements.has('spam') ? spam : null, tabs },
        models: classifier.modelsVersion,
        embeddingModel,
        queueDepth: classifier.analyser.queueDepth,
        feeds: feedsOf(classifier),
      }
    },
  })
  app.register(async (scope) => recentStats(scope, classifier))
}

function recentStats(
  app: FastifyInstance,
  { metrics }: Pick<HealthDependencies['classifier'], 'metrics'>,
): void {
  checkBySchema(app)
  app.get<{ Querystring: RecentQuery }>('/stats/recent', {
    config: terms({ scope: 'admin' }),
    schema: {
      summary: 'The last half hour: messages, verdicts, latency, queue, feeds',
      querystring: RecentQuery,
      response: { 200: RecentResult, '4xx': ErrorResult, '5xx': ErrorResult },
    },
    handler: async (request) => {
      const after = Date.parse(request.query.after ?? '1970-01-01T00:00:00Z')
      const { tenant, entitlements } = callerOf(request)
      const steps = metrics.recent.of(tenant, after)
      const shown = entitlements.has('spam') ? steps : steps.map(withoutSpam)
      return { stepSeconds: STEP_MS / 1_000, steps: shown }
    },
  })
}

/** As verdicts are under a licence without spam detection: no message is spam. */
function withoutSpam(step: RecentStep): RecentStep {
  return { ...step, spam: 0, ham: step.spam + step.ham, overridden: 0, escalated: 0 }
}

function feedsOf({ feeds }: Pick<Classifier, 'feeds'>): FeedState[] {
  return feeds.status().map(({ feed, entries, ageMs, lastFailure }) => ({
    feed,
    entries,
    ageSeconds: ageMs === undefined ? null : Math.round(ageMs / 1_000),
    lastFailure: lastFailure?.reason ?? null,
  }))
}

/** Null while the store is away: messages are taken all the same. */
async function setAsideOf(
  statistics: Statistics,
  tenant: string,
): Promise<Counts['setAside'] | null> {
  try {
    return (await statistics.countsOf(tenant)).setAside
  } catch (error) {
    if (error instanceof TamisError) return null
    throw error
  }
}
