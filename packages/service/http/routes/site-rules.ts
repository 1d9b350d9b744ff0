/**
 * Routes for the rules of a tenant's site: what it allows and blocks for all its users, or for the
 * recipients of a domain (docs/site-rules.md). Beyond the interface.
 */
import { type Static, Type } from 'typebox'
import { prefixOf } from '../../../mail/knowledge/network-table.ts'
import { SPAM_LABELS } from '../../../mail/learning/learn-event.ts'
import { SITE_RULE_TYPES } from '../../../mail/personalization/kinds.ts'
import { comparedHost } from '../../../mail/personalization/sender-address.ts'
import {
  checkSitePattern,
  type SiteRule,
  type SiteRuleIndex,
} from '../../../mail/personalization/site-rules.ts'
import { type Caller, callerOf } from '../../access/caller.ts'
import { DOMAIN_FAULT, patternFault } from '../../site-rules.ts'
import type { NewTenantRule, RulePlace, TenantRule } from '../../tenants/site-rule.ts'
import { invalidField } from '../field-errors.ts'
import { canonicalIp } from '../ip-address.ts'
import { CREATED_AT, SITE_RULE_ID } from '../openapi/examples.ts'
import { NEXT_FIELD, PAGE_FIELDS, type PageQuery, pageOf, pageOfAll } from '../page-of.ts'
import { ok, operation } from '../route.ts'
import { Closed, Component, NameOf, SMALL_BODY_BYTES_MAX, Text } from '../schemas.ts'

const SOURCES = ['api', 'files'] as const

const RULE_FIELDS = {
  label: NameOf(SPAM_LABELS, '`spam` blocks, `ham` allows'),
  ruleType: NameOf(SITE_RULE_TYPES, 'What the rule matches'),
  pattern: Type.String({
    minLength: 1,
    maxLength: 1_024,
    description:
      'A Sender rule has an address, a domain, `*@domain` or `*.domain`; a List rule a List-Id or the address of a list; a Host rule the name of a host, a domain or `*.domain`; a Network rule an IP address or a network (`192.0.2.0/24`); an Attachment rule, which can only block, `exe`, `script`, `iso`, `lnk`, `macro` or `encrypted`',
    examples: ['*.top'],
  }),
  recipientDomain: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_024,
      description:
        'Only for recipients whose user ids are addresses at this domain; if absent, for all',
      examples: ['example.org'],
    }),
  ),
}

const SiteRuleBody = Component('SiteRuleBody', RULE_FIELDS)

const SiteRuleRecord = Component('SiteRule', {
  id: Text('Id of the rule, also shown where it decided; for a file rule, file name and line'),
  ...RULE_FIELDS,
  source: NameOf(SOURCES, '`files`: of the operator (TAMIS_SITE_RULES); the API cannot change it'),
  createdAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Time of creation; null for a file rule',
  }),
})

type SiteRuleRecord = Static<typeof SiteRuleRecord>

const SiteRulesQuery = Closed({
  source: Type.Optional(
    NameOf(SOURCES, '`api`, the default: made by API; `files`: those of the operator’s files'),
  ),
  ...PAGE_FIELDS,
})

const SiteRules = Component('SiteRules', { rules: Type.Array(SiteRuleRecord), next: NEXT_FIELD })

const SiteRuleParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) })

const RemovedSiteRule = Component('RemovedSiteRule', {
  status: Type.Literal('removed'),
  id: Type.String(),
})

const EXAMPLE_BODY = {
  label: 'spam',
  ruleType: 'Sender',
  pattern: '*.top',
  recipientDomain: 'example.org',
}

const EXAMPLE = { id: SITE_RULE_ID, ...EXAMPLE_BODY, source: 'api', createdAt: CREATED_AT }

export const SITE_RULES = [
  operation({
    method: 'GET',
    path: '/site-rules',
    scope: 'admin',
    entitlement: 'spam',
    operationId: 'siteRules',
    tag: 'Site',
    summary: 'The site rules',
    description:
      'The rules that the tenant has made, newest first; or, with `source=files`, those in the operator’s files that name the tenant or apply to all mail, in their order. A file rule for the recipients of a domain in any tenant is shown only to keys with the scope `operator`.',
    query: SiteRulesQuery,
    example: { query: { source: 'api' } },
    answers: ok('A page of rules', SiteRules, { rules: [EXAMPLE], next: null }),
    errors: ['STORE_UNAVAILABLE'],
    handler: async (request, { settings, classifier }) => {
      const caller = callerOf(request)
      const { source = 'api', ...page } = request.query
      const { entries, next } =
        source === 'files'
          ? await pageOfFiles(page, classifier.siteRules, caller)
          : await pageOf(
              page,
              (limit, after: RulePlace | undefined) => settings.rules(limit, after),
              ({ createdAt, id }) => [createdAt.getTime(), id],
              placeOfRule,
            )
      return { rules: entries.map(recordOf), next }
    },
  }),
  operation({
    method: 'POST',
    path: '/site-rules',
    scope: 'admin',
    entitlement: 'spam',
    operationId: 'createSiteRule',
    tag: 'Site',
    summary: 'Allows or blocks for all users of the or for the recipients of a domain',
    description:
      'The rule applies at once in this process, and within a second or two in others. Users’ own rules take precedence over it, and it takes precedence over the operator’s files (docs/site-rules.md). If the rule already exists, the answer is that rule.',
    body: { schema: SiteRuleBody, bytesMax: SMALL_BODY_BYTES_MAX },
    example: { body: EXAMPLE_BODY },
    answers: {
      200: { description: 'The rule already existed', schema: SiteRuleRecord, example: EXAMPLE },
      201: { description: 'The rule was created', schema: SiteRuleRecord, example: EXAMPLE },
    },
    errors: ['RULE_CONTRADICTS', 'RULES_FULL', 'STORE_UNAVAILABLE'],
    handler: async (request, { settings }, reply) => {
      const { rule, created } = await settings.addRule(checkedRule(request.body))
      return reply.code(created ? 201 : 200).send(recordOf(rule))
    },
  }),
  operation({
    method: 'DELETE',
    path: '/site-rules/:id',
    scope: 'admin',
    operationId: 'removeSiteRule',
    tag: 'Site',
    summary: 'Removes a site rule',
    description: 'Removes a rule that the tenant has made, by its id.',
    params: SiteRuleParams,
    example: { params: { id: SITE_RULE_ID } },
    answers: ok('The rule was removed', RemovedSiteRule, { status: 'removed', id: SITE_RULE_ID }),
    errors: ['NOT_FOUND', 'STORE_UNAVAILABLE'],
    handler: async (request, { settings }) => {
      const { id } = request.params
      await settings.removeRule(id)
      return { status: 'removed', id }
    },
  }),
]

/** @throws TamisError FIELD_INVALID, as a line of a file would be refused. */
function checkedRule({
  label,
  ruleType,
  pattern,
  recipientDomain,
}: Static<typeof SiteRuleBody>): NewTenantRule {
  const checked = checkSitePattern(ruleType, label, pattern)
  if (checked === undefined) throw invalidField('pattern', patternFault(ruleType, label, pattern))
  const rule = {
    label,
    ruleType,
    pattern: ruleType === 'Network' ? canonicalNetwork(checked) : checked,
  }
  if (recipientDomain === undefined) return rule
  const domain = comparedHost(recipientDomain)
  if (domain === undefined) throw invalidField('recipientDomain', DOMAIN_FAULT)
  return { ...rule, recipientDomain: domain }
}

/** One text for each network, so that the same one has one rule: `2001:db8::/32`, and IPv4 as itself. */
function canonicalNetwork(network: string): string {
  const address = canonicalIp(network.slice(0, network.indexOf('/')))!
  const isIPv4 = !address.includes(':')
  // Of an IPv4 network too the prefix is that of an IPv6 address; 96 bits come before its own.
  return `${address}/${prefixOf(network)!.bits - (isIPv4 ? 96 : 0)}`
}

/** The place in a list that a cursor names. */
export function placeOfRule([ms, id]: readonly unknown[]): RulePlace | undefined {
  if (typeof ms !== 'number' || typeof id !== 'string') return undefined
  const createdAt = new Date(ms)
  return Number.isNaN(createdAt.getTime()) ? undefined : { createdAt, id }
}

/** Of the files, those rules that the caller may see. */
function pageOfFiles(page: PageQuery, { rules }: SiteRuleIndex, caller: Caller) {
  return pageOfAll(
    page,
    rules.filter((rule) => isVisible(rule, caller)),
  )
}

function isVisible({ scope }: SiteRule, { scopes }: Caller): boolean {
  if (scope.tenant !== undefined) return false
  return scope.recipientDomain === undefined || scopes.has('operator')
}

function recordOf(rule: TenantRule | SiteRule): SiteRuleRecord {
  const { id, label, ruleType, pattern } = rule
  const { recipientDomain } = 'scope' in rule ? rule.scope : rule
  return {
    id,
    label,
    ruleType,
    pattern,
    ...(recipientDomain !== undefined && { recipientDomain }),
    source: 'scope' in rule ? 'files' : 'api',
    createdAt: 'scope' in rule ? null : rule.createdAt.toISOString(),
  }
}
