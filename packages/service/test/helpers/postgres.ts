/**
 * A PostgreSQL for tests: the one of TAMIS_TEST_DATABASE_URL, or the one that scripts/ci-services
 * starts. Each test works in a schema of its own, which is dropped afterwards.
 */
import pg from 'pg'

const DATABASE_URL =
  process.env['TAMIS_TEST_DATABASE_URL'] ?? 'postgres://tamis:tamis@127.0.0.1:5432/tamis_test'

/** A server on the same machine answers at once or not at all. */
const CONNECT_TIMEOUT_MS = 1_000

/** Why no PostgreSQL can be tested with; undefined when one answers. */
export async function postgresAbsent(): Promise<string | undefined> {
  try {
    await query('select 1')
    return undefined
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    return `No PostgreSQL at ${new URL(DATABASE_URL).host}: ${message || code}`
  }
}

/**
 * Makes a schema; gives the URL under which a store sees it and nothing else.
 *
 * @param after registers what drops it.
 */
export async function makeSchema(after: (drop: () => Promise<unknown>) => void): Promise<string> {
  const schema = `test_${crypto.randomUUID().replaceAll('-', '')}`
  await query(`create schema ${schema}`)
  after(() => query(`drop schema if exists ${schema} cascade`))
  const url = new URL(DATABASE_URL)
  // The name of the application tells this store's connections from those of other tests.
  url.searchParams.set('application_name', schema)
  url.searchParams.set('options', `-c search_path=${schema}`)
  return url.href
}

/** Runs one statement on a connection of its own. */
export async function query(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  return await queryAt(DATABASE_URL, text, values)
}

/** Runs one statement where `url` leads. */
export async function queryAt(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<pg.QueryResult> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  await client.connect()
  try {
    return await client.query(text, values)
  } finally {
    await client.end()
  }
}
