/**
 * Routes that make, list and remove a user's rules (interface §4.12 - §4.15). Spam and tabs have the
 * same paths. Their rules differ: a rule about spam has a label, a rule about tabs a class.
 */

import { TamisError } from '../../../errors/errors.ts'
import { SPAM_LABELS } from '../../../mail/learning/learn-event.ts'
import { CLASSES } from '../../../mail/models/prediction.ts'
import { type Kind, RULE_SOURCES, RULE_TYPES } from '../../../mail/personalization/kinds.ts'
import { callerOf, type Entitlement } from '../../access/caller.ts'
import { shownUser, storedUser } from '../../access/namespace.ts'
import { learnableMessage } from '../../correct.ts'
import { Type } from '../../json-schema.ts'
import type { ListedRule } from '../../users/corrections.ts'
import { checkUserId, choiceFromHeader, requireUser } from '../metadata.ts'
import { bothForms } from '../path-form.ts'
import { type Operation, ok, operation } from '../route.ts'
import {
  CLOSED,
  Component,
  headersOfUser,
  NameOf,
  PATH_FIELD,
  SMALL_BODY_BYTES_MAX,
  Time,
  USER_ID_FIELD,
  UserQuery,
} from '../schemas.ts'

/** The differences between the rules about spam and those about classes. */
interface Flavour {
  readonly kind: Kind
  readonly prefix: string
  /** The name of the label or class, in JSON and as a header. */
  readonly field: 'label' | 'classification'
  readonly header: string
  readonly labels: readonly string[]
  readonly entitlement: Entitlement
  /** The beginning of the schemas' titles. */
  readonly title: string
  /** The part of the operations' names that differs. */
  readonly infix: string
  readonly about: string
}

const FLAVOURS: readonly Flavour[] = [
  {
    kind: 'spam',
    prefix: '/personalization',
    field: 'label',
    header: 'X-Label',
    labels: SPAM_LABELS,
    entitlement: 'spam',
    title: 'SpamRule',
    infix: '',
    about: 'spam',
  },
  {
    kind: 'tabs',
    prefix: '/personalization/tabs',
    field: 'classification',
    header: 'X-Classification',
    labels: CLASSES,
    entitlement: 'classification',
    title: 'ClassRule',
    infix: 'Tabs',
    about: 'classes',
  },
]

const ruleType = NameOf(RULE_TYPES, 'What the rule matches')

const pattern = Type.String({
  minLength: 1,
  maxLength: 1_024,
  description:
    'A Sender rule has an address, a domain or a wildcard (`*@example.com`, `*.example.com`); a List rule a List-Id, address or host; a Thread rule a Message-ID; a Template rule the pattern of a rule made from a message',
  examples: ['ann@example.com'],
})

const RemoveRuleBody = Component('RemoveRuleBody', { userId: USER_ID_FIELD, ruleType, pattern })

const RemovedRules = Component('RemovedRules', {
  status: Type.Literal('removed'),
  removed: Type.Integer({ minimum: 1 }),
})

/** The rule of interface §2.7. */
function schemasOf({ field, header, labels, title }: Flavour) {
  const label = NameOf(labels, 'What the rule does')
  // A computed name would lose its type.
  const says = { [field]: label } as Record<Flavour['field'], typeof label>
  const made = { userId: USER_ID_FIELD, ruleType, ...says }
  const record = Type.Object(
    {
      id: Type.String(),
      ...made,
      pattern,
      source: NameOf(RULE_SOURCES, '`correction`: made automatically from a correction'),
      unverified: Type.Boolean({
        description: 'True when it was not made from an authenticated message',
      }),
      createdAt: Time(),
    },
    { title, ...CLOSED },
  )
  return {
    headers: Type.Object(
      { ...headersOfUser('The owner of the rule'), 'X-Rule-Type': ruleType, [header]: label },
      { title: `${title}Wish` },
    ),
    pathBody: Component(`${title}PathBody`, { path: PATH_FIELD, ...made }),
    body: Component(`${title}Body`, { ...made, pattern }),
    record,
    list: Component(`${title}s`, { userId: USER_ID_FIELD, rules: Type.Array(record) }),
  }
}

function rulesAbout(flavour: Flavour): Operation[] {
  const { kind, prefix, field, header, labels, entitlement, infix, about } = flavour
  const { headers, pathBody, body, record, list } = schemasOf(flavour)
  const made = {
    200: { description: 'The rule already existed', schema: record },
    201: { description: 'The rule was created', schema: record },
  }
  return [
    ...bothForms(
      {
        path: `${prefix}/rules/create-stream`,
        scope: 'feedback',
        entitlement,
        operationId: `create${infix}RuleStream`,
        tag: 'Rules',
        summary: `A rule about ${about}, with its pattern taken from the message`,
        description:
          'The pattern comes from the message: its sender, list or thread, or a fingerprint of similar messages (`Template`). If the message is authenticated, so is the rule: an allow then decides about messages authenticated for the same domain. Without that proof, feeds and models that are sure of spam override it (docs/senders.md).',
        headers,
        answers: made,
        wish: (headers, metadata) => ({
          userId: requireUser(metadata).userId,
          ruleType: choiceFromHeader(headers, 'X-Rule-Type', RULE_TYPES),
          label: choiceFromHeader(headers, header, labels),
        }),
      },
      {
        schema: pathBody,
        wish: ({ userId, ruleType, [field]: label }) => ({ userId, ruleType, label }),
      },
      async ({ incoming, caller, wish }, { classifier, corrections }, reply) => {
        const message = await learnableMessage(classifier, incoming)
        const { rule, created } = await corrections.addRuleFrom(message, {
          ...wish,
          userId: storedUser(caller, wish.userId),
          kind,
        })
        return reply.code(created ? 201 : 200).send(recordOf(rule, flavour))
      },
    ),
    operation({
      method: 'POST',
      path: `${prefix}/rules`,
      scope: 'feedback',
      entitlement,
      operationId: `create${infix}Rule`,
      tag: 'Rules',
      summary: `A rule about ${about} by its pattern`,
      description:
        'Creates a rule from a pattern, without a message. A `Sender` rule takes an address, a domain for all addresses at and below it, `*@example.com` for those at that host only, or `*.example.com` for those below it only.',
      body: { schema: body, bytesMax: SMALL_BODY_BYTES_MAX },
      answers: made,
      handler: async (request, { corrections }, reply) => {
        const { ruleType, pattern, [field]: label } = request.body
        const userId = checkUserId(request.body.userId)
        const rule = { kind, ruleType, pattern, label }
        const made = await corrections.addRule({
          ...rule,
          userId: storedUser(callerOf(request), userId),
        })
        return reply.code(made.created ? 201 : 200).send(recordOf(made.rule, flavour))
      },
    }),
    operation({
      method: 'GET',
      path: `${prefix}/rules`,
      scope: 'feedback',
      // A licence without classes still shows the rules about them: by the interface only spam detection may be missing.
      ...(kind === 'spam' && { entitlement }),
      operationId: infix === '' ? 'rules' : 'tabsRules',
      tag: 'Rules',
      summary: `All rules of a user about ${about}`,
      description: `All rules of a user about ${about}, newest first, including those that corrections made.`,
      query: UserQuery,
      answers: ok('The rules', list),
      handler: async (request, { corrections }) => {
        const userId = checkUserId(request.query.userId)
        const rules = await corrections.rulesOf(storedUser(callerOf(request), userId), kind)
        return { userId, rules: rules.map((rule) => recordOf(rule, flavour)) }
      },
    }),
    operation({
      method: 'DELETE',
      path: `${prefix}/rules/remove`,
      scope: 'feedback',
      operationId: `remove${infix}Rule`,
      tag: 'Rules',
      summary: `Removes a rule about ${about}`,
      description:
        'Removes explicit and automatic rules with this type and pattern, as the list shows them.',
      body: { schema: RemoveRuleBody, bytesMax: SMALL_BODY_BYTES_MAX },
      answers: ok('The rule was removed', RemovedRules),
      handler: async (request, { corrections }) => {
        const userId = storedUser(callerOf(request), checkUserId(request.body.userId))
        const removed = await corrections.removeRule({ ...request.body, kind, userId })
        if (removed === 0) throw new TamisError('NOT_FOUND', 'There is no such rule')
        return { status: 'removed', removed }
      },
    }),
  ]
}

export const RULES = FLAVOURS.flatMap(rulesAbout)

/** A rule as the interface shows it (docs/decisions). */
function recordOf(rule: ListedRule, { field }: Flavour) {
  return {
    id: rule.id,
    userId: shownUser(rule.userId),
    ruleType: rule.ruleType,
    pattern: rule.pattern,
    [field]: rule.label,
    source: rule.source ?? 'explicit',
    unverified: rule.unverified,
    createdAt: rule.createdAt.toISOString(),
  }
}
