/**
 * The lists that the knowledge of senders and hosts is made from (docs/data.md): facts that
 * others have gathered, none of their prose.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DomainKind } from '../../mail/knowledge/domain-table.ts'

export interface Source {
  /** As NOTICE and the manifest name it. */
  readonly name: string
  /** Of the list, as far as it says so itself. */
  readonly date: string
  readonly licence: string
}

/** A file of names, one a line; a dot before a name means that what is below it counts, as it always does here. */
export interface NameFile extends Source {
  readonly file: string
  readonly kind: DomainKind
}

const SOURCES: {
  readonly names: readonly NameFile[]
  readonly known: Readonly<Record<string, Source>>
  readonly networks: Source & { readonly file: string }
} = JSON.parse(readFileSync(join(import.meta.dirname, '../data/knowledge/sources.json'), 'utf8'))

/** In this order: a name that stands in several is of the first one's kind. */
export const NAME_FILES: readonly NameFile[] = SOURCES.names

/** Tab-separated: a name, and the letters of the lists that it stands in. */
export const KNOWN_FILE = 'known_domains.tsv.gz'

/** Lists of what exists, by their letters. */
export const KNOWN_LISTS: Readonly<Record<string, Source>> = SOURCES.known

export const NETWORK_FILE: Source & { readonly file: string } = SOURCES.networks

/** What is nobody's, beside this file: kind, name and reason. */
export const STRIKE_OUTS = 'strike-outs.tsv'
