/** Routes for operators: whether the process lives, whether it accepts messages, what it holds and has counted, and the OpenAPI document. */
import { TamisError } from '../../../errors/errors.ts'
import { callerIfKnown, callerOf, isAdmin } from '../../access/caller.ts'
import { type Static, Type } from '../../json-schema.ts'
import type { Counts } from '../../users/user-list.ts'
import type { Classifier } from '../classifier.ts'
import { ok, operation, type Services } from '../route.ts'
import { byClass, CLOSED, Closed, Component, Integer, ListOf, OrNull, Text } from '../schemas.ts'

const Health = Component('Health', { status: Type.Literal('ok') })

const SetAside = Type.Object(
  {
    features: Integer('Corrections that no model learns from'),
    embeddings: Integer('Memories that are compared only by their words'),
  },
  {
    description:
      'Corrections made with another version of Tamis or another embedding model; null while the store is not available',
    ...CLOSED,
  },
)

const FeedState = Closed({
  feed: Type.String(),
  entries: Type.Integer(),
  ageSeconds: OrNull(
    Type.Integer(),
    'Seconds since its source last delivered it or reported no change',
  ),
  lastFailure: OrNull(Type.String(), 'Why the last attempt to get it failed: see docs/feeds.md'),
})

/** Of a DNS list, or of the virus scanner. */
const ASKED = {
  resting: Type.Boolean({ description: 'It failed, and Tamis does not ask it for a while' }),
  lastFailure: OrNull(
    Type.String(),
    'Why the last message was judged without its answer: see docs/lists.md, docs/scanner.md',
  ),
}

const Ready = Component('Ready', {
  status: Type.Literal('ready'),
  setAside: Type.Optional(Type.Union([SetAside, Type.Null()])),
  feeds: Type.Optional(Type.Array(FeedState)),
  lists: Type.Optional(
    Type.Array(Closed({ list: Type.String(), ...ASKED }), {
      description: 'Absent without DNS lists',
    }),
  ),
  scanner: Type.Optional(
    Type.Object(ASKED, { description: 'The virus scanner; absent without one', ...CLOSED }),
  ),
  senders: Type.Optional(
    Closed({
      dns: Type.Boolean({
        description:
          'Whether all serving threads check senders by DNS; with TAMIS_AUTH_DNS=auto false if no server answered at the start',
      }),
    }),
  ),
})

const StatsResult = Component('Stats', {
  users: Integer('Users who have corrected anything'),
  rules: Integer(
    'User rules about spam and about classes, made by hand or by a correction; those of the operator are not counted',
  ),
  corrections: Type.Object({
    spam: OrNull(Type.Integer(), 'Null if the licence does not include spam detection'),
    tabs: Type.Integer(),
  }),
  correspondents: Closed({
    written: Integer('Addresses that users have written to'),
    sent: Integer('Messages that users have sent, by their Message-IDs'),
    received: Integer('Senders whose mail users have long received'),
  }),
  setAside: SetAside,
  models: Text('Version of the shipped models'),
  embeddingModel: Type.String(),
  queueDepth: Integer('Requests waiting to be judged'),
  judged: Type.Object(
    {
      messages: Integer('Classifications, the diagnostic apart'),
      verdicts: Type.Union([Closed({ spam: Type.Integer(), ham: Type.Integer() }), Type.Null()], {
        description: 'Null if the licence does not include spam detection',
      }),
      classes: Closed(byClass(() => Type.Integer())),
      latency: ListOf(
        'Messages by time from the header of the request to the end of its answer, cumulative',
        {
          seconds: OrNull(Type.Number(), 'Upper bound; null is infinity'),
          messages: Type.Integer(),
        },
      ),
    },
    {
      description: 'Since the start of the service; differences of two answers give rates',
      ...CLOSED,
    },
  ),
  feeds: Type.Array(FeedState),
})

export const HEALTH = [
  operation({
    method: 'GET',
    path: '/health',
    scope: 'none',
    rateLimited: false,
    operationId: 'health',
    tag: 'Operate',
    summary: 'Whether the process is running',
    description: 'For whatever restarts a process that does not answer. Needs no key.',
    answers: ok('The process is running', Health),
    handler: () => Promise.resolve({ status: 'ok' }),
  }),
  operation({
    method: 'GET',
    path: '/ready',
    scope: 'none',
    operationId: 'ready',
    tag: 'Operate',
    summary: 'Whether the service accepts messages',
    description:
      'For a load balancer. It needs no key; a key with the scope `admin` gets more details. 503 while the service starts or ends, and once its SQLite file is found to be malformed: then messages are judged, but without the data that cannot be read, until a backup is restored.',
    answers: ok('The service accepts messages', Ready),
    handler: async (request, { classifier, counts }) => {
      if (classifier.notReady !== undefined) throw classifier.notReady
      const caller = callerIfKnown(request)
      if (caller === undefined || !isAdmin(caller)) return { status: 'ready' }
      const setAside = await setAsideOf(counts)
      const { lists, scanner, checksSenders } = await classifier.state()
      return {
        status: 'ready',
        setAside,
        feeds: feedsOf(classifier),
        ...(lists && { lists: lists.map(shown) }),
        ...(scanner && { scanner: shown(scanner) }),
        senders: { dns: checksSenders },
      }
    },
  }),
  operation({
    method: 'GET',
    path: '/stats',
    scope: 'admin',
    operationId: 'stats',
    tag: 'Operate',
    summary: 'Counts of judged mail, corrections, rules and correspondents, and the models in use',
    description: 'For live display, of all threads together. Use `/metrics` to keep the figures.',
    answers: ok('The counts', StatsResult),
    handler: async (request, { classifier, counts }) => {
      const hasSpam = callerOf(request).entitlements.has('spam')
      const [counted, judged] = await Promise.all([counts(), classifier.metrics.judged()])
      const { spam, tabs } = counted.corrections
      return {
        ...counted,
        corrections: { spam: hasSpam ? spam : null, tabs },
        models: classifier.modelsVersion,
        embeddingModel: classifier.embedder.id,
        queueDepth: classifier.analyser.queueDepth,
        judged: { ...judged, verdicts: hasSpam ? judged.verdicts : null },
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
    lastFailure: lastFailure ?? null,
  }))
}

function shown<Status extends { readonly lastFailure?: string | undefined }>(status: Status) {
  return { ...status, lastFailure: status.lastFailure ?? null }
}

/** Null while the store is not available: the service accepts messages all the same. */
async function setAsideOf(counts: Services['counts']): Promise<Counts['setAside'] | null> {
  try {
    return (await counts()).setAside
  } catch (error) {
    if (error instanceof TamisError) return null
    throw error
  }
}

export const METRICS = [
  operation({
    method: 'GET',
    path: '/metrics',
    scope: 'admin',
    operationId: 'metrics',
    tag: 'Operate',
    summary: 'Metrics for Prometheus',
    description: 'In the text format of Prometheus.',
    answers: {
      200: {
        description: 'The metrics',
        type: 'text/plain',
        schema: Type.String(),
      },
    },
    handler: async (_request, { classifier: { metrics } }, reply) => {
      const text = await metrics.text()
      return reply.type(metrics.contentType).serializer(String).send(text)
    },
  }),
]

export const OPENAPI = [
  operation({
    method: 'GET',
    path: '/openapi.json',
    scope: 'none',
    rateLimited: false,
    operationId: 'openApi',
    tag: 'Operate',
    summary: 'This document',
    description: 'For client generators. `/docs` shows it as a page.',
    answers: ok('The document', Type.Of({ type: 'object', additionalProperties: true })),
    handler: (_request, { openApiJson }, reply) =>
      reply.type('application/json; charset=utf-8').send(openApiJson()),
  }),
]
