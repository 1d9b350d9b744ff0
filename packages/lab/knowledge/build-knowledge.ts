/** Lists -> the artifact of known senders and hosts. The same lists give the same bytes. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { TamisError } from '../../errors/errors.ts'
import {
  type DomainKind,
  domainTable,
  falsePositiveRate,
} from '../../mail/knowledge/domain-table.ts'
import {
  countsByKind,
  encodeKnowledge,
  type KnowledgeManifest,
  knowledgeDigest,
  LAYOUT,
} from '../../mail/knowledge/knowledge.ts'
import { networkCount, networkTable } from '../../mail/knowledge/network-table.ts'
import { asciiDomain, isPublicSuffix, registrableDomain } from '../../mail/message/domain.ts'
import { strangersKind } from '../../mail/signals/host-lists.ts'

type Named = readonly [name: string, kind: DomainKind]

/** A list as it was read. */
interface List {
  readonly rows: readonly (readonly string[])[]
  /** Of the file as it lies there. */
  readonly sha256: string
}

/** The folder `known-domains` of the artifacts: path inside it -> bytes. */
export function knowledgeFiles(folder: string, version: string): Map<string, Uint8Array> {
  const strikeOuts = readList(join(import.meta.dirname, STRIKE_OUTS))
  const struckOut = strikeOuts.rows.slice(1).map(([kind, name]) => named(name, kind as DomainKind))
  const known = readList(join(folder, KNOWN_FILE))
  const withList = <S extends { readonly file: string }>(source: S) => {
    return { source, list: readList(join(folder, source.file)) }
  }
  const nameLists = SOURCES.names.map(withList)
  const networkList = withList(SOURCES.networks)

  const domains = domainTable([
    ...struckOut,
    ...nameLists.flatMap(({ source, list }) =>
      list.rows.map(([name]) => named(name?.replace(/^\./, ''), source.kind)),
    ),
    ...known.rows.map(([name]) => knownUnlessStrangers(named(name, 'known'))),
  ])
  const networks = networkTable(networkList.list.rows.map(([network]) => network!))
  const table = new Uint8Array(encodeKnowledge({ domains, networks })).slice()
  const manifest: KnowledgeManifest = {
    name: 'known-domains',
    version,
    layout: LAYOUT,
    sources: Object.fromEntries([
      ...Object.entries(SOURCES.known).map(([letter, { name, ...source }]) => {
        const entries = known.rows.filter(([, letters]) => letters?.includes(letter)).length
        return [name, { entries, ...source, sha256: known.sha256 }]
      }),
      ...[...nameLists, networkList].map(({ source, list }) => {
        const { name, date, licence } = source
        return [name, { entries: list.rows.length, date, licence, sha256: list.sha256 }]
      }),
      [
        STRIKE_OUTS,
        {
          entries: struckOut.length,
          date: version,
          licence: 'MIT, ours',
          sha256: strikeOuts.sha256,
        },
      ],
    ]),
    domains: countsByKind(domains),
    networks: networkCount(networks),
    falsePositiveRate: falsePositiveRate(domains),
    table: { names: domains.hashes.length, sha256: knowledgeDigest(table) },
  }
  return new Map([
    ['known-domains/manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)],
    ['known-domains/table.bin', table],
  ])
}

/** Of what strangers use as much as its owner nobody is known. */
function knownUnlessStrangers([name, kind]: Named): Named {
  if (isPublicSuffix(name)) return [name, 'shared']
  return [name, strangersKind(name, registrableDomain(name)) ?? kind]
}

/** @throws TamisError CORPUS_INVALID */
function readList(path: string): List {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (cause) {
    throw new TamisError('CORPUS_INVALID', `Cannot read ${path}`, { cause })
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return {
    rows: text
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')),
    sha256,
  }
}

function named(name: string | undefined, kind: DomainKind): Named {
  const ascii = asciiDomain(name?.trim().toLowerCase() ?? '')
  if (ascii === '') throw new TamisError('CORPUS_INVALID', `"${name}" in a list is no domain`)
  return [ascii, kind]
}

/** A list that others have gathered (docs/data.md): its facts, none of its prose. */
interface Source {
  /** As NOTICE and the manifest name it. */
  readonly name: string
  /** Of the list, as far as it says so itself. */
  readonly date: string
  readonly licence: string
}

const SOURCES: {
  /** Names, one a line, with a dot before where the list has one; a name that stands in several is of the first one's kind. */
  readonly names: readonly (Source & { readonly file: string; readonly kind: DomainKind })[]
  /** Lists of what exists, by their letters. */
  readonly known: Readonly<Record<string, Source>>
  readonly networks: Source & { readonly file: string }
} = JSON.parse(readFileSync(join(import.meta.dirname, '../data/knowledge/sources.json'), 'utf8'))

/** Tab-separated: a name, and the letters of the lists that it stands in. */
const KNOWN_FILE = 'known_domains.tsv.gz'

/** What is nobody's, beside this file: kind, name and reason. */
const STRIKE_OUTS = 'strike-outs.tsv'
