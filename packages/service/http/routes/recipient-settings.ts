/**
 * Routes for what a tenant sets for one user, or for the recipients of a domain: the threshold,
 * whether anything is learned from them (docs/site-rules.md), and from when on their mail is refused or held. Beyond the interface.
 */
import { type Static, Type } from 'typebox'
import { comparedHost } from '../../../mail/personalization/sender-address.ts'
import { DOMAIN_FAULT } from '../../site-rules.ts'
import {
  type MailLimit,
  type MailLimits,
  RECIPIENT_KINDS,
  RECIPIENT_LEARNING,
  type RecipientName,
  type RecipientSetting,
  type RecipientThreshold,
} from '../../tenants/recipient-setting.ts'
import { invalidField } from '../field-errors.ts'
import { isUserId, USER_ID_RULE } from '../metadata.ts'
import { CREATED_AT } from '../openapi/examples.ts'
import { NEXT_FIELD, PAGE_FIELDS, pageOf } from '../page-of.ts'
import { ok, operation } from '../route.ts'
import { Closed, Component, NameOf, SMALL_BODY_BYTES_MAX } from '../schemas.ts'

const PRESETS = ['cautious', 'balanced', 'strict'] as const

const NAME_FIELDS = {
  kind: NameOf(
    RECIPIENT_KINDS,
    '`user`: a user id; `domain`: all user ids that are addresses at this domain',
  ),
  name: Type.String({
    minLength: 1,
    maxLength: 1_024,
    description: 'The user id, or the domain',
    examples: ['example.org'],
  }),
}

const threshold = Type.Unsafe<RecipientThreshold | null>({
  type: ['string', 'number', 'null'],
  description:
    '`cautious`, `balanced`, `strict`, or the probability above which a message is spam, above 0 and below 1; null: not set',
  examples: ['strict'],
})

const learning = Type.Unsafe<(typeof RECIPIENT_LEARNING)[number] | null>({
  type: ['string', 'null'],
  enum: [...RECIPIENT_LEARNING, null],
  description:
    '`off`: corrections change only the user’s own rules and memory; `on`: Tamis learns from them for all users, as far as `TAMIS_LEARNING` allows; null: not set',
  examples: ['off'],
})

const limit = (what: string) =>
  Type.Unsafe<MailLimit | null>({
    type: ['number', 'string', 'null'],
    description: `The milter ${what} spam for this recipient from this probability on, above 0 and at most 1; \`never\`: not at all; null: not set, and the option of the milter holds`,
    examples: [0.999],
  })

const rejectAt = limit('refuses')

const quarantineAt = limit('holds')

const RecipientSettingBody = Component('RecipientSettingBody', {
  ...NAME_FIELDS,
  threshold: Type.Optional(threshold),
  learning: Type.Optional(learning),
  rejectAt: Type.Optional(rejectAt),
  quarantineAt: Type.Optional(quarantineAt),
})

const RecipientBody = Component('RecipientBody', NAME_FIELDS)

const RecipientSettingRecord = Component('RecipientSetting', {
  ...NAME_FIELDS,
  threshold,
  learning,
  rejectAt,
  quarantineAt,
  updatedAt: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Time of the last change; null if nothing is set',
  }),
})

type RecipientSettingRecord = Static<typeof RecipientSettingRecord>

const RecipientSettings = Component('RecipientSettings', {
  recipients: Type.Array(RecipientSettingRecord),
  next: NEXT_FIELD,
})

const RemovedRecipient = Component('RemovedRecipient', {
  status: Type.Literal('removed'),
  ...NAME_FIELDS,
})

const EXAMPLE_NAME = { kind: 'domain', name: 'example.org' }

const EXAMPLE = {
  ...EXAMPLE_NAME,
  threshold: 'strict',
  learning: null,
  rejectAt: 0.999,
  quarantineAt: null,
  updatedAt: CREATED_AT,
}

export const RECIPIENT_SETTINGS = [
  operation({
    method: 'GET',
    path: '/recipient-settings',
    scope: 'admin',
    operationId: 'recipientSettings',
    tag: 'Site',
    summary: 'Settings of users and of the recipients of domains',
    description:
      'The settings that the tenant has made: domains first, then users, each by name. The operator’s configuration (`TAMIS_RECIPIENT_THRESHOLDS`, `TAMIS_LEARNING_OFF_FOR`) is not included.',
    query: Closed(PAGE_FIELDS),
    answers: ok('A page of settings', RecipientSettings, { recipients: [EXAMPLE], next: null }),
    errors: ['STORE_UNAVAILABLE'],
    handler: async (request, { settings }) => {
      const { entries, next } = await pageOf(
        request.query,
        (limit, after: RecipientName | undefined) => settings.recipients(limit, after),
        ({ kind, name }) => [kind, name],
        placeOfRecipient,
      )
      return { recipients: entries.map((setting) => recordOf(setting, setting)), next }
    },
  }),
  operation({
    method: 'PATCH',
    path: '/recipient-settings',
    scope: 'admin',
    operationId: 'setRecipient',
    tag: 'Site',
    summary: 'Sets threshold, learning or limits for a user, or for the recipients of a domain',
    description:
      'An absent field does not change; null removes the setting. A user’s setting takes precedence over the domain’s, and both over the operator’s configuration. The change applies at once in this process, and within a second or two in others.',
    body: { schema: RecipientSettingBody, bytesMax: SMALL_BODY_BYTES_MAX },
    example: { body: { ...EXAMPLE_NAME, threshold: 'strict' } },
    answers: ok('The current settings', RecipientSettingRecord, EXAMPLE),
    errors: ['RULES_FULL', 'STORE_UNAVAILABLE'],
    handler: async (request, { settings }) => {
      const { threshold, learning, rejectAt, quarantineAt } = request.body
      const given = [threshold, learning, rejectAt, quarantineAt]
      if (given.every((value) => value === undefined)) {
        throw invalidField('threshold', 'or learning, rejectAt or quarantineAt is missing')
      }
      const recipient = checkedName(request.body)
      const change = {
        ...recipient,
        threshold: checkedThreshold(threshold),
        learning,
        rejectAt: checkedLimit('rejectAt', rejectAt),
        quarantineAt: checkedLimit('quarantineAt', quarantineAt),
      }
      const setting = await settings.setRecipient(change)
      return recordOf(recipient, setting)
    },
  }),
  operation({
    method: 'DELETE',
    path: '/recipient-settings',
    scope: 'admin',
    operationId: 'removeRecipient',
    tag: 'Site',
    summary: 'Removes the settings of a user, or of the recipients of a domain',
    description:
      "From then on, the defaults apply to them. Forgetting a user also removes the user's settings.",
    body: { schema: RecipientBody, bytesMax: SMALL_BODY_BYTES_MAX },
    example: { body: EXAMPLE_NAME },
    answers: ok('The settings were removed', RemovedRecipient, {
      status: 'removed',
      ...EXAMPLE_NAME,
    }),
    errors: ['NOT_FOUND', 'STORE_UNAVAILABLE'],
    handler: async (request, { settings }) => {
      const recipient = checkedName(request.body)
      await settings.removeRecipient(recipient)
      return { status: 'removed', ...recipient }
    },
  }),
]

/** Users are compared byte for byte, domains as DNS has them. @throws TamisError FIELD_INVALID */
function checkedName({ kind, name }: Static<typeof RecipientBody>): RecipientName {
  if (kind === 'user') {
    if (!isUserId(name)) throw invalidField('name', `is not ${USER_ID_RULE}`)
    return { kind, name }
  }
  const domain = comparedHost(name)
  if (domain === undefined) throw invalidField('name', DOMAIN_FAULT)
  return { kind, name: domain }
}

/** @throws TamisError FIELD_INVALID */
function checkedThreshold(value: unknown): RecipientThreshold | null | undefined {
  if (value === undefined || value === null) return value
  const preset = PRESETS.find((name) => name === value)
  if (preset !== undefined) return preset
  if (typeof value === 'number' && value > 0 && value < 1) return value
  throw invalidField(
    'threshold',
    `must be one of ${PRESETS.join(', ')}, or a number above 0 and below 1`,
  )
}

/** @throws TamisError FIELD_INVALID */
function checkedLimit(field: keyof MailLimits, value: unknown): MailLimit | null | undefined {
  if (value === undefined || value === null || value === 'never') return value
  if (typeof value === 'number' && value > 0 && value <= 1) return value
  throw invalidField(field, 'must be never, or a number above 0 and at most 1')
}

function placeOfRecipient([kind, name]: readonly unknown[]): RecipientName | undefined {
  const known = RECIPIENT_KINDS.find((each) => each === kind)
  return known === undefined || typeof name !== 'string' ? undefined : { kind: known, name }
}

function recordOf(
  { kind, name }: RecipientName,
  setting: RecipientSetting | undefined,
): RecipientSettingRecord {
  return {
    kind,
    name,
    threshold: setting?.threshold ?? null,
    learning: setting?.learning ?? null,
    rejectAt: setting?.rejectAt ?? null,
    quarantineAt: setting?.quarantineAt ?? null,
    updatedAt: setting?.updatedAt.toISOString() ?? null,
  }
}
