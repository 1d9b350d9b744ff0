/**
 * The operator's files of weighted rules. A rule is its name and its weight, and below it a condition a line; all of
 * them have to hold. What a condition looks for goes to the end of the line, so nothing needs quotes.
 *
 *     rule ACME_FAX_SPAM +2.5
 *       subject contains fax received
 *       attachment exe
 *
 *     rule ACME_PARTNER -1 tenant acme
 *       header List-Id matches ^<news\.partner\.example>$
 *
 * A line that cannot be read is refused with its file and number, and with it all files, as in files of site rules.
 */
import { basename } from 'node:path'
import { checkCondition, checkWeightedRule } from '../mail/personalization/check-weighted-rule.ts'
import {
  CONDITION_PARTS,
  type Condition,
  type ConditionPart,
  WEIGHTED_RULES_MAX,
} from '../mail/personalization/weighted-rule.ts'
import { NAMESPACE as TENANT_ID } from './access/namespace.ts'
import { ruleFilesRefused, ruleFileText } from './rule-files.ts'
import type { FileWeightedRule } from './tenants/weighted-rule.ts'

/** Bytes of one file: a thousand rules of common length. Stops a file that fills the memory. */
const FILE_BYTES_MAX = 1024 ** 2

const RULE_FORM = 'expected: rule, then its name, then its weight, then, if wanted, tenant NAME'

const CONDITION_FORM =
  'expected: subject, text, link or header NAME, then contains or matches and what is looked for; or attachment and its kind'

/** `+2.5`, `-1`. */
const WEIGHT = /^[+-]?\d{1,3}(?:\.\d{1,6})?$/

/** A line that says something. */
interface Line {
  readonly path: string
  readonly at: number
  readonly text: string
}

/** A rule, and where it begins. */
interface ReadRule {
  readonly line: Line
  readonly rule: FileWeightedRule
}

/**
 * The rules in the files at `paths`, in their order.
 *
 * @param setting what names the files, for errors.
 * @throws TamisError CONFIG_INVALID naming file and line of what is wrong.
 */
export async function openWeightedRules(
  paths: readonly string[],
  setting = 'TAMIS_WEIGHTED_RULES',
): Promise<readonly FileWeightedRule[]> {
  const faults: string[] = []
  const say = ({ path, at }: Line, fault: string) => faults.push(`${path}, line ${at}: ${fault}`)
  const read: ReadRule[] = []
  for (const path of paths)
    read.push(...rulesOf(linesOf(path, await ruleFileText(path, setting, FILE_BYTES_MAX)), say))
  for (const [at, { line, rule }] of read.entries()) {
    const fault = faultAmong(rule, read.slice(0, at))
    if (fault !== undefined) say(line, fault)
  }
  if (faults.length > 0) throw ruleFilesRefused(setting, faults)
  return read.map(({ rule }) => rule)
}

/** What is wrong with `rule` after those that were read before it. */
function faultAmong(
  { name, tenant }: FileWeightedRule,
  before: readonly ReadRule[],
): string | undefined {
  const sameMail = before.filter(
    ({ rule }) => rule.tenant === undefined || tenant === undefined || rule.tenant === tenant,
  )
  const same = sameMail.find(({ rule }) => rule.name === name)
  if (same !== undefined) return `there is a rule named ${name} already, ${same.rule.id}`
  const forMail = before.filter(({ rule }) => rule.tenant === undefined || rule.tenant === tenant)
  const isFull = forMail.length >= WEIGHTED_RULES_MAX
  return isFull ? `there are more than ${WEIGHTED_RULES_MAX} rules for the same mail` : undefined
}

type Say = (line: Line, fault: string) => void

/** A rule with a fault is left out: the file is refused, and what else is wrong with it is to be said too. */
function rulesOf(lines: readonly Line[], say: Say): ReadRule[] {
  const [first] = lines
  if (first !== undefined && !isRule(first)) say(first, RULE_FORM)
  return lines.flatMap((line, at) => {
    if (!isRule(line)) return []
    const rest = lines.slice(at + 1)
    const end = rest.findIndex(isRule)
    return readRule(line, end < 0 ? rest : rest.slice(0, end), say)
  })
}

function isRule({ text }: Line): boolean {
  return text.split(/\s/, 1)[0] === 'rule'
}

function readRule(line: Line, below: readonly Line[], say: Say): ReadRule[] {
  const head = readHead(line.text)
  if (typeof head === 'string') say(line, head)
  const conditions = below.flatMap((each) => {
    const condition = readCondition(each.text)
    if (typeof condition !== 'string') return [condition]
    say(each, condition)
    return []
  })
  if (typeof head === 'string' || conditions.length < below.length) return []
  const { name, weight, tenant } = head
  const checked = checkWeightedRule({ name, weight, conditions })
  if ('fault' in checked) {
    say(line, `${checked.field} ${checked.fault}`)
    return []
  }
  const id = `${basename(line.path)}:${line.at}`
  return [{ line, rule: { id, ...checked, ...(tenant !== undefined && { tenant }) } }]
}

interface Head {
  readonly name: string
  readonly weight: number
  readonly tenant?: string
}

/** What a line says that begins a rule, or what is wrong with it. */
function readHead(text: string): Head | string {
  const [, name, weight, word, tenant, ...others] = text.split(/\s+/)
  if (name === undefined || weight === undefined || others.length > 0) return RULE_FORM
  if (word !== undefined && (word !== 'tenant' || tenant === undefined)) return RULE_FORM
  if (tenant !== undefined && !TENANT_ID.test(tenant)) {
    return `"${tenant}" is not the id of a tenant`
  }
  return { name, weight: readWeight(weight), ...(tenant !== undefined && { tenant }) }
}

/** NaN where `text` is no number; checkWeightedRule refuses that. */
export function readWeight(text: string): number {
  return WEIGHT.test(text) ? Number(text) : Number.NaN
}

/** The condition that `text` says, as it is compared, or what is wrong with it. */
export function readCondition(text: string): Condition | string {
  const condition = writtenCondition(text.trim())
  if (condition === undefined) return CONDITION_FORM
  const checked = checkCondition(condition)
  return 'fault' in checked ? `${checked.field} ${checked.fault}` : checked
}

function writtenCondition(text: string): Condition | undefined {
  const [part, afterPart] = wordAndRest(text)
  if (!isPart(part)) return undefined
  if (part === 'attachment') return { part, kind: afterPart as NonNullable<Condition['kind']> }
  const [field, afterField] = part === 'header' ? wordAndRest(afterPart) : [undefined, afterPart]
  const [verb, sought] = wordAndRest(afterField)
  if (verb !== 'contains' && verb !== 'matches') return undefined
  return { part, ...(field !== undefined && { field }), [verb]: sought }
}

function isPart(word: string): word is ConditionPart {
  return CONDITION_PARTS.some((part) => part === word)
}

function wordAndRest(text: string): [word: string, rest: string] {
  const [word = ''] = text.split(/\s/, 1)
  return [word, text.slice(word.length).trimStart()]
}

/** A condition as it is written in a file. */
export function conditionText({ part, field, contains, matches, kind }: Condition): string {
  const words = [part, field, contains === undefined ? matches && 'matches' : 'contains']
  return [...words, contains ?? matches ?? kind].filter((word) => word !== undefined).join(' ')
}

/** The lines that say something; one that begins with # is a comment. */
function linesOf(path: string, text: string): Line[] {
  return text
    .split('\n')
    .map((line, index) => ({ path, at: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '' && !line.text.startsWith('#'))
}
