/** What tenants have set for users and for the recipients of domains. */
import type { Selectable } from 'kysely'
import { TamisError } from '../../errors/errors.ts'
import { WEIGHTED_RULES_MAX } from '../../mail/personalization/weighted-rule.ts'
import type {
  MailLimit,
  RecipientChange,
  RecipientLearning,
  RecipientName,
  RecipientSetting,
  RecipientThreshold,
} from '../tenants/recipient-setting.ts'
import type { TenantProfile } from '../tenants/tenant-profile.ts'
import { appendChange, tellOfUser } from './changes.ts'
import type { Context, Queries } from './context.ts'
import { checkLimit, date, optional } from './rows.ts'
import { SITE_RULES_MAX, siteRules } from './site-rules.ts'
import { storedText, storedUserId } from './stored-text.ts'
import type { Tables } from './tables.ts'
import { weightedRules } from './weighted-rules.ts'

/** The most recipients of one tenant that have settings of their own. Every process holds all of them in memory. */
const SETTINGS_MAX = 10_000

const SET_NAMES = ['threshold', 'learning', 'rejectAt', 'quarantineAt'] as const

/**
 * Changes what is set for a recipient. Gives what is set then; undefined for nothing.
 *
 * @throws TamisError RULES_FULL for a tenant with 10,000 such recipients.
 */
export async function setRecipient(
  db: Queries,
  context: Context,
  tenant: string,
  change: RecipientChange,
): Promise<RecipientSetting | undefined> {
  const existing = await selectSetting(db, tenant, change)
  const threshold = afterChange(existing?.threshold, change.threshold)
  const learning = afterChange(existing?.learning, change.learning)
  const rejectAt = afterChange(existing?.rejectAt, change.rejectAt)
  const quarantineAt = afterChange(existing?.quarantineAt, change.quarantineAt)
  const after = { threshold, learning, rejectAt, quarantineAt }
  if (Object.values(after).every((value) => value === undefined)) {
    await removeRecipient(db, context, tenant, change)
    return undefined
  }
  if (SET_NAMES.every((name) => after[name] === existing?.[name])) return existing
  if (existing === undefined) await refuseIfFull(db, tenant)
  const values = {
    threshold: columnOf(threshold),
    learning: learning ?? null,
    reject_at: columnOf(rejectAt),
    quarantine_at: columnOf(quarantineAt),
    updated_at: context.now.getTime(),
  }
  const row = await db
    .insertInto('recipient_settings')
    .values({ tenant, ...columnsOf(change), ...values })
    .onConflict((conflict) => conflict.columns(['tenant', 'kind', 'name']).doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow()
  await tell(db, context, tenant, change, learning !== existing?.learning)
  return settingOfRow(row)
}

/** Removes all that is set for a recipient. False when there was nothing. */
export async function removeRecipient(
  db: Queries,
  context: Context,
  tenant: string,
  recipient: RecipientName,
): Promise<boolean> {
  const { kind, name } = columnsOf(recipient)
  const removed = await db
    .deleteFrom('recipient_settings')
    .where('tenant', '=', tenant)
    .where('kind', '=', kind)
    .where('name', '=', name)
    .returning('learning')
    .executeTakeFirst()
  if (removed === undefined) return false
  await tell(db, context, tenant, recipient, removed.learning !== null)
  return true
}

/** At most `limit` settings of the tenant, domains first, each by name, those after `after`. */
export async function recipientSettings(
  db: Queries,
  _context: Context,
  tenant: string,
  limit: number,
  after?: RecipientName,
): Promise<RecipientSetting[]> {
  const rows = await db
    .selectFrom('recipient_settings')
    .selectAll()
    .where('tenant', '=', tenant)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('kind', 'name'), '>', tuple(after!.kind, storedText(after!.name))),
      ),
    )
    .orderBy('kind')
    .orderBy('name')
    .limit(checkLimit(limit))
    .execute()
  return rows.map(settingOfRow)
}

/** All that judging needs to know of a tenant, in one call. */
export async function tenantProfile(
  db: Queries,
  context: Context,
  tenant: string,
): Promise<TenantProfile> {
  return {
    siteRules: await siteRules(db, context, tenant, SITE_RULES_MAX),
    recipients: await recipientSettings(db, context, tenant, SETTINGS_MAX),
    weightedRules: await weightedRules(db, context, tenant, WEIGHTED_RULES_MAX),
  }
}

async function selectSetting(
  db: Queries,
  tenant: string,
  recipient: RecipientName,
): Promise<RecipientSetting | undefined> {
  const { kind, name } = columnsOf(recipient)
  const row = await db
    .selectFrom('recipient_settings')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('kind', '=', kind)
    .where('name', '=', name)
    .executeTakeFirst()
  return row === undefined ? undefined : settingOfRow(row)
}

function afterChange<Value>(before: Value | undefined, change: Value | null | undefined) {
  return change === undefined ? before : (change ?? undefined)
}

/** A number as text, or a word. */
function columnOf(value: number | string | undefined): string | null {
  return value === undefined ? null : String(value)
}

async function refuseIfFull(db: Queries, tenant: string): Promise<void> {
  const { count } = await db
    .selectFrom('recipient_settings')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('tenant', '=', tenant)
    .executeTakeFirstOrThrow()
  if (Number(count) < SETTINGS_MAX) return
  throw new TamisError(
    'RULES_FULL',
    `The tenant already has settings for ${SETTINGS_MAX} recipients; set a domain in place of its users`,
  )
}

/** Whose learning has changed has other personal deltas, and so have all users of a domain. */
async function tell(
  db: Queries,
  context: Context,
  tenant: string,
  { kind, name }: RecipientName,
  learningChanged: boolean,
): Promise<void> {
  await appendChange(db, context, { tenant, topic: 'tenant' })
  if (!learningChanged) return
  if (kind === 'user') await tellOfUser(db, context, tenant, name)
  else await appendChange(db, context, { tenant, topic: 'user' })
}

function columnsOf({ kind, name }: RecipientName) {
  return { kind, name: kind === 'user' ? storedUserId(name) : storedText(name) }
}

function settingOfRow(row: Selectable<Tables['recipient_settings']>): RecipientSetting {
  return {
    kind: row.kind,
    name: row.name,
    ...optional('threshold', row.threshold, thresholdOf),
    ...optional('learning', row.learning, (learning): RecipientLearning => learning),
    ...optional('rejectAt', row.reject_at, limitOf),
    ...optional('quarantineAt', row.quarantine_at, limitOf),
    updatedAt: date(row.updated_at),
  }
}

function limitOf(text: string): MailLimit {
  return text === 'never' ? text : Number(text)
}

function thresholdOf(text: string): RecipientThreshold {
  const number = Number(text)
  return Number.isNaN(number) ? (text as RecipientThreshold) : number
}
