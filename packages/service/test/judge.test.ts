/**
 * The journey of a request: what is asked of whom, in which order, and what comes of it. Everything
 * around it answers what the test says; the analysis is a real one, by models that are undecided about
 * every message, so that all that is in a verdict can be worked out by hand.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type AnalyseOptions, analyse } from '../../mail/analyse.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import { parseMessage } from '../../mail/message/parse.ts'
import { emptyModels } from '../../mail/models/models.ts'
import { indexOperatorRules } from '../../mail/operator-rules/match.ts'
import { packMemory } from '../../mail/personalization/memory.ts'
import { DIMENSIONS, encodeMemoryItem } from '../../mail/personalization/memory-item.ts'
import { identityOf, memoryItemOf } from '../../mail/personalization/personal-analysis.ts'
import { type ExplicitRule, indexRules } from '../../mail/personalization/rule-index.ts'
import type { Facts } from '../../mail/signals/signal.ts'
import type { Policy } from '../../mail/verdict/policy.ts'
import type { Caller } from '../access/caller.ts'
import { incomingFrom } from '../cli/learn-tools.ts'
import { decisionOf, judge } from '../judge.ts'
import type { Judged, Request, Service } from '../request.ts'
import { UNKNOWN_AUTHENTICATION } from '../sender-authentication/sender-authentication.ts'
import { MessageKeys } from '../users/message-keys.ts'
import type { User } from '../users/users.ts'

const LETTER = new TextEncoder().encode(
  'From: shop@example.com\r\nMessage-ID: <1@example.com>\r\nSubject: Coats\r\n\r\nThe coats are here.\r\n',
)

const NOW = new Date('2026-11-20T12:00:00Z')

const KEYS = new MessageKeys(new Uint8Array(32))

const CALLER: Caller = {
  scopes: new Set(),
  entitlements: new Set(['spam', 'classification']),
}

const POLICY: Policy = {
  threshold: 0.9,
  priorLogit: 0,
  escalation: { logitMargin: 0, disagreement: 1 },
  spamEntitled: true,
}

const BLANK: User = {
  rules: indexRules([], []),
  spam: packMemory([]),
  tabs: packMemory([]),
  complaints: { any: new Set(), proved: new Set() },
  deltas: undefined,
  known: true,
}

/** Has blocked the shop by a rule. */
const ANN: User = { ...BLANK, rules: senderRule('spam') }

/** Has allowed it. */
const BOB: User = { ...BLANK, rules: senderRule('ham') }

/** Has called this very message spam, when there was no embedding of it. */
const CID: User = {
  ...BLANK,
  spam: packMemory([
    {
      feedbackId: 'c1',
      label: 'spam',
      messageKey: KEYS.keyOf('message', identityOf(parseMessage(memoryOctets(LETTER)))),
      embeddingModel: 'e0',
      memory: encodeMemoryItem(new Float32Array(DIMENSIONS), Uint32Array.of()),
      createdAt: NOW,
    },
  ]),
}

/** Has called another message of the sender spam, which said the same. */
const FAY: User = {
  ...BLANK,
  spam: packMemory([
    {
      feedbackId: 'f1',
      label: 'spam',
      senderKey: KEYS.keyOf('sender', 'shop@example.com'),
      ...memoryItemOf(
        analyse(memoryOctets(LETTER), { now: NOW }, emptyModels(), { personal: true }).personal,
        undefined,
      ),
      embeddingModel: 'e1',
      createdAt: NOW,
    },
  ]),
}

/** The verdict of models that are undecided, for a threshold of 0.9. */
const UNDECIDED = {
  isSpam: false,
  spamProbability: 0.5,
  classification: 'primary',
  textSpamScore: 0.5,
  metaSpamScore: 0.5,
  confidenceMargin: 0.4,
  entropy: 1,
  disagreement: 0,
  shouldEscalate: false,
  bypassReason: null,
  senderAuthenticated: false,
}

const BLOCKED = {
  ...UNDECIDED,
  isSpam: true,
  spamProbability: 1,
  confidenceMargin: 1 - 0.9,
  entropy: 0,
  bypassReason: 'user_rule',
}

const ALLOWED = { ...BLOCKED, isSpam: false, spamProbability: 0, confidenceMargin: 0.9 }

describe('judge', () => {
  it('asks for users once the message is analysed, and holds none while it embeds', async () => {
    const arrived = Promise.withResolvers<void>()
    const known = Promise.withResolvers<void>()
    const { service, asked } = world({
      users: { ann: FAY },
      received: arrived.promise,
      known: known.promise,
    })
    const judging = judge(service, CALLER, { ...incoming(), users: ['ann'], want: 'reasons' })
    await settled()
    assert.deepEqual(asked(), [`room for ${LETTER.length}`, 'body'])
    arrived.resolve()
    await settled()
    assert.deepEqual(asked(), ['deltas', 'analyse detail personal', 'user ann'])
    known.resolve()
    const judged = await judging
    assert.deepEqual(asked(), ['embed', 'user ann', 'body given back'])
    assert.deepEqual(decisionOf(judged).verdict, { ...BLOCKED, bypassReason: 'knn_memory' })
    assert.deepEqual(asked(), [])
  })

  it('waits five seconds at most for the store, and then takes what is in the cache', async (t) => {
    let now = 1_000
    t.mock.method(performance, 'now', () => now)
    const { service } = world({ users: { ann: ANN, bob: BOB, cid: CID } })
    const waits: (number | undefined)[] = []
    const lookUp: Service['users']['lookUp'] = (userId, waitMsMax) => {
      waits.push(waitMsMax)
      now += 4_500
      return service.users.lookUp(userId)
    }
    const slow = { ...service, users: { ...service.users, lookUp } }
    await judge(slow, CALLER, { ...incoming(), users: ['ann', 'bob', 'ann'] })
    assert.deepEqual(waits, [5_000, 500, -4_000])
  })

  it('analyses once for several recipients, and decides for each as that one has corrected', async () => {
    const { service, asked } = world({ users: { ann: ANN, bob: BOB, cid: CID, dan: BLANK } })
    const userIds = ['dan', 'cid', 'bob', 'ann']
    const judged = await judge(service, CALLER, { ...incoming(), users: userIds })
    assert.deepEqual(
      asked().filter((what) => what.startsWith('analyse')),
      ['analyse personal'],
    )
    assert.deepEqual(
      judged.users.map(({ userId }) => userId),
      userIds,
    )
    assert.deepEqual(verdictsOf(judged), [
      UNDECIDED,
      { ...BLOCKED, bypassReason: 'knn_memory' },
      ALLOWED,
      BLOCKED,
    ])
    // The first is the one whom an answer for a single recipient is for.
    assert.deepEqual(decisionOf(judged).verdict, UNDECIDED)
  })

  it('has the words alone compared where the message cannot be embedded, and says so', async () => {
    const failure = new Error('The embedding thread ended')
    const warned: unknown[] = []
    const { service } = world({ users: { fay: FAY }, embedFailure: failure })
    const judged = await judge(service, CALLER, {
      ...incoming(),
      log: { warn: (details, text) => warned.push([details, text]) },
      users: ['fay'],
    })
    assert.deepEqual(warned, [
      [{ err: failure }, 'A message was not embedded; memories go by its words'],
    ])
    assert.equal(decisionOf(judged).verdict.bypassReason, 'knn_memory')
  })
})

/** What a service answers that judges; what is absent goes well, and is of no account. */
interface World {
  readonly users?: Readonly<Record<string, User>>
  readonly embedFailure?: Error
  /** When the body is there, and when the users are known. */
  readonly received?: Promise<void>
  readonly known?: Promise<void>
}

function world(answers: World = {}) {
  const said: string[] = []
  const { users = {} } = answers
  const service: Service = {
    analyser: {
      refusal: (bytes) => {
        said.push(`room for ${bytes}`)
        return undefined
      },
      analyse: async ({ facts, options }) => {
        const names = ['detail', 'personal', 'listNames'] as const
        said.push(['analyse', ...names.filter((name) => options[name])].join(' '))
        return {
          analysis: analysisFor(facts, options),
          queueMs: 3,
          analysisMs: 20,
          threadEnd: undefined,
        }
      },
    },
    receiver: {
      receive: async () => {
        said.push('body')
        await answers.received
        return {
          kind: 'memory',
          bytes: LETTER,
          [Symbol.asyncDispose]: async () => void said.push('body given back'),
        }
      },
    },
    senderChecks: {
      senderOf: async () => UNKNOWN_AUTHENTICATION,
      lists: undefined,
      scanner: undefined,
    },
    embedder: {
      id: 'e1',
      isUsable: true,
      embed: async () => {
        said.push('embed')
        if (answers.embedFailure) throw answers.embedFailure
        return new Float32Array(DIMENSIONS)
      },
    },
    metrics: { count() {}, analysed() {}, listed() {}, scanned() {} },
    policies: () => POLICY,
    users: {
      known: (userId) => users[userId],
      lookUp: async (userId) => {
        said.push(`user ${userId}`)
        await answers.known
        return users[userId] ?? assert.fail(userId)
      },
      corrected: async (userId) => {
        said.push(`corrections of ${userId}`)
        return []
      },
    },
    correspondents: { lookUp: async () => undefined },
    rules: { index: indexOperatorRules([]) },
    keys: KEYS,
    learned: {
      get deltas() {
        said.push('deltas')
        return undefined
      },
    },
    feeds: { table: undefined },
    onJudged: () => {},
  }
  return {
    service,
    /** What was asked of it since the last call. */
    asked: () => said.splice(0),
  }
}

const models = emptyModels()

function analysisFor(facts: Facts, options: AnalyseOptions) {
  return analyse(memoryOctets(LETTER), facts, models, options)
}

function incoming(): Request {
  return { ...incomingFrom(LETTER), log: { warn: (_, text) => assert.fail(text) } }
}

/** The verdicts for all users of the request, in order. */
function verdictsOf({ users }: Judged) {
  return users.map(({ verdict }) => verdict)
}

/** All that does not wait for the test has happened. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function senderRule(label: 'spam' | 'ham') {
  return stated({ ruleType: 'Sender', pattern: 'shop@example.com' }, label)
}

function stated(about: Pick<ExplicitRule, 'ruleType' | 'pattern'>, label: 'spam' | 'ham') {
  const rule = { id: 'rule', kind: 'spam', unverified: true, createdAt: NOW, ...about } as const
  return indexRules([{ ...rule, label }], [])
}
