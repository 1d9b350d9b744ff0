/**
 * The operator's files of rules for the whole site: what is allowed and blocked, one rule a line.
 *
 *     block sender *.top
 *     allow sender example.com for example.org      # recipients of one domain
 *     block network 198.51.100.0/24 tenant acme     # recipients of one tenant
 *     block attachment exe
 *
 * A line that cannot be read is refused with its file and number, and with it all files: nobody would notice
 * a rule that is dropped silently until mail goes wrong.
 */
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { SiteRuleType } from '../mail/personalization/kinds.ts'
import { comparedHost } from '../mail/personalization/sender-address.ts'
import {
  ContradictingRules,
  checkSitePattern,
  indexSiteRules,
  type SiteRule,
  type SiteRuleIndex,
  type SiteScope,
} from '../mail/personalization/site-rules.ts'
import { ATTACHMENT_KINDS } from '../mail/signals/attachment-kind.ts'
import { NAMESPACE as TENANT_ID } from './access/namespace.ts'
import { ruleFilesRefused, ruleFileText } from './rule-files.ts'

/** What names the files. */
const SETTING = 'TAMIS_SITE_RULES'

/** Bytes of one file: a million lines of common length. Stops a file that fills the memory. */
const FILE_BYTES_MAX = 32 * 1024 ** 2

/** Lines read at a time: some ten milliseconds in which nothing else is done. */
const LINES_AT_ONCE = 2_000

const LABELS: Readonly<Record<string, SiteRule['label']>> = { allow: 'ham', block: 'spam' }

const TYPES: Readonly<Record<string, SiteRuleType>> = {
  sender: 'Sender',
  list: 'List',
  host: 'Host',
  network: 'Network',
  attachment: 'Attachment',
}

const PATTERN_FORMS: Readonly<Record<SiteRuleType, string>> = {
  Sender: 'an address, a domain, *@domain or *.domain',
  List: 'a List-Id, or the address of a list',
  Host: 'the name of a host, a domain or *.domain; for an IP address use network',
  Network:
    'an IP address, or a network such as 192.0.2.0/24 or 2001:db8::/32 whose other bits are 0',
  Attachment: `one of ${ATTACHMENT_KINDS.join(', ')}`,
}

const FORM =
  'expected: allow or block, then sender, list, host, network or attachment, then its value, then, if wanted, for DOMAIN, tenant NAME'

/** What a rule says, in the words of a line: `block sender *.top for example.org`. */
export interface WrittenRule extends Pick<SiteRule, 'ruleType' | 'label'> {
  /** As written. */
  readonly value: string
  /** What stands after it: for whom it is. */
  readonly rest: readonly string[]
}

/**
 * The rules in the files at `paths`.
 *
 * @throws TamisError CONFIG_INVALID naming file and line of what is wrong.
 */
export async function openSiteRules(paths: readonly string[]): Promise<SiteRuleIndex> {
  const rules: SiteRule[] = []
  const faults: string[] = []
  for (const path of paths) await readRules(path, rules, faults)
  if (faults.length > 0) throw ruleFilesRefused(SETTING, faults)
  try {
    return indexSiteRules(rules)
  } catch (error) {
    if (!(error instanceof ContradictingRules)) throw error
    const [first, second] = error.rules
    throw ruleFilesRefused(SETTING, [`${second.id}: says the opposite of ${first.id}`])
  }
}

async function readRules(path: string, rules: SiteRule[], faults: string[]): Promise<void> {
  const lines = (await ruleFileText(path, SETTING, FILE_BYTES_MAX)).split('\n')
  for (const [at, line] of lines.entries()) {
    if (at % LINES_AT_ONCE === 0) await setImmediate()
    const words = wordsOf(line)
    if (words.length === 0) continue
    const id = `${basename(path)}:${at + 1}`
    const rule = readRule(words, id)
    if (typeof rule === 'string') faults.push(`${path}, line ${at + 1}: ${rule}`)
    else rules.push(rule)
  }
}

/** The words before a comment, which begins with # at the start of a word. */
function wordsOf(line: string): string[] {
  const words = line.split(/\s+/).filter((word) => word !== '')
  const comment = words.findIndex((word) => word.startsWith('#'))
  return comment < 0 ? words : words.slice(0, comment)
}

/** The rule that `words` say, or what is wrong with them. */
function readRule(words: readonly string[], id: string): SiteRule | string {
  const written = writtenRule(words)
  if (written === undefined) return FORM
  const { ruleType, label, value, rest } = written
  const pattern = checkSitePattern(ruleType, label, value)
  if (pattern === undefined) return `"${value}" ${patternFault(ruleType, label, value)}`
  const scope = readScope(rest)
  return typeof scope === 'string' ? scope : { id, ruleType, label, pattern, scope }
}

/** What `words` say, before anything of it is checked; undefined where they are no rule. */
export function writtenRule(words: readonly string[]): WrittenRule | undefined {
  const [verb = '', kind = '', value, ...rest] = words
  const label = LABELS[verb]
  const ruleType = TYPES[kind]
  if (label === undefined || ruleType === undefined || value === undefined) return undefined
  return { ruleType, label, value, rest }
}

/** What is wrong with a value that checkSitePattern does not take: 'must be an address, ...'. */
export function patternFault(
  ruleType: SiteRuleType,
  label: SiteRule['label'],
  value: string,
): string {
  const mayBeBlocked = label === 'ham' && checkSitePattern(ruleType, 'spam', value) !== undefined
  if (mayBeBlocked) {
    const isKind = ruleType === 'Attachment'
    return `${isKind ? 'is a kind of attachment' : 'covers a whole top-level domain'}, which can only be blocked`
  }
  return `must be ${PATTERN_FORMS[ruleType]}`
}

/** What is wrong with a domain of recipients that comparedHost does not take. */
export const DOMAIN_FAULT = 'must be a domain, such as example.org'

function readScope(words: readonly string[]): SiteScope | string {
  let scope: SiteScope = {}
  for (let at = 0; at < words.length; at += 2) {
    const name = words[at]
    const value = words[at + 1]
    if (value === undefined) return FORM
    if (name === 'for' && scope.recipientDomain === undefined) {
      const recipientDomain = comparedHost(value)
      if (recipientDomain === undefined) return `"${value}" ${DOMAIN_FAULT}`
      scope = { ...scope, recipientDomain }
    } else if (name === 'tenant' && scope.tenant === undefined) {
      if (!TENANT_ID.test(value)) return `"${value}" is not the id of a tenant`
      scope = { ...scope, tenant: value }
    } else return FORM
  }
  return scope
}
