/** Runs an operation by its name (operations.ts), on the thread that has the connection. */
import * as changes from './changes.ts'
import type { Context, Queries } from './context.ts'
import * as corrections from './corrections.ts'
import * as correspondents from './correspondents.ts'
import * as counts from './counts.ts'
import type { Written } from './database.ts'
import * as history from './history.ts'
import * as installation from './installation.ts'
import * as jobs from './jobs.ts'
import * as keys from './keys.ts'
import * as models from './models.ts'
import type { Functions, OperationName } from './operations.ts'
import * as operatorRules from './operator-rules.ts'
import * as rules from './rules.ts'
import * as userList from './user-list.ts'
import * as users from './users.ts'

const FUNCTIONS: Pick<Functions, OperationName> = {
  ...changes,
  ...corrections,
  ...correspondents,
  ...counts,
  ...history,
  ...installation,
  ...jobs,
  ...keys,
  ...models,
  ...operatorRules,
  ...rules,
  ...userList,
  ...users,
}

/** @param args what the operation takes beside database and context; the store's types check them. */
export function runOperation(
  db: Queries,
  context: Context,
  name: OperationName,
  args: readonly unknown[],
): Promise<unknown> {
  const run: (db: Queries, context: Context, ...args: never[]) => Promise<unknown> = FUNCTIONS[name]
  return run(db, context, ...(args as never[]))
}

/** Runs an operation that writes, in a transaction. */
export async function runWrite(
  db: Queries,
  context: Context,
  name: OperationName,
  args: readonly unknown[],
): Promise<Written> {
  return { value: await runOperation(db, context, name, args), changes: context.changes }
}
