/**
 * The grammar of the operator's rules: one rule a line, what follows a # is a comment.
 *
 *     rule      = action [ condition { "and" condition } ] [ "for" recipient { "or" recipient } ] [ "if authenticated" ]
 *     action    = "allow" | "block" | "score" NUMBER NAME | "class" CLASS
 *               | "threshold" ( "cautious" | "balanced" | "strict" | NUMBER ) | "learning" ( "on" | "off" )
 *               | ( "reject-at" | "quarantine-at" ) ( NUMBER | "never" )
 *     condition = ( "from" | "envelope" ) ADDRESS        ann@example.com, example.com, *@example.com, *.example.com
 *               | "list" LIST                            a List-Id, or the address of a list
 *               | "client" ( NETWORK | HOST )            192.0.2.0/24, 2001:db8::1, mail.example.com, *.example.com
 *               | "attachment" ( KIND | NAME | TYPE )    exe, *.iso, "invoice 7.pdf", application/zip, image/*
 *               | "link host" HOST                       example.com, *.ru
 *               | ( "subject" | "body" | "link" | "header" FIELD ) TEXT
 *     TEXT      = "words in quotes" | /a pattern of RE2/
 *     recipient = a user id, or the domain of addresses that are user ids
 *
 * allow, block, score and class need a condition; the others are settings of recipients, and have none.
 */
import { addressOf, type Prefix, prefixOf } from '../knowledge/network-table.ts'
import { CLASSES } from '../models/prediction.ts'
import { readListId } from '../personalization/patterns.ts'
import {
  comparedAddress,
  comparedHost,
  isRegistered,
  readWildcard,
} from '../personalization/sender-address.ts'
import { ATTACHMENT_KINDS } from '../signals/attachments.ts'
import type { Action, Rule, TextCondition, TextPart } from './rule.ts'
import { comparedWords, compilePattern, PATTERN_SIZE_MAX } from './texts.ts'

/** Rules of one text: every process holds some 500 bytes of each. Blocklists beyond it belong in a DNS list. */
export const RULES_MAX = 100_000

/** Rules of one text that look into texts: every message is compared with each of them, for 3 ms in all. */
export const TEXT_RULES_MAX = 200

/** Characters of a line: longer ones cannot be read, and an address has 320. */
const LINE_LENGTH_MAX = 1_000

/** Odds of 400: with the prior alone this is spam, and no less can be said of a rule that is nearly sure. */
export const WEIGHT_MAX = 6

/** Faults that are reported: whoever has more has given another file. */
const FAULTS_MAX = 20

/** What is wrong with a text. */
export interface Fault {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 code units. */
  readonly column: number
  readonly message: string
}

export interface ParsedRules {
  readonly rules: readonly Rule[]
  /** In the order of the text; where there is one, the text is not to be used. */
  readonly faults: readonly Fault[]
}

/** Lines read at a time in steps: some ten milliseconds. */
const LINES_AT_ONCE = 2_000

/** Reads `text`, with pauses in which others have their turn. @param source what the ids of its rules begin with. */
export function* parseRules(text: string, source: string): Generator<undefined, ParsedRules> {
  const rules: Rule[] = []
  const faults: Fault[] = []
  let textRules = 0
  for (const [at, written] of text.split('\n').entries()) {
    if (at % LINES_AT_ONCE === LINES_AT_ONCE - 1) yield
    const line = at + 1
    try {
      const rule = parseLine(written.trimEnd(), `${source}:${line}`)
      if (rule === undefined) continue
      rules.push(rule)
      // A pattern of Unicode's classes takes twenty milliseconds to compile.
      if (rule.texts.length > 0) yield
      if (rule.texts.length > 0 && ++textRules > TEXT_RULES_MAX)
        fail(1, `is one of more than ${TEXT_RULES_MAX} rules that look into texts`)
      if (rules.length > RULES_MAX) fail(1, `is one of more than ${RULES_MAX} rules`)
    } catch (error) {
      if (!(error instanceof LineFault)) throw error
      faults.push({ line, column: error.column, message: error.message })
      if (faults.length >= FAULTS_MAX || rules.length > RULES_MAX) break
      yield
    }
  }
  return { rules, faults }
}

/** `line 3, column 7: ...` */
export function faultText({ line, column, message }: Fault): string {
  return `line ${line}, column ${column}: ${message}`
}

class LineFault extends Error {
  readonly column: number

  constructor(column: number, message: string) {
    super(message)
    this.column = column
  }
}

function fail(column: number, message: string): never {
  throw new LineFault(column, message)
}

/** A part of a line: a word, words in quotes, or a pattern between slashes. */
interface Token {
  readonly kind: 'word' | 'quoted' | 'pattern' | 'end'
  readonly value: string
  readonly column: number
}

const TOKEN = /\s*(?:"([^"]*)"(?=\s|$)|\/((?:\\.|[^/\\])+)\/(?=\s|$)|(#.*)|(["/]\S*)|(\S+))/y

function tokensOf(line: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  for (let at = 0; ; at = TOKEN.lastIndex) {
    const found = TOKEN.exec(line)
    const column = found === null ? line.length + 1 : at + found[0].search(/\S/) + 1
    const [, quoted, pattern, comment, open, word] = found ?? []
    if (open !== undefined) fail(column, `has no closing ${open[0]} before a space or the end`)
    if (quoted !== undefined) tokens.push({ kind: 'quoted', value: quoted, column })
    else if (pattern !== undefined) tokens.push({ kind: 'pattern', value: pattern, column })
    else if (word !== undefined) tokens.push({ kind: 'word', value: word, column })
    if (found === null || comment !== undefined)
      return [...tokens, { kind: 'end', value: '', column }]
  }
}

/** The tokens of one line, taken one by one. */
class Reader {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  get next(): Token {
    return this.#tokens[this.#at]!
  }

  take(): Token {
    const { next } = this
    if (next.kind !== 'end') this.#at++
    return next
  }

  /** Takes the next token if it is the word `word`. */
  takes(word: string): boolean {
    const isNext = this.next.kind === 'word' && this.next.value === word
    if (isNext) this.#at++
    return isNext
  }

  /** Takes a token that `read` makes something of; otherwise the fault is that it must be `form`. */
  value<Value>(form: string, read: (token: Token) => Value | undefined): Value {
    const token = this.take()
    const value = token.kind === 'end' ? undefined : read(token)
    return value ?? fail(token.column, `${shown(token)} must be ${form}`)
  }

  word<Value>(form: string, read: (word: string) => Value | undefined): Value {
    return this.value(form, ({ kind, value }) => (kind === 'word' ? read(value) : undefined))
  }

  oneOf<Value extends string>(
    values: readonly Value[],
    form = `one of ${values.join(', ')}`,
  ): Value {
    return this.word(form, (word) => values.find((value) => value === word))
  }
}

function shown({ kind, value }: Token): string {
  return kind === 'end' ? 'What comes next' : `"${value}"`
}

// biome-ignore format: a line each
const VERBS = ['allow', 'block', 'score', 'class', 'threshold', 'reject-at', 'quarantine-at', 'learning'] as const

// biome-ignore format: a line each
const CONDITIONS = ['from', 'envelope', 'list', 'client', 'attachment', 'link', 'subject', 'body', 'header'] as const

function parseLine(line: string, id: string): Rule | undefined {
  if (line.length > LINE_LENGTH_MAX)
    fail(LINE_LENGTH_MAX + 1, `is beyond ${LINE_LENGTH_MAX} characters, the most of a line`)
  const reader = new Reader(tokensOf(line))
  if (reader.next.kind === 'end') return undefined
  const { column } = reader.next
  const action = parseAction(reader)
  const isSetting = !['allow', 'block', 'score', 'class'].includes(action.verb)
  const facts: string[] = []
  const texts: TextCondition[] = []
  if (!isSetting) {
    do parseCondition(reader, action, facts, texts)
    while (reader.takes('and'))
    refuseUnnamedSender(action, facts, column)
  }
  const recipients: string[] = []
  if (reader.takes('for')) {
    do recipients.push(...reader.value(RECIPIENT, recipientOf))
    while (reader.takes('or'))
  }
  const authenticated = !isSetting && reader.takes('if')
  if (authenticated) reader.oneOf(['authenticated'], 'authenticated')
  const { next } = reader
  if (next.kind !== 'end') {
    const allowed = isSetting ? 'for' : 'and, for or if authenticated'
    fail(next.column, `${shown(next)} is not expected; allowed here: ${allowed}`)
  }
  const text = line.slice(0, next.column - 1).trim()
  return { id, text, action, facts, texts, recipients, authenticated }
}

function parseAction(reader: Reader): Action {
  const verb = reader.oneOf(VERBS)
  switch (verb) {
    case 'allow':
    case 'block':
      return { verb }
    case 'score': {
      const form = `a number from -${WEIGHT_MAX} to ${WEIGHT_MAX}, and not 0`
      const weight = reader.word(form, (word) => {
        const number = /^[+-]?\d{1,3}(?:\.\d{1,6})?$/.test(word) ? Number(word) : 0
        return number !== 0 && Math.abs(number) <= WEIGHT_MAX ? number : undefined
      })
      const nameForm = 'a name of at most 40 capital letters, digits and _, the first a letter'
      return {
        verb,
        weight,
        name: reader.word(nameForm, (word) => /^[A-Z][A-Z0-9_]{0,39}$/.exec(word)?.[0]),
      }
    }
    case 'class':
      return { verb, class: reader.oneOf(CLASSES) }
    case 'threshold': {
      const presets = ['cautious', 'balanced', 'strict'] as const
      const form = 'cautious, balanced, strict, or a number above 0 and below 1'
      const threshold = reader.word(
        form,
        (word) => presets.find((preset) => preset === word) ?? probabilityIn(word, (p) => p < 1),
      )
      return { verb, threshold }
    }
    case 'reject-at':
    case 'quarantine-at': {
      const form = 'never, or a number above 0 and at most 1'
      const limit = reader.word(form, (word) =>
        word === 'never' ? word : probabilityIn(word, (p) => p <= 1),
      )
      return { verb, limit }
    }
    case 'learning':
      return { verb, learning: reader.oneOf(['on', 'off']) }
  }
}

function probabilityIn(word: string, isAllowed: (number: number) => boolean): number | undefined {
  const number = /^[01](?:\.\d{1,12})?$/.test(word) ? Number(word) : 0
  return number > 0 && isAllowed(number) ? number : undefined
}

const RECIPIENT = 'a user id, or a domain of users whose ids are addresses at it'

/** Users are compared byte for byte, domains as DNS has them. What has no @ may be either. */
function recipientOf({ value }: Token): string[] | undefined {
  if (/^[*@]|^$|\s/.test(value)) return undefined
  const domain = value.includes('@') ? undefined : comparedHost(value)
  return [`user ${value}`, ...(domain === undefined ? [] : [`domain ${domain}`])]
}

/** What anybody can write allows nothing: an allow must say whose mail it is about. */
function refuseUnnamedSender({ verb }: Action, facts: readonly string[], column: number): void {
  if (
    verb !== 'allow' ||
    facts.some((fact) => /^(sender|envelope|list|client|network) /.test(fact))
  )
    return
  fail(column, 'allow needs one of the conditions from, envelope, list, client')
}

/** Reads one condition into `facts` or `texts`. */
function parseCondition(
  reader: Reader,
  action: Action,
  facts: string[],
  texts: TextCondition[],
): void {
  const part = reader.oneOf(CONDITIONS)
  // Anybody may write a From of several addresses: what speaks against spam goes by the one that a message shows.
  const isLenient =
    action.verb === 'allow' ||
    action.verb === 'class' ||
    (action.verb === 'score' && action.weight < 0)
  const mayCoverSuffix = action.verb !== 'allow'
  switch (part) {
    case 'from':
    case 'envelope': {
      const kind = part === 'envelope' ? part : isLenient ? 'sender' : 'from'
      facts.push(`${kind} ${reader.word(ADDRESS, (word) => senderIn(word, mayCoverSuffix))}`)
      return
    }
    case 'list':
      facts.push(
        `list ${reader.word('a List-Id, or the address of a list', (word) => (word.includes('*') ? undefined : (readListId(word) ?? comparedAddress(word))))}`,
      )
      return
    case 'client':
      facts.push(reader.word(CLIENT, (word) => clientIn(word, mayCoverSuffix)))
      return
    case 'attachment':
      facts.push(
        reader.value(ATTACHMENT, ({ kind, value }) =>
          kind === 'pattern' ? undefined : attachmentIn(value.toLowerCase()),
        ),
      )
      return
    case 'link':
      if (reader.takes('host'))
        facts.push(`link ${reader.word(HOST, (word) => hostIn(word, true))}`)
      else texts.push(parseText(reader, part))
      return
    case 'header': {
      // RFC 5322 §3.6.8; RFC 5322 §2.1.1 leaves 77 characters of a line.
      const field = reader.word(
        'the name of a header field, such as X-Mailer',
        (word) => /^[!-9;-~]{1,77}$/.exec(word)?.[0],
      )
      texts.push({ ...parseText(reader, part), field: field.toLowerCase() })
      return
    }
    default:
      texts.push(parseText(reader, part))
  }
}

const SUFFIX = '; allow covers no whole top-level domain'
const ADDRESS = `an address, a domain, *@domain or *.domain${SUFFIX}`
const HOST = 'the name of a host, a domain or *.domain'
const CLIENT = `an IP address, a network such as 192.0.2.0/24 or 2001:db8::/32 whose other bits are 0, a host, a domain or *.domain${SUFFIX}`
const ATTACHMENT = `one of ${ATTACHMENT_KINDS.join(', ')}, a file name, *.EXTENSION, or a type such as application/zip or image/*`

function senderIn(word: string, mayCoverSuffix: boolean): string | undefined {
  const wildcard = readWildcard(word)
  if (wildcard?.prefix === '*@')
    return isRegistered(wildcard.domain) ? `*@${wildcard.domain}` : undefined
  if (word.includes('@')) return word.includes('*') ? undefined : comparedAddress(word)
  return hostIn(word, mayCoverSuffix)
}

/** A host, or what covers all below one; a public suffix such as com only as *.com, and only where it may be. */
function hostIn(word: string, mayCoverSuffix: boolean): string | undefined {
  const wildcard = readWildcard(word)
  if (wildcard?.prefix === '*.')
    return mayCoverSuffix || isRegistered(wildcard.domain) ? `*.${wildcard.domain}` : undefined
  const host = word.includes('*') ? undefined : comparedHost(word)
  return host !== undefined && addressOf(host) === undefined && isRegistered(host)
    ? host
    : undefined
}

function clientIn(word: string, mayCoverSuffix: boolean): string | undefined {
  const prefix = networkIn(word.toLowerCase())
  if (prefix !== undefined) return networkFact(prefix)
  const host = hostIn(word, mayCoverSuffix)
  return host === undefined ? undefined : `client ${host}`
}

/** An address alone is the network of itself. Bits beyond the prefix are a mistake: 192.0.2.1/24 may mean either. */
function networkIn(written: string): Prefix | undefined {
  const network = written.includes('/') ? written : `${written}/${written.includes(':') ? 128 : 32}`
  const prefix = prefixOf(network)
  const address = addressOf(network.slice(0, network.indexOf('/')))
  return prefix?.address.every((word, at) => word === address?.[at]) ? prefix : undefined
}

export function networkFact({ address, bits }: Prefix): string {
  return `network ${address.join(' ')}/${bits}`
}

function attachmentIn(value: string): string | undefined {
  if (ATTACHMENT_KINDS.some((kind) => kind === value)) return `attachment ${value}`
  if (/^[a-z0-9.+-]{1,80}\/(?:\*|[a-z0-9.+-]{1,80})$/.test(value)) return `type ${value}`
  return /^(?:\*\.)?[^*/]+$/.test(value) && value.includes('.')
    ? `file ${value.normalize('NFC')}`
    : undefined
}

function parseText(reader: Reader, part: TextPart): TextCondition {
  const { column, kind, value } = reader.take()
  if (kind === 'quoted') {
    const words = comparedWords(value)
    return words === '' ? fail(column, 'has no words between the quotes') : { part, words }
  }
  if (kind !== 'pattern') return fail(column, 'expected: "words" or /pattern/')
  return { part, pattern: checkedPattern(value, column) }
}

function checkedPattern(pattern: string, column: number): string {
  let size: number
  try {
    size = compilePattern(pattern).size
  } catch (error) {
    // The engine repeats the pattern with what it was told of lines.
    const fault = (error as Error).message
      .replace('error parsing regexp: ', '')
      .replace('`(?m)(?i)', '`')
    return fail(column, `is not a pattern of RE2: ${fault}`)
  }
  if (size <= PATTERN_SIZE_MAX) return pattern
  return fail(
    column,
    `compiles to ${size} instructions, more than ${PATTERN_SIZE_MAX}; use shorter repetitions`,
  )
}
