/**
 * The journey of a request: what is asked of whom, in which order, and what comes of it. Everything
 * around it answers what the test says; the analysis is a real one, by models that are undecided about
 * every message, so that all that is in a verdict can be worked out by hand.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TamisError } from '../../errors/errors.ts'
import { type AnalyseOptions, analyse } from '../../mail/analyse.ts'
import { emptyModels } from '../../mail/learning/empty-models.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import { parseMessage } from '../../mail/message/parse.ts'
import { parseRules } from '../../mail/operator-rules/grammar.ts'
import { indexOperatorRules } from '../../mail/operator-rules/match.ts'
import { packMemory } from '../../mail/personalization/memory.ts'
import { DIMENSIONS, encodeMemoryItem } from '../../mail/personalization/memory-item.ts'
import { identityOf } from '../../mail/personalization/message-identity.ts'
import { type ExplicitRule, indexRules } from '../../mail/personalization/rule-index.ts'
import type { Facts } from '../../mail/signals/signal.ts'
import { decide } from '../../mail/verdict/decide.ts'
import type { ListFinding } from '../../mail/verdict/list-findings.ts'
import type { Policy } from '../../mail/verdict/policy.ts'
import type { Caller } from '../access/caller.ts'
import type { Turn } from '../admission/analyse-task.ts'
import type { Incoming } from '../analyse-body.ts'
import { incomingFrom } from '../cli/judging-here.ts'
import { type Judged, type JudgeOptions, type Judging, judge, verdictOf } from '../judge.ts'
import {
  type AuthenticatedSender,
  UNKNOWN_AUTHENTICATION,
} from '../sender-authentication/sender-authentication.ts'
import type { CorrectedFeatures } from '../users/correction.ts'
import type { CorrespondentKeys } from '../users/correspondent.ts'
import { NO_CORRESPONDENTS } from '../users/correspondent-evidence.ts'
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

const OPTIONS: JudgeOptions = { userIds: [], detail: false }

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

/** Whom the store could not give. */
const UNKNOWN: User = { ...BLANK, known: false }

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
      embeddingModel: 'e1',
      memory: analyse(memoryOctets(LETTER), { now: NOW }, emptyModels(), { personal: true })
        .personal!.memoryItem,
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
    const judging = judge(service, CALLER, incoming(), { userIds: ['ann'], detail: true })
    await settled()
    assert.deepEqual(asked(), [`room for ${LETTER.length}`, 'body'])
    arrived.resolve()
    await settled()
    assert.deepEqual(asked(), ['analyse detail personal', 'deltas empty', 'user ann'])
    known.resolve()
    const judged = await judging
    assert.deepEqual(asked(), ['embed', 'user ann', 'body given back'])
    assert.deepEqual(verdictOf(judged), { ...BLOCKED, bypassReason: 'knn_memory' })
    assert.deepEqual(asked(), [])
  })

  it('waits five seconds at most for the store, and then takes what is in the cache', async (t) => {
    let now = 1_000
    t.mock.method(performance, 'now', () => now)
    const { service } = world({ users: { ann: ANN, bob: BOB, cid: CID } })
    const waits: (number | undefined)[] = []
    const lookUp: Judging['users']['lookUp'] = (userId, waitMsMax) => {
      waits.push(waitMsMax)
      now += 4_500
      return service.users.lookUp(userId)
    }
    const slow = { ...service, users: { ...service.users, lookUp } }
    await judge(slow, CALLER, incoming(), { userIds: ['ann', 'bob', 'ann'], detail: false })
    assert.deepEqual(waits, [5_000, 500, -4_000])
  })

  it('asks who writes to whom for a user, and to whom a user writes where the user has sent the message, if spam is asked for', async () => {
    const { service, people } = world({ users: { dan: BLANK } })
    const of = async (question: Partial<JudgeOptions>, caller = CALLER) => {
      await judge(service, caller, incoming(), { ...OPTIONS, ...question })
      return people()
    }
    const userIds = ['dan']
    assert.deepEqual(await of({}), [''])
    assert.deepEqual(await of({ userIds }), ['correspondence'])
    assert.deepEqual(await of({ userIds, outgoing: true }), ['correspondence outgoing'])
    assert.deepEqual(await of({ outgoing: true }), ['outgoing'])
    assert.deepEqual(await of({ userIds, outgoing: true, spam: false }), [''])
    const noSpam: Caller = { ...CALLER, entitlements: new Set(['classification']) }
    assert.deepEqual(await of({ userIds, outgoing: true }, noSpam), [''])
  })

  it('judges without the user while the store is away, says so, and counts it', async () => {
    const { service, asked } = world({ users: { ann: UNKNOWN, bob: BOB, eve: UNKNOWN } })
    const judged = await judge(service, CALLER, incoming(), {
      userIds: ['ann', 'bob', 'eve'],
      detail: false,
    })
    const [ann] = judged.users
    assert.deepEqual(judged.evidenceFor(ann), {
      senderAuthenticated: false,
      sender: { result: 'unknown' },
      userUnknown: true,
    })
    assert.deepEqual(verdictOf(judged), UNDECIDED)
    assert.deepEqual(
      asked().filter((what) => what.startsWith('unknown')),
      ['unknown user', 'unknown user'],
    )
  })

  it('analyses once for several recipients, and decides for each as that one has corrected', async () => {
    const { service, asked } = world({ users: { ann: ANN, bob: BOB, cid: CID, dan: BLANK } })
    const userIds = ['dan', 'cid', 'bob', 'ann']
    const judged = await judge(service, CALLER, incoming(), { userIds, detail: false })
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
    assert.deepEqual(verdictOf(judged), UNDECIDED)
  })

  it('has the words alone compared where the message cannot be embedded, and says so', async () => {
    const failure = new Error('The embedding thread ended')
    const warned: unknown[] = []
    const { service } = world({ users: { fay: FAY }, embedFailure: failure })
    const judged = await judge(
      service,
      CALLER,
      { ...incoming(), log: { warn: (details, text) => warned.push([details, text]) } },
      { userIds: ['fay'], detail: false },
    )
    assert.deepEqual(warned, [
      [{ err: failure }, 'A message was not embedded; memories go by its words'],
    ])
    assert.equal(verdictOf(judged).bypassReason, 'knn_memory')
  })

  it('tells what was found out about the sender', async () => {
    const details = { ...UNKNOWN_AUTHENTICATION.details, source: 'verified' as const }
    const sender = {
      result: 'pass',
      domain: 'example.com',
      details,
      finding: { result: 'passed' },
    } as const
    const { service } = world({ sender, users: { bob: BOB } })
    const judged = await judge(service, CALLER, incoming(), { userIds: ['bob'], detail: false })
    assert.deepEqual(judged.evidenceFor(undefined), {
      senderAuthenticated: true,
      sender: { result: 'passed' },
      authentication: details,
    })
    assert.deepEqual(verdictOf(judged), { ...ALLOWED, senderAuthenticated: true })
  })

  it('lets an allow do nothing for a sender who was found to be another', async () => {
    const sender = { ...UNKNOWN_AUTHENTICATION, result: 'fail' } as const
    const { service } = world({ sender, users: { bob: BOB } })
    const judged = await judge(service, CALLER, incoming(), { userIds: ['bob'], detail: false })
    assert.deepEqual(verdictOf(judged), UNDECIDED)
  })

  describe('asks DNS lists for a verdict about spam that the licence includes, and else not', () => {
    const noSpam: Caller = { ...CALLER, entitlements: new Set(['classification']) }
    const cases = [
      ['it is', CALLER, {}, true, true],
      ['no list is set', CALLER, {}, false, false],
      ['the class alone is asked for', CALLER, { spam: false }, true, false],
      ['the licence is for classes', noSpam, {}, true, false],
    ] as const
    for (const [when, caller, more, isSet, isAsked] of cases) {
      it(`when ${when}`, async () => {
        const finding = { list: 'zen', lookups: 1, hits: [], failure: null }
        const { service, asked } = world(isSet ? { lists: [finding] } : {})
        const judged = await judge(service, caller, incoming(), { ...OPTIONS, ...more })
        assert.equal(asked().includes('analyse listNames'), isAsked)
        const { lists } = judged.evidenceFor(undefined)
        assert.deepEqual(lists, isAsked ? [finding] : undefined)
      })
    }
  })

  it('gives nothing about spam where the licence is for classes', async () => {
    const caller: Caller = { ...CALLER, entitlements: new Set(['classification']) }
    const { service } = world({ users: { ann: ANN } })
    const judged = await judge(service, caller, incoming(), { userIds: ['ann'], detail: false })
    assert.equal(judged.policyFor(judged.users[0]).spamEntitled, false)
    assert.deepEqual(verdictOf(judged), {
      ...UNDECIDED,
      spamProbability: 0,
      textSpamScore: 0,
      metaSpamScore: 0,
      confidenceMargin: 0.9,
      entropy: 0,
    })
  })

  it('decides by the threshold that the first rule has for the recipient, else by that of all', async () => {
    const policies = (threshold?: unknown) =>
      threshold === undefined ? POLICY : { ...POLICY, threshold: threshold as number }
    const rules = 'threshold 0.4 for bob@example.org\nthreshold 0.7 for example.org'
    const userIds = ['bob@example.org', 'cid@example.org', 'dan@example.net']
    const users = Object.fromEntries(userIds.map((id) => [id, BLANK]))
    const { service } = world({ users, policies, rules })
    const judged = await judge(service, CALLER, incoming(), { userIds, detail: false })
    assert.deepEqual(
      [...judged.users, undefined].map((user) => judged.policyFor(user).threshold),
      [0.4, 0.7, 0.9, 0.9],
    )
    assert.deepEqual(
      verdictsOf(judged).map(({ isSpam }) => isSpam),
      [true, false, false],
    )
  })

  describe("with the operator's rules", () => {
    const rules = `
      block from example.com for example.org
      allow from shop@example.com
      score 2 COATS subject "coats"`

    it('takes them after those of the user, and counts them for each verdict', async () => {
      const { service, asked } = world({ users: { bob: BOB }, rules })
      const judged = await judge(service, CALLER, incoming(), { userIds: ['bob'], detail: false })
      assert.ok(asked().includes('rules stored:3 stored:4'))
      const evidence = judged.evidenceFor(judged.users[0])
      assert.deepEqual(
        evidence.ruleMatches?.map(({ id }) => id),
        ['rule', 'stored:3'],
      )
      assert.deepEqual(evidence.scores?.holding, [{ name: 'COATS', weight: 2 }])
      assert.deepEqual(verdictOf(judged), ALLOWED)
    })
  })

  it('decides by the policy that belonged to the models when the analysis began, whatever is reloaded meanwhile', async () => {
    let forAll = POLICY
    const { service } = world({
      analysing: () => {
        forAll = { ...POLICY, threshold: 0.1 }
      },
    })
    const reloaded: Judging = {
      ...service,
      get policies() {
        const policy = forAll
        return () => policy
      },
    }
    const judged = await judge(reloaded, CALLER, incoming(), OPTIONS)
    assert.equal(reloaded.policies().threshold, 0.1)
    assert.equal(judged.policyFor(undefined).threshold, 0.9)
    assert.deepEqual(verdictOf(judged), UNDECIDED)
  })
})

/** What a service answers that judges; what is absent goes well, and is of no account. */
interface World {
  readonly users?: Readonly<Record<string, User>>
  /** Users who have to be read from the store. */
  readonly uncached?: readonly string[]
  readonly sender?: AuthenticatedSender
  readonly lists?: readonly ListFinding[]
  readonly policies?: Judging['policies']
  /** Text of the operator's rules. */
  readonly rules?: string
  readonly keepsHistory?: boolean
  readonly correspondents?: CorrespondentKeys
  /** What a user's deltas were learned from; the store fails if it is an error. */
  readonly corrected?: readonly CorrectedFeatures[] | TamisError
  readonly full?: TamisError
  readonly analysisFailure?: Error
  readonly embedFailure?: Error
  /** When the body is there, and when the users are known. */
  readonly received?: Promise<void>
  readonly known?: Promise<void>
  readonly analysing?: () => void
}

function world(answers: World = {}) {
  const said: string[] = []
  const people: string[] = []
  const { users = {}, sender = UNKNOWN_AUTHENTICATION, lists } = answers
  const service: Judging = {
    analyser: {
      refusal: (bytes) => {
        said.push(`room for ${bytes}`)
        return answers.full
      },
      analyse: async (_body, facts, options = {}, turn = {}) => {
        answers.analysing?.()
        const names = ['detail', 'personal', 'claims', 'listNames'] as const
        said.push(['analyse', ...names.filter((name) => options[name])].join(' '))
        people.push(PEOPLE.filter((name) => options[name]).join(' '))
        if (answers.analysisFailure) throw answers.analysisFailure
        return {
          analysis: analysisFor(facts, options, turn),
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
      hold: () => ({ [Symbol.dispose]: () => {} }),
      senderOf: async () => sender,
      lists: lists && ({ ask: async () => lists } as never),
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
    metrics: {
      analysed: () => {},
      sender: () => {},
      listed: () => {},
      scanned: () => {},
      userUnknown: () => said.push('unknown user'),
    },
    policies: answers.policies ?? (() => POLICY),
    users: {
      known: (userId) => (answers.uncached?.includes(userId) ? undefined : users[userId]),
      lookUp: async (userId) => {
        said.push(`user ${userId}`)
        await answers.known
        return users[userId] ?? assert.fail(userId)
      },
      corrected: async (userId) => {
        said.push(`corrections of ${userId}`)
        if (answers.corrected instanceof TamisError) throw answers.corrected
        return [...(answers.corrected ?? [])]
      },
    },
    correspondents: { lookUp: async () => answers.correspondents ?? NO_CORRESPONDENTS },
    rules: {
      index: indexOperatorRules(parseRules(answers.rules ?? '', 'stored').rules),
      count: (applied) => {
        if (applied.length > 0) said.push(`rules ${applied.map(({ id }) => id).join(' ')}`)
      },
    },
    keys: KEYS,
    learned: {
      leaseDeltas: (version) => {
        said.push(`deltas ${version}`)
        return undefined
      },
    },
    feeds: { table: undefined },
    keepsHistory: answers.keepsHistory ?? false,
  }
  return {
    service,
    /** What was asked of it since the last call. */
    asked: () => said.splice(0),
    /** What was asked about who writes to whom, of each message since the last call. */
    people: () => people.splice(0),
  }
}

/** Options of an analysis about who writes to whom. */
const PEOPLE = ['correspondence', 'outgoing'] as const

const models = emptyModels()

function analysisFor(facts: Facts, options: AnalyseOptions, { leaseDeltas }: Turn) {
  leaseDeltas?.(models.version)
  return analyse(memoryOctets(LETTER), facts, models, options)
}

function incoming(): Incoming {
  return { ...incomingFrom(LETTER), log: { warn: (_, text) => assert.fail(text) } }
}

/** The verdicts for all users of the request, in order. */
function verdictsOf({ analysis, users, evidenceFor, policyFor }: Judged) {
  return users.map((user) => decide(analysis, evidenceFor(user), policyFor(user)))
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
