/** Routes for operators: whether the process lives, whether it accepts messages, and what it holds. */
import { type Static, Type } from 'typebox'
import { TamisError } from '../../../errors/errors.ts'
import { callerIfKnown, callerOf, isAdmin } from '../../access/caller.ts'
import type { Counts } from '../../users/counts.ts'
import type { Statistics } from '../../users/statistics.ts'
import type { Classifier } from '../classifier.ts'
import type { ProcessState } from '../process-state.ts'
import { ok, operation } from '../route.ts'
import { CLOSED, Closed, Component, Integer, Text } from '../schemas.ts'

const Health = Type.Object(
  { status: Type.Literal('ok') },
  { title: 'Health', description: 'It lives', ...CLOSED },
)

const SetAside = Type.Object(
  {
    features: Integer('Corrections that no model learns from'),
    embeddings: Integer('Memories that are compared by their words alone'),
  },
  {
    description:
      'Corrections made with another version of Tamis or another embedding model; for callers with the scope admin, null while the store is not available',
    ...CLOSED,
  },
)

const FeedState = Closed({
  feed: Type.String(),
  entries: Type.Integer(),
  ageSeconds: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Seconds since its source last delivered it or reported no change',
  }),
  lastFailure: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the last attempt to get it failed: see docs/feeds.md',
  }),
})

const ListState = Closed({
  list: Type.String(),
  resting: Type.Boolean({ description: 'It failed, and is not asked for some minutes' }),
  lastFailure: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the last message went without its answer: see docs/lists.md',
  }),
})

const Ready = Type.Object(
  {
    status: Type.Literal('ready'),
    setAside: Type.Optional(Type.Union([SetAside, Type.Null()])),
    feeds: Type.Optional(Type.Array(FeedState)),
    lists: Type.Optional(Type.Array(ListState, { description: 'Absent without DNS lists' })),
  },
  { title: 'Ready', description: 'It takes messages', ...CLOSED },
)

const StatsResult = Component('Stats', {
  users: Integer('Users who have corrected anything'),
  rules: Integer(
    'Rules of users, about spam and about classes, whether a user made them or a correction did; site rules are not counted',
  ),
  corrections: Type.Object({
    spam: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Null where the licence has no spam detection',
    }),
    tabs: Type.Integer(),
  }),
  setAside: SetAside,
  models: Text('Version of the shipped models'),
  embeddingModel: Type.String(),
  queueDepth: Integer('Requests that wait to be judged'),
  feeds: Type.Array(FeedState),
})

const EXAMPLE_SET_ASIDE = { features: 0, embeddings: 0 }

const EXAMPLE_FEEDS = [{ feed: 'phishtank', entries: 61_024, ageSeconds: 1_804, lastFailure: null }]

export const HEALTH = [
  operation({
    method: 'GET',
    path: '/health',
    scope: 'none',
    rateLimited: false,
    operationId: 'health',
    tag: 'Operate',
    summary: 'The process lives',
    description: 'For a supervisor that restarts what does not answer. Needs no key.',
    answers: ok('It lives', Health, { status: 'ok' }),
    handler: () => Promise.resolve({ status: 'ok' }),
  }),
  operation({
    method: 'GET',
    path: '/ready',
    scope: 'none',
    operationId: 'ready',
    tag: 'Operate',
    summary: 'Models are loaded and messages are accepted',
    description:
      'For a load balancer. It needs no key; a key with the scope `admin` gets more details.',
    answers: ok('It takes messages', Ready, {
      status: 'ready',
      setAside: EXAMPLE_SET_ASIDE,
      feeds: EXAMPLE_FEEDS,
    }),
    errors: ['NOT_READY'],
    handler: async (request, { classifier, statistics }) => {
      if (!classifier.analyser.ready)
        throw new TamisError('NOT_READY', 'The service does not accept messages now')
      const caller = callerIfKnown(request)
      if (caller === undefined || !isAdmin(caller)) return { status: 'ready' }
      const setAside = await setAsideOf(statistics, caller.tenant)
      const { lists } = await classifier.state()
      return { status: 'ready', setAside, feeds: feedsOf(classifier), ...listsOf(lists) }
    },
  }),
  operation({
    method: 'GET',
    path: '/stats',
    scope: 'admin',
    operationId: 'stats',
    tag: 'Operate',
    summary: 'Counts of corrections and rules, and the models in use',
    description: 'Counts of the tenant, the models in use, the queue, the feeds.',
    answers: ok('The counts', StatsResult, {
      users: 41,
      rules: 118,
      corrections: { spam: 1_204, tabs: 377 },
      setAside: EXAMPLE_SET_ASIDE,
      models: '2026.11.2',
      embeddingModel: 'tamis-static-2026.11.2',
      queueDepth: 0,
      feeds: EXAMPLE_FEEDS,
    }),
    errors: ['STORE_UNAVAILABLE'],
    handler: async (request, { classifier, statistics }) => {
      const { tenant, entitlements } = callerOf(request)
      const counts = await statistics.countsOf(tenant)
      const { spam, tabs } = counts.corrections
      return {
        ...counts,
        corrections: { spam: entitlements.has('spam') ? spam : null, tabs },
        models: classifier.modelsVersion,
        embeddingModel: classifier.embedding.id,
        queueDepth: (await classifier.state()).queueDepth,
        feeds: feedsOf(classifier),
      }
    },
  }),
]

function feedsOf({ feeds }: Pick<Classifier, 'feeds'>): Static<typeof FeedState>[] {
  return feeds.status().map(({ feed, entries, ageMs, lastFailure }) => ({
    feed,
    entries,
    ageSeconds: ageMs === undefined ? null : Math.round(ageMs / 1_000),
    lastFailure: lastFailure?.reason ?? null,
  }))
}

/** DNS lists, if there are any. */
function listsOf(states: ProcessState['lists']): { lists?: Static<typeof ListState>[] } {
  if (states === undefined) return {}
  return {
    lists: states.map(({ lastFailure, ...state }) => ({
      ...state,
      lastFailure: lastFailure ?? null,
    })),
  }
}

/** Null while the store is not available: the service accepts messages all the same. */
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
