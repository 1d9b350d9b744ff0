/** Judges and learns in a command as the service does, but on this thread. Of senders it knows what a trusted host wrote into the message; DNS is not asked. */

import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type AnalyseOptions, analyse } from '../../mail/analyse.ts'
import type { Knowledge } from '../../mail/knowledge/knowledge.ts'
import { withDeltas } from '../../mail/learning/deltas.ts'
import type { Models } from '../../mail/models/models.ts'
import { NO_RULES } from '../../mail/operator-rules/match.ts'
import type { Facts } from '../../mail/signals/signal.ts'
import type { Analysis } from '../../mail/verdict/analysis.ts'
import type { Policy } from '../../mail/verdict/policy.ts'
import type { Turn } from '../admission/analyse-task.ts'
import { bodyOctets, type MessageBody } from '../admission/message-body.ts'
import type { Request } from '../analyse-body.ts'
import type { Judging } from '../judge.ts'
import { authenticateSender } from '../sender-authentication/sender-authentication.ts'
import { NO_CORRESPONDENTS } from '../users/correspondent-evidence.ts'

interface JudgingHere extends Pick<Judging, 'users' | 'keys' | 'learned' | 'embedder'> {
  readonly models: Models
  readonly knowledge: Knowledge
  readonly policy: Policy
  /** Hosts whose Authentication-Results count; none by default. */
  readonly authservIds?: readonly string[]
}

export function judgingHere({
  models,
  knowledge,
  policy,
  authservIds = [],
  ...known
}: JudgingHere): Judging {
  return {
    ...known,
    policies: () => policy,
    rules: { index: NO_RULES, count: () => {} },
    correspondents: { lookUp: async () => NO_CORRESPONDENTS },
    receiver: { receive: async ({ stream }) => inMemory(await buffer(stream)) },
    analyser: {
      refusal: () => undefined,
      analyse: async (body, facts, options = {}, turn = {}) => ({
        analysis: analyseHere(body, facts, options, turn, { models, knowledge }),
        queueMs: 0,
        analysisMs: 0,
        threadEnd: undefined,
      }),
    },
    senderChecks: {
      senderOf: (body, facts) =>
        authenticateSender(bodyOctets(body), facts, {
          authservIds,
          resolver: undefined,
          timeoutMs: 0,
        }),
      lists: undefined,
      scanner: undefined,
    },
    feeds: { table: undefined },
    onJudged: () => {},
    metrics: {
      analysed: () => {},
      sender: () => {},
      listed: () => {},
      scanned: () => {},
      userUnknown: () => {},
    },
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

function analyseHere(
  body: MessageBody,
  facts: Facts,
  options: AnalyseOptions,
  { deltas }: Turn,
  { models, knowledge }: Pick<JudgingHere, 'models' | 'knowledge'>,
): Analysis {
  const learned = deltas === undefined ? models : withDeltas(models, deltas)
  return analyse(bodyOctets(body), facts, learned, { ...options, knowledge })
}
