/** What holds for every text given to the parsers of addresses, links and patterns, and of what a store keeps. */
import { TamisError } from '../../../errors/errors.ts'
import { decodeEventFeatures } from '../../features/event-features.ts'
import { META_FEATURE_NAMES } from '../../features/meta-features.ts'
import { parseAddresses } from '../../message/address.ts'
import { ADDRESSES_MAX } from '../../message/limits.ts'
import { RULE_TYPES } from '../../personalization/kinds.ts'
import { decodeMemoryItem } from '../../personalization/memory-item.ts'
import { checkPattern } from '../../personalization/rules.ts'
import { templateMatches } from '../../personalization/template.ts'
import { canonicalUrl, URL_LENGTH_MAX } from '../../urls/canonical.ts'
import { unwrapped, WRAPPERS_MAX } from '../../urls/unwrap.ts'
import { cpuMs } from '../helpers/cpu-time.ts'
import { addresses, messageIds } from './addresses.ts'
import type { Dice } from './dice.ts'
import { line, link, noise } from './texts.ts'

/** Longest that one text may take, in milliseconds: what the collector of garbage does in between, and a microsecond a character. */
const BASE_MS = 10
const MS_PER_CHARACTER = 1e-3

/** Checks of one text before its time is believed. */
const TIMED_CHECKS = 8

const TEMPLATE = `t1:example.com:${'A'.repeat(160)}`

export interface Parser {
  text(dice: Dice): string
  /** What is wrong with what came of `text`; undefined when all is right. */
  fault(text: string): string | undefined
}

export const PARSERS: Readonly<Record<string, Parser>> = {
  addresses: { text: (dice) => dice.make([addresses, line]), fault: addressFault },
  links: { text: (dice) => dice.make([link, link, link, noise]), fault: linkFault },
  patterns: { text: patternText, fault: patternFault },
  'kept bytes': { text: (dice) => dice.pick(['\x01', '']) + noise(dice), fault: keptFault },
}

/** What is wrong with one text of `parser`, which is named; undefined when all is right. */
export function parserFault(name: string, parser: Parser, text: string): string | undefined {
  const limitMs = BASE_MS + MS_PER_CHARACTER * text.length
  try {
    for (let times = 0; times < TIMED_CHECKS; times++) {
      const started = cpuMs()
      const fault = parser.fault(text)
      if (fault !== undefined) return `${name}: ${fault}`
      if (cpuMs() - started <= limitMs) return undefined
    }
    return `${name}: takes too long`
  } catch (error) {
    return `${name}: threw ${(error as Error).stack?.split('\n').slice(0, 2).join(' ')}`
  }
}

function addressFault(text: string): string | undefined {
  const found = parseAddresses(text)
  if (found.length > ADDRESSES_MAX) return 'too many'
  const odd = found.find(({ address, localPart, domain }) => {
    return domain !== '' && address !== `${localPart}@${domain}`
  })
  return odd && 'an address of other parts'
}

function linkFault(text: string): string | undefined {
  if (unwrapped(text).length > WRAPPERS_MAX + 1) return 'too many wrappers'
  const url = canonicalUrl(text)
  if (url === undefined) return undefined
  const { scheme, host, path, query } = url
  const spelled = `${scheme}://${host}${path}${query === undefined ? '' : `?${query}`}`
  if (/[^!-~]/.test(spelled)) return 'not plain ASCII'
  // What still has a colon is no host: the next reading takes what follows for a port.
  const isBroken = host.includes(':') && !/^\[.*\]$/.test(host)
  if (isBroken || spelled.length > URL_LENGTH_MAX) return undefined
  const again = JSON.stringify(canonicalUrl(spelled))
  return again === JSON.stringify(url) ? undefined : 'canonical only at first'
}

function patternText(dice: Dice): string {
  return dice.make([
    addresses,
    messageIds,
    link,
    line,
    () => TEMPLATE.slice(0, dice.below(180)),
    () => `t1:${line(dice)}:${'A'.repeat(dice.below(200))}`,
  ])
}

function patternFault(text: string): string | undefined {
  templateMatches(text, TEMPLATE)
  templateMatches(TEMPLATE, text)
  for (const type of RULE_TYPES) {
    const checked = unlessRefused('FIELD_INVALID', () => checkPattern(type, text))
    if (checked === undefined) continue
    if (checked.includes('\0') || !checked.isWellFormed()) return `${type}: no text for a database`
    const again = unlessRefused('FIELD_INVALID', () => checkPattern(type, checked))
    if (again !== checked) return `${type}: read as another the second time`
  }
  return undefined
}

function keptFault(text: string): string | undefined {
  const bytes = Buffer.from(text, 'latin1')
  decodeEventFeatures(bytes, META_FEATURE_NAMES.length)
  decodeMemoryItem(bytes)
  return undefined
}

/** What `act` gives; undefined where it throws a TamisError of that code. */
export function unlessRefused<Given>(code: string, act: () => Given): Given | undefined {
  try {
    return act()
  } catch (error) {
    if (error instanceof TamisError && error.code === code) return undefined
    throw error
  }
}
