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
  change: RecipientChange,
): Promise<RecipientSetting | undefined> {
  const existing = await selectSetting(db, change)
  const threshold = afterChange(existing?.threshold, change.threshold)
  const learning = afterChange(existing?.learning, change.learning)
  const rejectAt = afterChange(existing?.rejectAt, change.rejectAt)
  const quarantineAt = afterChange(existing?.quarantineAt, change.quarantineAt)
  const after = { threshold, learning, rejectAt, quarantineAt }
  if (Object.values(after).every((value) => value === undefined)) {
    await removeRecipient(db, context, change)
    return undefined
  }
  if (SET_NAMES.every((name) => after[name] === existing?.[name])) return existing
  if (existing === undefined) await refuseIfFull(db)
  const values = {
    threshold: columnOf(threshold),
    learning: learning ?? null,
    reject_at: columnOf(rejectAt),
    quarantine_at: columnOf(quarantineAt),
    updated_at: context.now.getTime(),
  }
  const row = await db
    .insertInto('recipient_settings')
    .values({ ...columnsOf(change), ...values })
    .onConflict((conflict) => conflict.columns(['kind', 'name']).doUpdateSet(values))
    .returningAll()
    .executeTakeFirstOrThrow()
  await tell(db, context, change, learning !== existing?.learning)
  return settingOfRow(row)
}

/** Removes all that is set for a recipient. False when there was nothing. */
export async function removeRecipient(
  db: Queries,
  context: Context,
  recipient: RecipientName,
): Promise<boolean> {
  const { kind, name } = columnsOf(recipient)
  const removed = await db
    .deleteFrom('recipient_settings')
    .where('kind', '=', kind)
    .where('name', '=', name)
    .returning('learning')
    .executeTakeFirst()
  if (removed === undefined) return false
  await tell(db, context, recipient, removed.learning !== null)
  return true
}

/** At most `limit` settings of the domains first, each by name, those after `after`. */
export async function recipientSettings(
  db: Queries,
  _context: Context,
  limit: number,
  after?: RecipientName,
): Promise<RecipientSetting[]> {
  const rows = await db
    .selectFrom('recipient_settings')
    .selectAll()
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

/** All that judging needs to know of a in one call. */
export async function tenantProfile(db: Queries, context: Context): Promise<TenantProfile> {
  return {
    siteRules: await siteRules(db, context, SITE_RULES_MAX),
    recipients: await recipientSettings(db, context, SETTINGS_MAX),
    weightedRules: await weightedRules(db, context, WEIGHTED_RULES_MAX),
  }
}

async function selectSetting(
  db: Queries,
  recipient: RecipientName,
): Promise<RecipientSetting | undefined> {
  const { kind, name } = columnsOf(recipient)
  const row = await db
    .selectFrom('recipient_settings')
    .selectAll()
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

async function refuseIfFull(db: Queries): Promise<void> {
  const { count } = await db
    .selectFrom('recipient_settings')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
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
  { kind, name }: RecipientName,
  learningChanged: boolean,
): Promise<void> {
  await appendChange(db, context, { topic: 'rules' })
  if (!learningChanged) return
  if (kind === 'user') await tellOfUser(db, context, name)
  else await appendChange(db, context, { topic: 'user' })
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
