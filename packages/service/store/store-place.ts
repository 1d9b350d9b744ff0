/** Where a store is, and whose: an operator who runs a command in another folder may have two. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { userName } from '../file-owner.ts'

export interface StorePlace {
  /** SQLite: the absolute path of the file. PostgreSQL: database and host, without a password. */
  readonly at: string
  /** SQLite: the user who owns the file. */
  readonly owner?: string
  /** Whether opening it has made it. */
  readonly isNew: boolean
}

export function sqlitePlace(file: string, isNew: boolean): StorePlace {
  return { at: resolve(file), owner: userName(statSync(file).uid), isNew }
}

/** 'database tamis on db.example.org:5432'. */
export function postgresText(databaseUrl: string): string {
  const { host, pathname, searchParams } = new URL(databaseUrl)
  const server = host || searchParams.get('host') || 'this machine'
  return `database ${decodeURIComponent(pathname.slice(1))} on ${server}`
}

/** 'Store: /var/lib/tamis/tamis.sqlite (owner tamis), made just now'. */
export function placeText({ at, owner, isNew }: StorePlace): string {
  const whose = owner === undefined ? '' : ` (owner ${owner})`
  return `Store: ${at}${whose}${isNew ? ', made just now' : ''}`
}
