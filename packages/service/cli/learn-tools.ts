/** What `tamis learn` judges and learns with: the service's own parts on this thread. Of senders it knows what a trusted host wrote into the message; DNS is not asked. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { readCanary, readKnowledge, readModels } from '../../artifact-files/artifact-files.ts'
import { analyse } from '../../mail/analyse.ts'
import type { Knowledge } from '../../mail/knowledge/knowledge.ts'
import { withDeltas } from '../../mail/learning/deltas.ts'
import type { Models } from '../../mail/models/models.ts'
import { NO_RULES } from '../../mail/operator-rules/match.ts'
import { type Policy, policyFor } from '../../mail/verdict/policy.ts'
import { bodyOctets, type MessageBody } from '../admission/message-body.ts'
import { type Config, policySettings } from '../config.ts'
import { openEmbedder } from '../encoder/embedder.ts'
import { LearnedModels } from '../learned-models/learned-models.ts'
import { learnFromLog } from '../learned-models/learning.ts'
import type { Request, Service } from '../request.ts'
import { OperatorRules } from '../rules/operator-rules.ts'
import { trustedSender } from '../sender-authentication/sender-authentication.ts'
import type { Store } from '../store/store.ts'
import { Corrections } from '../users/corrections.ts'
import { MessageKeys } from '../users/message-keys.ts'
import { USER_CACHE_BYTES, Users } from '../users/users.ts'

/** Everything that learning needs, on one store. */
export interface LearnTools {
  readonly judging: Service
  readonly learned: LearnedModels
  readonly corrections: Corrections
  /** Asks the service to run the learning job soon. */
  queueLearning(): Promise<void>
  /** Resolves when what has been corrected so far is learned, and serves. */
  caughtUp(userId: string): Promise<void>
}

export async function withLearnTools(
  config: Config,
  open: () => Promise<Store>,
  use: (tools: LearnTools) => Promise<void>,
): Promise<void> {
  const models = await readModels(config.models)
  const knowledge = await readKnowledge()
  const embedder = await openEmbedder({
    log: { warn: (_, text) => void process.stderr.write(`tamis: ${text}\n`) },
  })
  const store = await open()
  const onError = (error: unknown) => process.stderr.write(`tamis: ${String(error)}\n`)
  const rules = await OperatorRules.open({ path: config.rules, store, onError })
  const canary = await readCanary(models)
  const settings = { mode: config.learning, rules, store, base: models, canary, onError }
  const learned = await LearnedModels.open(settings)
  const users = new Users(store, USER_CACHE_BYTES, learned)
  const keys = new MessageKeys(store.secret)
  const corrections = new Corrections({ store, keys, learned })
  const caughtUp = async (userId: string) => {
    const { model } = await learnFromLog(settings)
    await store.saveModel(model, 'promoted')
    await learned.take()
    await users.read(userId)
  }
  const policy = policyFor(models, policySettings(config))
  try {
    const judging = judgingHere({
      ...{ models, knowledge, policy, embedder, keys, users, learned },
      authservIds: config.trustedAuthservIds,
    })
    const { queueLearning } = store
    await use({ judging, learned, corrections, queueLearning, caughtUp })
  } finally {
    users.close()
    learned.close()
    rules.close()
    await store.close()
    await embedder.close()
  }
}

interface JudgingHere extends Pick<Service, 'users' | 'keys' | 'learned' | 'embedder'> {
  readonly models: Models
  readonly knowledge: Knowledge
  readonly policy: Policy
  /** Hosts whose Authentication-Results count; none by default. */
  readonly authservIds?: readonly string[]
}

function judgingHere({
  models,
  knowledge,
  policy,
  authservIds = [],
  ...known
}: JudgingHere): Service {
  return {
    ...known,
    policies: () => policy,
    rules: { index: NO_RULES },
    correspondents: { lookUp: async () => undefined },
    receiver: { receive: async ({ stream }) => inMemory(await buffer(stream)) },
    analyser: {
      refusal: () => undefined,
      analyse: async ({ body, facts, options, deltas }) => ({
        analysis: analyse(
          bodyOctets(body),
          facts,
          deltas === undefined ? models : withDeltas(models, deltas),
          { ...options, knowledge },
        ),
        queueMs: 0,
        analysisMs: 0,
        threadEnd: undefined,
      }),
    },
    senderChecks: {
      senderOf: async (body, facts) => trustedSender(bodyOctets(body), facts, authservIds),
      lists: undefined,
      scanner: undefined,
    },
    feeds: { table: undefined },
    onJudged: () => {},
    metrics: { count() {}, analysed() {}, listed() {}, scanned() {} },
  }
}

/** A message from a folder, as if it came now. */
export function incomingFrom(bytes: Uint8Array): Request {
  return {
    stream: Readable.from([bytes]),
    declaredLength: bytes.length,
    metadata: { arrivalFallback: 'date' },
    outlet: { destroyed: false, once: () => {}, off: () => {} },
    log: { warn: ({ err }, text) => void process.stderr.write(`tamis: ${text}: ${err}\n`) },
  }
}

function inMemory(bytes: Buffer) {
  const body: MessageBody = { kind: 'memory', bytes: new Uint8Array(bytes) }
  return { ...body, [Symbol.asyncDispose]: async () => {} }
}
