/**
 * A user's rules and memory: made, listed and removed (interface §4.12 - §4.17). Spam and tabs
 * have the same paths and differ in what a rule says: a label or a class.
 */
import type { FastifyInstance } from 'fastify'
import { TamisError } from '../../../mail/errors.ts'
import { CLASSES } from '../../../mail/models/prediction.ts'
import { type Kind, RULE_TYPES, type RuleType } from '../../../mail/personalization/kinds.ts'
import { type Caller, callerOf, type Entitlement } from '../../access/caller.ts'
import { terms } from '../../access/route-terms.ts'
import type { PathRoots } from '../../admission/path-roots.ts'
import type { Incoming } from '../../analyse-body.ts'
import { taughtMessage } from '../../teach.ts'
import type { Corrections } from '../../users/corrections.ts'
import type { Rule } from '../../users/rule.ts'
import type { Classifier } from '../classification.ts'
import { acceptJson, checkBySchema } from '../json-body.ts'
import { acceptMessages, CONSUMES, incomingMessage } from '../message-stream.ts'
import { checkUserId } from '../metadata.ts'
import { choiceFromHeader, metadataFromHeaders, requireUser } from '../metadata-headers.ts'
import { incomingFile, PATH_BODY_BYTES_MAX, refuseWhileDisabled } from '../path-form.ts'
import {
  DeletedData,
  ErrorResult,
  MemoryResult,
  MessageStream,
  RemovedRules,
  RemoveRuleBody,
  ruleSchemas,
  UserBody,
  UserQuery,
} from '../schemas.ts'

export interface PersonalizationDependencies {
  readonly classifier: Classifier
  readonly corrections: Corrections
  readonly pathRoots: PathRoots
}

/** A pattern of 1,024 characters and a user id of 256, in escapes of twelve bytes (`\\ud83d\\ude00`) at most. */
const RULE_BODY_BYTES_MAX = 16 * 1024

const ERRORS = { '4xx': ErrorResult, '5xx': ErrorResult } as const

/** What tells the rules of spam from those of tabs. */
interface Flavour {
  readonly kind: Kind
  readonly prefix: string
  /** Name of what a rule says, in JSON and as a header. */
  readonly field: 'label' | 'classification'
  readonly header: string
  readonly labels: readonly string[]
  readonly entitlement: Entitlement
  readonly about: string
}

const FLAVOURS: readonly Flavour[] = [
  {
    kind: 'spam',
    prefix: '/personalization',
    field: 'label',
    header: 'X-Label',
    labels: ['spam', 'ham'],
    entitlement: 'spam',
    about: 'spam',
  },
  {
    kind: 'tabs',
    prefix: '/personalization/tabs',
    field: 'classification',
    header: 'X-Classification',
    labels: CLASSES,
    entitlement: 'classification',
    about: 'classes',
  },
]

export function personalizationRoutes(
  app: FastifyInstance,
  dependencies: PersonalizationDependencies,
): void {
  for (const flavour of FLAVOURS) {
    app.register(async (scope) => createFromMessage(scope, dependencies, flavour))
    app.register(async (scope) => createFromFile(scope, dependencies, flavour))
    app.register(async (scope) => rulesOf(scope, dependencies, flavour))
  }
  app.register(async (scope) => memoryOf(scope, dependencies))
}

function createFromMessage(
  app: FastifyInstance,
  dependencies: PersonalizationDependencies,
  flavour: Flavour,
): void {
  const { headers, record } = ruleSchemas(flavour)
  acceptMessages(app)
  app.post(`${flavour.prefix}/rules/create-stream`, {
    config: terms({ scope: 'feedback', entitlement: flavour.entitlement }),
    schema: {
      summary: `A rule about ${flavour.about}, its pattern drawn from the message`,
      consumes: CONSUMES,
      headers,
      body: MessageStream,
      response: { 200: record, 201: record, ...ERRORS },
    },
    handler: async (request, reply) => {
      const metadata = requireUser(metadataFromHeaders(request.headers))
      const wish = {
        userId: metadata.userId,
        ruleType: choiceFromHeader(request.headers, 'X-Rule-Type', RULE_TYPES),
        label: choiceFromHeader(request.headers, flavour.header, flavour.labels),
      }
      const incoming = incomingMessage(request, reply, metadata)
      const made = await ruleFrom(dependencies, callerOf(request), incoming, flavour, wish)
      return reply.code(made.created ? 201 : 200).send(recordOf(made.rule, flavour))
    },
  })
}

function createFromFile(
  app: FastifyInstance,
  dependencies: PersonalizationDependencies,
  flavour: Flavour,
): void {
  const { pathBody, record } = ruleSchemas(flavour)
  const { pathRoots } = dependencies
  acceptJson(app, PATH_BODY_BYTES_MAX)
  app.post<{ Body: RulePathBody }>(`${flavour.prefix}/rules/create`, {
    config: terms({ scope: 'feedback', entitlement: flavour.entitlement }),
    onRequest: async () => refuseWhileDisabled(pathRoots, `${flavour.prefix}/rules/create-stream`),
    schema: {
      summary: `A rule about ${flavour.about} (path form; not available by default)`,
      body: pathBody,
      response: { 200: record, 201: record, ...ERRORS },
    },
    handler: (request, reply) =>
      incomingFile(pathRoots, request, reply, async (incoming) => {
        const { userId, ruleType } = request.body
        const wish = { userId, ruleType, label: String(request.body[flavour.field]) }
        const made = await ruleFrom(dependencies, callerOf(request), incoming, flavour, wish)
        return reply.code(made.created ? 201 : 200).send(recordOf(made.rule, flavour))
      }),
  })
}

function rulesOf(
  app: FastifyInstance,
  { corrections }: PersonalizationDependencies,
  flavour: Flavour,
): void {
  const { kind, prefix, about, field } = flavour
  const { body, record, list } = ruleSchemas(flavour)
  acceptJson(app, RULE_BODY_BYTES_MAX)
  app.post<{ Body: RuleBody }>(`${prefix}/rules`, {
    config: terms({ scope: 'feedback', entitlement: flavour.entitlement }),
    schema: {
      summary: `A rule about ${about} by its pattern`,
      body,
      response: { 200: record, 201: record, ...ERRORS },
    },
    handler: async (request, reply) => {
      const { tenant } = callerOf(request)
      const { ruleType, pattern } = request.body
      const userId = checkUserId(request.body.userId)
      const label = String(request.body[field])
      const rule = { tenant, userId, kind, ruleType, pattern, label }
      const made = await corrections.addRule(rule)
      return reply.code(made.created ? 201 : 200).send(recordOf(made.rule, flavour))
    },
  })
  app.get<{ Querystring: UserQuery }>(`${prefix}/rules`, {
    // Whoever has no classes is shown the rules about them all the same: the interface says that only spam detection may be missing.
    config: terms({ scope: 'feedback', ...(kind === 'spam' && { entitlement: 'spam' }) }),
    schema: {
      summary: `All rules of a user about ${about}`,
      querystring: UserQuery,
      response: { 200: list, ...ERRORS },
    },
    handler: async (request) => {
      const userId = checkUserId(request.query.userId)
      const rules = await corrections.rulesOf(callerOf(request).tenant, userId, kind)
      return { userId, rules: rules.map((rule) => recordOf(rule, flavour)) }
    },
  })
  app.delete<{ Body: RemoveRuleBody }>(`${prefix}/rules/remove`, {
    config: terms({ scope: 'feedback' }),
    schema: {
      summary: `Removes a rule about ${about}`,
      body: RemoveRuleBody,
      response: { 200: RemovedRules, ...ERRORS },
    },
    handler: async (request) => {
      const { tenant } = callerOf(request)
      checkUserId(request.body.userId)
      const removed = await corrections.removeRule({ tenant, kind, ...request.body })
      if (removed === 0) throw new TamisError('NOT_FOUND', 'There is no such rule')
      return { status: 'removed', removed }
    },
  })
  app.delete<{ Body: UserBody }>(`${prefix}/data`, {
    config: terms({ scope: 'feedback' }),
    schema: {
      summary:
        kind === 'spam'
          ? 'Forgets a user: rules, memory and corrections about spam and classes'
          : 'Forgets what a user taught about classes',
      body: UserBody,
      response: { 200: DeletedData, ...ERRORS },
    },
    handler: (request) => {
      const userId = checkUserId(request.body.userId)
      return corrections.forget(callerOf(request).tenant, userId, kind === 'spam' ? 'all' : 'tabs')
    },
  })
}

function memoryOf(app: FastifyInstance, { corrections }: PersonalizationDependencies): void {
  checkBySchema(app)
  app.get<{ Querystring: UserQuery }>('/personalization/memory', {
    config: terms({ scope: 'feedback' }),
    schema: {
      summary: 'What a user has taught: times and labels, no text',
      querystring: UserQuery,
      response: { 200: MemoryResult, ...ERRORS },
    },
    handler: async (request) => {
      const { tenant, entitlements } = callerOf(request)
      const userId = checkUserId(request.query.userId)
      const items = await corrections.memoryOf(tenant, userId)
      const isShown = ({ kind }: { kind: Kind }) => kind !== 'spam' || entitlements.has('spam')
      return { userId, items: items.filter(isShown) }
    },
  })
}

interface RuleBody {
  readonly userId: string
  readonly ruleType: RuleType
  readonly pattern: string
  readonly label?: string
  readonly classification?: string
}

type RulePathBody = Omit<RuleBody, 'pattern'> & { readonly path: string }

async function ruleFrom(
  { classifier, corrections }: PersonalizationDependencies,
  caller: Caller,
  incoming: Incoming,
  flavour: Flavour,
  wish: Pick<Rule, 'userId' | 'ruleType' | 'label'>,
): Promise<{ rule: Rule; created: boolean }> {
  const message = await taughtMessage(classifier, incoming)
  return corrections.addRuleFrom(message, { ...wish, tenant: caller.tenant, kind: flavour.kind })
}

/** A rule as the interface shows it (docs/decisions). */
function recordOf(rule: Rule & { readonly source?: 'correction' }, { field }: Flavour) {
  return {
    id: rule.id,
    userId: rule.userId,
    ruleType: rule.ruleType,
    pattern: rule.pattern,
    [field]: rule.label,
    source: rule.source ?? 'explicit',
    unverified: rule.unverified,
    createdAt: rule.createdAt.toISOString(),
  }
}
