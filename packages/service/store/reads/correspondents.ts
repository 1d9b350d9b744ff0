/** The correspondents of a user. */
import type {
  CorrespondentKeys,
  CorrespondentKind,
  CorrespondentPlace,
  ListedCorrespondent,
} from '../../users/correspondent.ts'
import { checkLimit, fromRow, storedUserId } from '../rows.ts'
import type { Queries } from '../tables.ts'

/** The keys that count in a verdict. */
export async function correspondentKeys(db: Queries, userId: string): Promise<CorrespondentKeys> {
  const rows = await db
    .selectFrom('correspondents')
    .select(['kind', 'key'])
    .where('user_id', '=', storedUserId(userId))
    .where('kind', 'in', ['written', 'sent', 'received'])
    .orderBy('key')
    .execute()
  const keysOf = (kind: CorrespondentKind) =>
    new Uint8Array(Buffer.concat(rows.filter((row) => row.kind === kind).map(({ key }) => key)))
  return { written: keysOf('written'), sent: keysOf('sent'), received: keysOf('received') }
}

/** A user's correspondents after `after`, in the order of kinds and keys. */
export async function correspondentsOf(
  db: Queries,
  userId: string,
  limit: number,
  after?: CorrespondentPlace,
): Promise<ListedCorrespondent[]> {
  const rows = await db
    .selectFrom('correspondents')
    .select(['key', 'kind', 'times', 'first_at', 'last_at'])
    .where('user_id', '=', storedUserId(userId))
    .$if(after !== undefined, (query) =>
      query.where(({ eb, and, or }) =>
        or([
          eb('kind', '>', after!.kind),
          and([eb('kind', '=', after!.kind), eb('key', '>', after!.key)]),
        ]),
      ),
    )
    .orderBy('kind')
    .orderBy('key')
    .limit(checkLimit(limit))
    .execute()
  return rows.map((row) => fromRow(row))
}
