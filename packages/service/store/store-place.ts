/** Where a store is, and whose: an operator who runs a command in another folder may have two. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { userName } from '../file-owner.ts'

export interface StorePlace {
  /** SQLite: the absolute path of the file. PostgreSQL: database, schema and host, without a password. */
  readonly at: string
  /** SQLite: the user who owns the file. PostgreSQL: the role that owns the tables. */
  readonly owner: string
  /** Whether opening it has made it. */
  readonly isNew: boolean
}

export function sqlitePlace(file: string, isNew: boolean): StorePlace {
  return { at: resolve(file), owner: userName(statSync(file).uid), isNew }
}

/** One row of PostgreSQL; its owner is null while there is no table. */
export interface PlaceRow {
  readonly database: string
  readonly schema: string
  readonly owner: string | null
}

export const PLACE_QUERY = `
  select current_database() as database,
    coalesce(relnamespace::regnamespace::text, current_schema()) as schema,
    pg_get_userbyid(relowner) as owner
  from (values (to_regclass('kysely_migration'))) as wanted (id)
  left join pg_class on pg_class.oid = wanted.id
`

/** 'database tamis, schema public, on db.example.org:5432'. */
export function postgresText(
  databaseUrl: string,
  { database, schema }: Pick<PlaceRow, 'database' | 'schema'>,
): string {
  const { host, searchParams } = new URL(databaseUrl)
  const server = host || searchParams.get('host') || 'this machine'
  return `database ${database}, schema ${schema}, on ${server}`
}

/** 'Store: /var/lib/tamis/tamis.sqlite (owner tamis), made just now'. */
export function placeText({ at, owner, isNew }: StorePlace): string {
  return `Store: ${at} (owner ${owner})${isNew ? ', made just now' : ''}`
}
