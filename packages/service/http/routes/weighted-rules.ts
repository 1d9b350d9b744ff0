/**
 * Routes for the weighted rules of a tenant: what it knows of its mail, and by how much that speaks for spam or against
 * it (docs/weighted-rules.md). Beyond the interface.
 */
import { type Static, Type } from 'typebox'
import { checkWeightedRule } from '../../../mail/personalization/check-weighted-rule.ts'
import {
  CONDITION_PARTS,
  CONDITIONS_MAX,
  type Condition,
  PATTERN_LENGTH_MAX,
  WEIGHT_MAX,
  WORDS_LENGTH_MAX,
} from '../../../mail/personalization/weighted-rule.ts'
import { ATTACHMENT_KINDS } from '../../../mail/signals/attachment-kind.ts'
import type { RulePlace } from '../../tenants/site-rule.ts'
import type {
  FileWeightedRule,
  NewWeightedRule,
  TenantWeightedRule,
} from '../../tenants/weighted-rule.ts'
import { invalidField } from '../field-errors.ts'
import { CREATED_AT, WEIGHTED_RULE_ID } from '../openapi/examples.ts'
import { NEXT_FIELD, PAGE_FIELDS, type PageQuery, pageOf, pageOfAll } from '../page-of.ts'
import { ok, operation } from '../route.ts'
import { Closed, Component, NameOf, SMALL_BODY_BYTES_MAX, Text } from '../schemas.ts'
import { placeOfRule } from './site-rules.ts'

const SOURCES = ['api', 'files'] as const

const WeightedCondition = Component('WeightedCondition', {
  part: NameOf(CONDITION_PARTS, 'What of the message it is about'),
  field: Type.Optional(
    Type.String({
      description: 'The name of a header field; for `header` alone',
      examples: ['X-Mailer'],
    }),
  ),
  contains: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: WORDS_LENGTH_MAX,
      description: 'Words that stand there, whole and in this order, in whatever case',
      examples: ['fax received'],
    }),
  ),
  matches: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: PATTERN_LENGTH_MAX,
      description: 'A regular expression in the syntax of RE2 that matches somewhere in it',
      examples: ['fax (no|number) [0-9]+'],
    }),
  ),
  kind: Type.Optional(
    NameOf(ATTACHMENT_KINDS, 'The kind of an attachment; for `attachment` alone'),
  ),
})

const RULE_FIELDS = {
  name: Type.String({
    description:
      'Capital letters, digits and _, at most 40 characters; among the reasons it is `TAMIS_RULE_` and this name',
    examples: ['ACME_FAX_SPAM'],
  }),
  weight: Type.Number({
    minimum: -WEIGHT_MAX,
    maximum: WEIGHT_MAX,
    description: 'What it adds to the log-odds of spam if it holds, below 0 against spam; not 0',
    examples: [2.5],
  }),
  conditions: Type.Array(WeightedCondition, {
    minItems: 1,
    maxItems: CONDITIONS_MAX,
    description: 'The rule holds if all of them do',
  }),
}

const WeightedRuleBody = Component('WeightedRuleBody', RULE_FIELDS)

const WeightedRuleRecord = Component('WeightedRule', {
  id: Text('Id of the rule; for a file rule, file name and line'),
  ...RULE_FIELDS,
  source: NameOf(
    SOURCES,
    '`files`: of the operator (TAMIS_WEIGHTED_RULES); the API cannot change it',
  ),
  createdAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Time of creation; null for a file rule',
  }),
})

type WeightedRuleRecord = Static<typeof WeightedRuleRecord>

const WeightedRulesQuery = Closed({
  source: Type.Optional(
    NameOf(SOURCES, '`api`, the default: made by API; `files`: those of the operator’s files'),
  ),
  ...PAGE_FIELDS,
})

const WeightedRules = Component('WeightedRules', {
  rules: Type.Array(WeightedRuleRecord),
  next: NEXT_FIELD,
})

const WeightedRuleParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) })

const RemovedWeightedRule = Component('RemovedWeightedRule', {
  status: Type.Literal('removed'),
  id: Type.String(),
})

const EXAMPLE_BODY = {
  name: 'ACME_FAX_SPAM',
  weight: 2.5,
  conditions: [
    { part: 'subject', contains: 'fax received' },
    { part: 'attachment', kind: 'iso' },
  ],
}

const EXAMPLE = { id: WEIGHTED_RULE_ID, ...EXAMPLE_BODY, source: 'api', createdAt: CREATED_AT }

export const WEIGHTED_RULES = [
  operation({
    method: 'GET',
    path: '/weighted-rules',
    scope: 'admin',
    entitlement: 'spam',
    operationId: 'weightedRules',
    tag: 'Site',
    summary: 'The weighted rules',
    description:
      'The rules that the tenant has made, newest first; or, with `source=files`, those in the operator’s files that name the tenant or apply to all mail, in their order.',
    query: WeightedRulesQuery,
    example: { query: { source: 'api' } },
    answers: ok('A page of rules', WeightedRules, { rules: [EXAMPLE], next: null }),
    errors: ['STORE_UNAVAILABLE'],
    handler: async (request, { settings, classifier }) => {
      const { source = 'api', ...page } = request.query
      const { entries, next } =
        source === 'files'
          ? await pageOfFiles(page, classifier.weightedRules)
          : await pageOf(
              page,
              (limit, after: RulePlace | undefined) => settings.weightedRules(limit, after),
              ({ createdAt, id }) => [createdAt.getTime(), id],
              placeOfRule,
            )
      return { rules: entries.map(recordOf), next }
    },
  }),
  operation({
    method: 'POST',
    path: '/weighted-rules',
    scope: 'admin',
    entitlement: 'spam',
    operationId: 'createWeightedRule',
    tag: 'Site',
    summary: 'Adds to the log-odds of spam, or takes away, for what a message contains',
    description:
      'The rule applies at once in this process, and within a second or two in others. A tenant can have 200 of them. One of the same name in the operator’s files does not apply to the tenant any more. `tamis weighted-rules try` shows beforehand what a rule would change (docs/weighted-rules.md). If the rule already exists, the answer is that rule; another of its name is refused.',
    body: { schema: WeightedRuleBody, bytesMax: SMALL_BODY_BYTES_MAX },
    example: { body: EXAMPLE_BODY },
    answers: {
      200: {
        description: 'The rule already existed',
        schema: WeightedRuleRecord,
        example: EXAMPLE,
      },
      201: { description: 'The rule was created', schema: WeightedRuleRecord, example: EXAMPLE },
    },
    errors: ['RULE_CONTRADICTS', 'RULES_FULL', 'STORE_UNAVAILABLE'],
    handler: async (request, { settings }, reply) => {
      const { rule, created } = await settings.addWeightedRule(checkedRule(request.body))
      return reply.code(created ? 201 : 200).send(recordOf(rule))
    },
  }),
  operation({
    method: 'DELETE',
    path: '/weighted-rules/:id',
    scope: 'admin',
    operationId: 'removeWeightedRule',
    tag: 'Site',
    summary: 'Removes a weighted rule',
    description: 'Removes a rule that the tenant has made, by its id.',
    params: WeightedRuleParams,
    example: { params: { id: WEIGHTED_RULE_ID } },
    answers: ok('The rule was removed', RemovedWeightedRule, {
      status: 'removed',
      id: WEIGHTED_RULE_ID,
    }),
    errors: ['NOT_FOUND', 'STORE_UNAVAILABLE'],
    handler: async (request, { settings }) => {
      const { id } = request.params
      await settings.removeWeightedRule(id)
      return { status: 'removed', id }
    },
  }),
]

/** @throws TamisError FIELD_INVALID, as a line of a file would be refused. */
function checkedRule(body: Static<typeof WeightedRuleBody>): NewWeightedRule {
  const { name, weight } = body
  const checked = checkWeightedRule({ name, weight, conditions: body.conditions as Condition[] })
  if ('fault' in checked) throw invalidField(checked.field, checked.fault)
  return { ...checked }
}

/** Of the files, those rules that are about the tenant's mail. */
function pageOfFiles(page: PageQuery, rules: readonly FileWeightedRule[]) {
  return pageOfAll(
    page,
    rules.filter((rule) => rule.tenant === undefined),
  )
}

function recordOf(rule: TenantWeightedRule | FileWeightedRule): WeightedRuleRecord {
  const { id, name, weight, conditions } = rule
  return {
    id,
    name,
    weight,
    conditions: conditions.map((condition) => ({ ...condition })),
    source: 'createdAt' in rule ? 'api' : 'files',
    createdAt: 'createdAt' in rule ? rule.createdAt.toISOString() : null,
  }
}
