/** Companies in whose name others write: whom a name or a host names, or imitates. */
import { oneOf, readTable, requiredText, words } from '../data-table.ts'
import { isCheapTopLevel } from './host-lists.ts'
import { ownLabel } from './per-message.ts'
import { type Signal, signal } from './signal.ts'
import { skeleton } from './skeleton.ts'
import { wordList } from './word-lists.ts'

export interface Brand {
  readonly name: string
  /** Name in lower case without spaces and signs, as it stands in domains: 'bankofamerica'. */
  readonly label: string
  /** The name is also a word or a person's name. */
  readonly isWord: boolean
  /** Registrable domains that are certainly the company's. */
  readonly domains: ReadonlySet<string>
}

const SERVICE_WORDS = wordList('service-word')

/** Letters and digits alone, in lower case: 'Bank of America' -> 'bankofamerica'. */
function joined(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

/** The same without marks on letters, as in domains: 'Itaú' -> 'itau'. */
function joinedPlain(name: string): string {
  return joined(name.normalize('NFKD'))
}

/** Companies in whose name others write most: banks, carriers, shops, platforms, tax offices (brands.tsv). */
export const BRANDS: readonly Brand[] = readTable(
  new URL('brands.tsv', import.meta.url),
  { name: requiredText, kind: oneOf('', 'word'), domains: words },
  { unique: 'name' },
).map(({ name, kind, domains }) => ({
  name,
  label: joinedPlain(name.replace(/\.com$/, '')),
  isWord: kind === 'word',
  domains: new Set(domains),
}))

/** Shorter labels stand inside too many other words and codes to be looked for in a host. */
const HOST_LABEL_LENGTH_MIN = 5

/** Shorter names look like too many words: 'über' is not Uber. */
const LOOK_ALIKE_LENGTH_MIN = 5

/** A slip of one letter makes a shorter name into some other word: 'Zelle', 'Zeile'. */
const NEAR_LENGTH_MIN = 7

/** Words of a display name that are looked at. */
const NAME_WORDS_MAX = 12

/** Longest brand, in words: 'Bank of America'. */
const BRAND_WORDS_MAX = 3

const BY_NAME: ReadonlyMap<string, Brand> = new Map(
  BRANDS.flatMap((brand): [string, Brand][] => [
    [joined(brand.name), brand],
    [brand.label, brand],
  ]),
)

/** In the usual cases of a name, since 'I' looks like 'l' and 'i' does not. */
const BY_SKELETON: ReadonlyMap<string, Brand> = new Map(
  BRANDS.filter((brand) => brand.label.length >= LOOK_ALIKE_LENGTH_MIN).flatMap((brand) => {
    const title = brand.label[0]!.toUpperCase() + brand.label.slice(1)
    const asSpelled = brand.name.replace(/[^\p{L}\p{N}]+/gu, '')
    return [brand.label, title, brand.label.toUpperCase(), asSpelled].map(
      (spelling): [string, Brand] => [skeleton(spelling), brand],
    )
  }),
)

const BY_DELETION: ReadonlyMap<string, Brand> = new Map(
  BRANDS.filter((brand) => brand.label.length >= NEAR_LENGTH_MIN).flatMap((brand) =>
    [brand.label, ...deletions(brand.label)].map((form): [string, Brand] => [form, brand]),
  ),
)

/** How the labels of brands begin and end: one slip leaves one of the two as it was. */
const NEAR_LABELS = BRANDS.map((brand) => brand.label).filter((it) => it.length >= NEAR_LENGTH_MIN)
const NEAR_STARTS: ReadonlySet<string> = new Set(NEAR_LABELS.map((label) => label.slice(0, 3)))
const NEAR_ENDS: ReadonlySet<string> = new Set(NEAR_LABELS.map((label) => label.slice(-3)))

/** `label` with each of its letters left out in turn. */
function deletions(label: string): string[] {
  return Array.from(label, (_, at) => label.slice(0, at) + label.slice(at + 1))
}

/** True when the registrable domain `domain` is the brand's. */
export function ownsDomain(brand: Brand, domain: string): boolean {
  if (brand.domains.has(domain)) return true
  // Large companies have their name in many countries: amazon.co.jp, paypal.fr.
  const countryCode = /\.[a-z]{2}$/.test(domain) && !isCheapTopLevel(domain)
  return countryCode && domain.startsWith(`${brand.label}.`)
}

/** A brand that is named, and whether by letters that only look like its own. */
export interface BrandMention {
  readonly brand: Brand
  readonly lookAlike: boolean
}

/** The first brand in the display name `name`, undefined when there is none. */
export function brandInName(name: string): BrandMention | undefined {
  const tokens = name
    .split(/[\s"'|/\\,:;!?()<>[\]{}_@*+=~#-]+/, NAME_WORDS_MAX)
    .filter((word) => word !== '')
  for (let start = 0; start < tokens.length; start += 1) {
    for (let count = Math.min(BRAND_WORDS_MAX, tokens.length - start); count > 0; count -= 1) {
      const mention = brandSpelled(tokens.slice(start, start + count).join(''))
      if (mention === undefined) continue
      const others = [...tokens.slice(0, start), ...tokens.slice(start + count)]
      if (!mention.brand.isWord || mention.lookAlike || others.every(isServiceWord)) return mention
    }
  }
  return undefined
}

function isServiceWord(word: string): boolean {
  return SERVICE_WORDS.has(word.toLowerCase().replace(/[^a-z]+/g, ''))
}

function brandSpelled(spelled: string): BrandMention | undefined {
  const exact = BY_NAME.get(joined(spelled.replace(/\.com$/i, '')))
  if (exact !== undefined) return { brand: exact, lookAlike: false }
  const similar = spelled.length < LOOK_ALIKE_LENGTH_MIN ? undefined : brandBySkeleton(spelled)
  return similar === undefined ? undefined : { brand: similar, lookAlike: true }
}

function brandBySkeleton(spelled: string): Brand | undefined {
  const similar = skeleton(spelled)
  return BY_SKELETON.get(/[^a-z0-9]/.test(similar) ? similar.replace(/[^a-z0-9]+/g, '') : similar)
}

/** The brand that one label of a host names, as a whole or between hyphens: 'paypal-help', 'paypa1'. */
export function brandInLabel(label: string): BrandMention | undefined {
  const tokens = label.includes('-') ? [label.replaceAll('-', ''), ...label.split('-')] : [label]
  for (const token of tokens) {
    if (token.length < HOST_LABEL_LENGTH_MIN) continue
    const exact = BY_NAME.get(token)
    if (exact === undefined) {
      const similar = brandBySkeleton(token)
      if (similar !== undefined) return { brand: similar, lookAlike: true }
    } else if (!exact.isWord) {
      return { brand: exact, lookAlike: false }
    }
  }
  return undefined
}

/** The brand that `label` is one slip of the keyboard away from: 'micorsoft', 'walmarrt'. */
export function brandNear(label: string): Brand | undefined {
  if (label.length < NEAR_LENGTH_MIN || BY_NAME.has(label)) return undefined
  if (!NEAR_STARTS.has(label.slice(0, 3)) && !NEAR_ENDS.has(label.slice(-3))) return undefined
  for (const form of [label, ...deletions(label)]) {
    const brand = BY_DELETION.get(form)
    if (brand !== undefined) return brand
  }
  return undefined
}

/** Labels of a host that are looked at; honest hosts have up to six. */
const HOST_LABELS_MAX = 10

/** The signal of a brand in a host that is not the brand's: as such, by look-alike letters, or by a slip. */
export function borrowedBrandSignals(
  unicodeHost: string,
  domain: string,
  names: { readonly holds: string; readonly looksLike: string; readonly near: string },
): Signal[] {
  const raise = (name: string, brand: Brand) => [signal(name, `${unicodeHost}, ${brand.name}`)]
  for (const label of unicodeHost.split('.', HOST_LABELS_MAX)) {
    const mention = brandInLabel(label)
    if (mention === undefined || ownsDomain(mention.brand, domain)) continue
    return raise(mention.lookAlike ? names.looksLike : names.holds, mention.brand)
  }
  const near = brandNear(ownLabel(domain))
  return near === undefined || ownsDomain(near, domain) ? [] : raise(names.near, near)
}
