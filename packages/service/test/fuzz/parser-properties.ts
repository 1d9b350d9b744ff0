/** What holds for every text given to the parsers of fields, links, patterns and request headers. */
import { TamisError } from '../../../errors/errors.ts'
import { decodeEventFeatures } from '../../../mail/features/event-features.ts'
import { META_FEATURE_NAMES } from '../../../mail/features/meta-features.ts'
import { parseAddresses } from '../../../mail/message/address.ts'
import { ADDRESSES_MAX } from '../../../mail/message/limits.ts'
import { RULE_TYPES } from '../../../mail/personalization/kinds.ts'
import { decodeMemoryItem } from '../../../mail/personalization/memory-item.ts'
import { checkPattern } from '../../../mail/personalization/rules.ts'
import { templateMatches } from '../../../mail/personalization/template.ts'
import { cpuMs } from '../../../mail/test/helpers/cpu-time.ts'
import { canonicalUrl, URL_LENGTH_MAX } from '../../../mail/urls/canonical.ts'
import { unwrapped, WRAPPERS_MAX } from '../../../mail/urls/unwrap.ts'
import { canonicalIp } from '../../http/ip-address.ts'
import { canonicalMailbox } from '../../http/mailbox.ts'
import { metadataFromHeaders } from '../../http/metadata-headers.ts'
import {
  parseArcAuthenticationResults,
  parseAuthenticationResults,
} from '../../sender-authentication/authentication-results.ts'
import { parseReceivedSpf } from '../../sender-authentication/received-spf.ts'
import { trustedResults } from '../../sender-authentication/trusted-results.ts'
import { addresses, messageIds } from './addresses.ts'
import type { Dice } from './dice.ts'
import { resultsField } from './results-fields.ts'
import { line, link, noise } from './texts.ts'

/** Longest that one text may take, in milliseconds: what the collector of garbage does in between, and a microsecond a character. */
const BASE_MS = 10
const MS_PER_CHARACTER = 1e-3

/** Checks of one text before its time is believed. */
const TIMED_CHECKS = 8

const TRUSTED = ['mx.example.com']

const TEMPLATE = `t1:example.com:${'A'.repeat(160)}`

interface Parser {
  text(dice: Dice): string
  /** What is wrong with what came of `text`; undefined when all is right. */
  fault(text: string): string | undefined
}

export const PARSERS: Readonly<Record<string, Parser>> = {
  'results fields': { text: resultsField, fault: resultsFault },
  'trusted results': { text: resultsField, fault: trustFault },
  addresses: { text: (dice) => dice.make([addresses, line]), fault: addressFault },
  links: { text: (dice) => dice.make([link, link, link, noise]), fault: linkFault },
  patterns: { text: patternText, fault: patternFault },
  'kept bytes': { text: (dice) => dice.pick(['\x01', '']) + noise(dice), fault: keptFault },
  'metadata headers': { text: metadataText, fault: metadataFault },
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

function resultsFault(text: string): string | undefined {
  const results = parseAuthenticationResults(text)
  parseArcAuthenticationResults(text)
  const spf = parseReceivedSpf(text)
  if (results?.authservId === '') return 'no name'
  if (spf?.result === '') return 'no result'
  // A comment in front of the whole says nothing.
  const commented = parseAuthenticationResults(`(a "comment" \\) ; dkim=pass) ${text}`)
  const isSame = JSON.stringify(commented) === JSON.stringify(results)
  return isSame || text.length > 10_000 ? undefined : 'another after a comment'
}

/** Whatever `text` says, it changes nothing from below a field of a trusted or of another name. */
function trustFault(text: string): string | undefined {
  const field = (name: string, rawBody: string) => {
    return { name, spelledName: name, rawBody, body: rawBody }
  }
  const rest = [field('received', 'from x'), field('authentication-results', text)]
  const foreign = field('authentication-results', 'mx.example.net; dkim=pass')
  if (trustedResults({ fields: [foreign, ...rest] }, TRUSTED) !== undefined) return 'trusts another'
  const trusted = field('authentication-results', 'mx.example.com; dkim=fail; spf=fail; dmarc=fail')
  const results = trustedResults({ fields: [trusted, ...rest] }, TRUSTED)
  const words = [results?.spf, results?.dmarc, ...(results?.dkim ?? [])].map((it) => it?.result)
  return words.join(' ') === 'fail fail fail' ? undefined : 'trusts what stands below'
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

function metadataText(dice: Dice): string {
  const address = dice.make([addresses, line, noise])
  return [
    dice.pick(['192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1', '1.2.3', line(dice)]),
    address,
    line(dice),
  ].join('\n')
}

function metadataFault(text: string): string | undefined {
  const [senderIp, senderEmail, userId] = text.split('\n')
  const headers = {
    ...(senderIp === undefined ? {} : { 'x-sender-ip': senderIp }),
    ...(senderEmail === undefined ? {} : { 'x-sender-email': senderEmail }),
    ...(userId === undefined ? {} : { 'x-user-id': userId }),
  }
  const metadata = unlessRefused('HEADER_INVALID', () => metadataFromHeaders(headers))
  if (metadata === undefined) return undefined
  const { senderIp: ip, mailFrom } = metadata
  if (ip !== undefined && canonicalIp(ip) !== ip) return 'an address canonical only at first'
  if (mailFrom && canonicalMailbox(mailFrom) !== mailFrom)
    return 'a mailbox canonical only at first'
  return undefined
}

/** What `act` gives; undefined where it throws a TamisError of that code. */
function unlessRefused<Given>(code: string, act: () => Given): Given | undefined {
  try {
    return act()
  } catch (error) {
    if (error instanceof TamisError && error.code === code) return undefined
    throw error
  }
}
