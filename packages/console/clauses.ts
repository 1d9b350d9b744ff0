/** What signals say, from the table that the service has it from. */
import { claimClause, type SenderStanding } from '../mail/verdict/texts.ts'

let clauses: ReadonlyMap<string, string> | undefined

/**
 * Loads them once, with the first message: other pages have their sentences from the service.
 *
 * @param read gives the text of signals.tsv.
 */
export async function loadClauses(read: () => Promise<string> = signalsTable): Promise<void> {
  clauses ??= clausesIn(await read())
}

async function signalsTable(): Promise<string> {
  return (await import('../mail/signals/signals.tsv?raw')).default
}

/** By the name of the signal. */
function clausesIn(table: string): ReadonlyMap<string, string> {
  const rows = table.split('\n').map((line) => line.split('\t'))
  const column = rows.find(([name]) => name === 'name')?.indexOf('clause') ?? -1
  return new Map(rows.map((cells) => [cells[0]!, cells[column] ?? '']))
}

/** What is true of a message with the signal `name`; undefined for one of another version. */
export function signalClause(name: string, sender?: SenderStanding): string | undefined {
  return claimClause(name, sender) ?? clauses?.get(name)
}
