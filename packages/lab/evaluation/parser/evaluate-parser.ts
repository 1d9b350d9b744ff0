/**
 * Holds our parser against postal-mime, and our HTML scanner against parse5, on real messages.
 *
 * The folder of the report has odd-differences.tsv: for each difference on an odd message the sha256 prefix of
 * the file, aspect, verdict (ours, theirs or equal for whose reading serves a filter better), reason.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime, { addressParser, type Email } from 'postal-mime'
import { EXIT } from '../../../errors/exit-status.ts'
import { parseAddresses } from '../../../mail/message/address.ts'
import { LINK_LENGTH_MAX, LINKS_MAX } from '../../../mail/message/limits.ts'
import type { Message } from '../../../mail/message/message.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { page } from '../markdown.ts'
import { shareOf } from '../metrics.ts'
import { type Reading, readWithParse5 } from './parse5-reading.ts'

/** Messages compared, taken evenly from every set but the odd ones. */
const SAMPLE_SIZE = 2_000

/** The set whose messages are all compared, and in which each difference has a verdict. */
const ODD_SET = 'malformed_and_odd'

/** Characters of a file's SHA-256 that name it in odd-differences.tsv. */
const HASH_LENGTH = 12

const VERDICTS = ['ours', 'theirs', 'equal'] as const

/** Aspects compared, with the share of messages that must agree and the oracle. */
const ASPECTS = {
  subject: { target: 0.99, oracle: 'postal-mime' },
  addresses: { target: 0.99, oracle: 'postal-mime' },
  text: { target: 0.98, oracle: 'postal-mime' },
  'visible text': { target: 0.98, oracle: 'parse5' },
  links: { target: 0.99, oracle: 'parse5' },
} as const

type Aspect = keyof typeof ASPECTS

/** The first field of each name is compared: a message has one. */
const ADDRESS_FIELDS = ['from', 'to', 'cc']

const REPORTS = new Set(['message/delivery-status', 'message/disposition-notification'])

/** What postal-mime read of a message that it rejects. */
const NOTHING: Email = { headers: [], headerLines: [], attachments: [] }

/** What both read of one aspect, in a form that is equal when they agree. */
interface Pair {
  readonly ours: string
  readonly theirs: string
}

/** One message read by both; aspects that it does not have are left out. */
interface Comparison {
  readonly file: string
  readonly hash: string
  readonly pairs: ReadonlyMap<Aspect, Pair>
}

/** The part of postal-mime's parser that holds bodies before it makes one text of them. */
interface TextHolder {
  readonly textMap: ReadonlyMap<unknown, Readonly<Record<string, readonly TextEntry[]>>>
}

interface TextEntry {
  readonly type: string
  readonly value: unknown
}

/**
 * The report and what it rests on; with `show` the differences of an aspect on the terminal, and no
 * report: messages of the corpora stay out of the repository.
 */
export async function evaluateParser(
  options: {
    readonly corpora: string
    readonly report: string
    readonly show?: string | undefined
  },
  command: string,
): Promise<{ files: Map<string, string>; figures: object }> {
  const { corpora, report: folder, show } = options
  const sets = readSets(corpora)
  const odd = await compareAll(sets.get(ODD_SET) ?? [])
  sets.delete(ODD_SET)
  const sample = await compareAll(chooseSample([...sets.values()]))
  if (show !== undefined) {
    for (const comparison of [...sample, ...odd]) printDifferences(comparison, show)
    return { files: new Map(), figures: {} }
  }
  const verdicts = readVerdicts(join(folder, 'odd-differences.tsv'))
  const unclassified = odd.flatMap((comparison) => missingVerdicts(comparison, verdicts))
  const stale = staleVerdicts(odd, verdicts)
  for (const missing of unclassified) process.stderr.write(`No verdict: ${missing}\n`)
  for (const key of stale) process.stderr.write(`Verdict on no difference: ${key}\n`)
  const judged = unclassified.length === 0 && stale.length === 0
  if (!judged || !reachesTargets(sample)) process.exitCode = EXIT.partly
  const files = new Map([['README.md', report(sample, odd, verdicts, command)]])
  return { files, figures: { unclassified, stale } }
}

/** Paths of all message files, sorted, by set (folder of the corpora). */
function readSets(corpora: string): Map<string, string[]> {
  const sets = new Map<string, string[]>()
  for (const set of readdirSync(corpora).sort()) {
    if (/\.\w+$/.test(set)) continue
    const files = readdirSync(join(corpora, set), { recursive: true, withFileTypes: true })
    const messages = files.filter((file) => file.isFile() && !/\.(?:jsonl|tsv)$/.test(file.name))
    if (messages.length === 0) continue
    sets.set(set, messages.map(({ parentPath, name }) => join(parentPath, name)).sort())
  }
  return sets
}

/** SAMPLE_SIZE files: small sets whole, the others in equal numbers, evenly spread over each. */
function chooseSample(sets: readonly (readonly string[])[]): string[] {
  const ascending = sets.toSorted((one, other) => one.length - other.length)
  const chosen: string[] = []
  ascending.forEach((files, index) => {
    const share = Math.floor((SAMPLE_SIZE - chosen.length) / (ascending.length - index))
    const count = Math.min(share, files.length)
    for (let taken = 0; taken < count; taken++) {
      chosen.push(files[Math.floor((taken * files.length) / count)] as string)
    }
  })
  return chosen
}

async function compareAll(files: readonly string[]): Promise<Comparison[]> {
  const comparisons: Comparison[] = []
  for (const file of files) comparisons.push(await compare(file))
  return comparisons
}

async function compare(file: string): Promise<Comparison> {
  const bytes = readFileSync(file)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_LENGTH)
  const message = parseMessage(memoryOctets(bytes))
  const pairs = new Map([...(await mimePairs(bytes, message)), ...htmlPairs(message)])
  return { file, hash, pairs }
}

async function mimePairs(bytes: Buffer, message: Message): Promise<Map<Aspect, Pair>> {
  const parser = new PostalMime()
  const email = await parser.parse(bytes).catch(() => NOTHING)
  const pairs = new Map<Aspect, Pair>([
    ['subject', { ours: plain(message.subject), theirs: plain(email.subject ?? '') }],
    ['addresses', { ours: ourAddresses(message), theirs: theirAddresses(email) }],
  ])
  const texts = [
    ...message.texts,
    ...message.attachedMessages.flatMap((attached) => attached.texts),
  ]
  if (texts.some(({ truncated }) => truncated)) return pairs
  const ours = texts.map(({ source }) => source)
  const theirs = [...textsOf(parser), ...(await attachedTexts(email))]
  return pairs.set('text', { ours: sameOrder(ours), theirs: sameOrder(theirs) })
}

/** Text bodies as postal-mime decoded them, before it renders one as the other. */
function textsOf(parser: PostalMime): string[] {
  return [...(parser as unknown as TextHolder).textMap.values()]
    .flatMap((entry) => Object.values(entry).flat())
    .filter(({ type }) => type === 'text')
    .map(({ value }) => String(value))
}

/**
 * Texts of what postal-mime takes for attachments and we for text that a filter wants to see:
 * messages in reports, reports themselves, and other kinds of text.
 */
async function attachedTexts(email: Email): Promise<string[]> {
  const texts: string[] = []
  for (const { mimeType, content, disposition } of email.attachments) {
    const bytes = Buffer.from(content as ArrayBuffer)
    if (mimeType === 'message/rfc822') texts.push(...(await messageTexts(bytes)))
    else if (REPORTS.has(mimeType)) texts.push(bytes.toString())
    else if (mimeType.startsWith('text/') && disposition !== 'attachment') {
      texts.push(bytes.toString())
    }
  }
  return texts
}

async function messageTexts(bytes: Buffer): Promise<string[]> {
  const parser = new PostalMime()
  const email = await parser.parse(bytes).catch(() => NOTHING)
  return [...textsOf(parser), ...(await attachedTexts(email))]
}

/** Bodies sorted: postal-mime groups those of a multipart/alternative by type. */
function sameOrder(texts: readonly string[]): string {
  const bodies = texts.map(plain).filter((text) => text !== '')
  return bodies.sort().join('\n')
}

function ourAddresses({ fields }: Message): string {
  return ADDRESS_FIELDS.map((name) => fields.find((field) => field.name === name)?.rawBody ?? '')
    .flatMap((body) => parseAddresses(body))
    .map(({ address }) => comparableAddress(address))
    .filter((address) => address !== '')
    .join(' ')
}

function theirAddresses({ headers }: Email): string {
  return ADDRESS_FIELDS.map((name) => headers.find(({ key }) => key === name)?.value ?? '')
    .flatMap((body) => addressParser(body, { flatten: true }))
    .map(({ address }) => comparableAddress(address ?? ''))
    .filter((address) => address !== '')
    .join(' ')
}

/** Without case; nothing when it has no domain, as a mere name. */
function comparableAddress(address: string): string {
  return address.includes('@') ? address.toLowerCase() : ''
}

function htmlPairs(message: Message): Map<Aspect, Pair> {
  const bodies = message.texts.filter(({ html }) => html !== undefined)
  if (bodies.length === 0) return new Map()
  const theirs = bodies.map(({ source }) => readWithParse5(source))
  const ours = bodies.map(({ html, visible }): Reading => {
    return { text: visible, hrefs: html?.links.map(({ href }) => href) ?? [] }
  })
  return new Map<Aspect, Pair>([
    ['visible text', { ours: allText(ours), theirs: allText(theirs) }],
    ['links', { ours: allLinks(ours), theirs: allLinks(theirs) }],
  ])
}

function allText(readings: readonly Reading[]): string {
  return plain(readings.map(({ text }) => text).join(' '))
}

/**
 * Each target once, in order: where an a element is not closed, the standard opens it again in
 * every block that follows.
 */
function allLinks(readings: readonly Reading[]): string {
  return readings
    .map(({ hrefs }) => hrefs.map((href) => href.slice(0, LINK_LENGTH_MAX)))
    .flatMap((hrefs) => [...new Set(hrefs)].slice(0, LINKS_MAX))
    .join('\n')
}

/** White space folded; without NUL, which browsers drop. */
function plain(text: string): string {
  return text.replaceAll('\0', '').replace(/\s+/g, ' ').trim()
}

/** Aspects that are not the same to the letter. */
function differingAspects({ pairs }: Comparison): Aspect[] {
  return [...pairs].filter(([, { ours, theirs }]) => ours !== theirs).map(([aspect]) => aspect)
}

/** The same text, where undecodable bytes and the marks of quoted lines are left out of account. */
function agrees({ ours, theirs }: Pair): boolean {
  return ours === theirs || matchesUndecoded(withoutQuoteMarks(ours), withoutQuoteMarks(theirs))
}

/** postal-mime joins flowed lines (RFC 3676) and leaves the marks of the quoted ones in between. */
function withoutQuoteMarks(text: string): string {
  return text
    .replace(/(?:> ?)+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Where postal-mime has U+FFFD for a byte of no declared charset, any character of ours will do. */
function matchesUndecoded(ours: string, theirs: string): boolean {
  if (ours.length !== theirs.length) return false
  for (let at = 0; at < ours.length; at++) {
    if (ours[at] !== theirs[at] && theirs[at] !== '\ufffd') return false
  }
  return true
}

/** Share of the messages that have the aspect for which `test` holds; 1 when none has it. */
function share(
  comparisons: readonly Comparison[],
  aspect: Aspect,
  test: (pair: Pair) => boolean,
): number {
  const pairs = comparisons.flatMap((comparison) => comparison.pairs.get(aspect) ?? [])
  return pairs.length === 0 ? 1 : shareOf(pairs, test)
}

function reachesTargets(sample: readonly Comparison[]): boolean {
  return aspects().every((aspect) => share(sample, aspect, agrees) >= ASPECTS[aspect].target)
}

function aspects(): Aspect[] {
  return Object.keys(ASPECTS) as Aspect[]
}

/** By `hash aspect`: the verdict and its reason. */
type Verdicts = ReadonlyMap<string, { readonly verdict: string; readonly reason: string }>

function readVerdicts(file: string): Verdicts {
  const lines = readFileSync(file, 'utf8').split('\n').slice(1)
  const rows = lines.filter((line) => line !== '').map((line) => line.split('\t'))
  return new Map(
    rows.map(([hash, aspect, verdict = '', reason = '']) => {
      if (!(VERDICTS as readonly string[]).includes(verdict)) {
        throw new RangeError(`${hash} ${aspect}: '${verdict}' is no verdict`)
      }
      return [`${hash} ${aspect}`, { verdict, reason }]
    }),
  )
}

function missingVerdicts(comparison: Comparison, verdicts: Verdicts): string[] {
  return differingAspects(comparison)
    .map((aspect) => `${comparison.hash} ${aspect}`)
    .filter((key) => !verdicts.has(key))
}

function staleVerdicts(odd: readonly Comparison[], verdicts: Verdicts): string[] {
  const differing = odd.flatMap((comparison) =>
    differingAspects(comparison).map((aspect) => `${comparison.hash} ${aspect}`),
  )
  return [...verdicts.keys()].filter((key) => !differing.includes(key))
}

function report(
  sample: readonly Comparison[],
  odd: readonly Comparison[],
  verdicts: Verdicts,
  command: string,
): string {
  return page('parser', {
    command,
    messages: sample.length,
    agreement: agreementTable(sample),
    oddMessages: odd.length,
    ODD_SET,
    verdicts: verdictTable(odd, verdicts),
  })
}

function agreementTable(sample: readonly Comparison[]): string {
  const rows = aspects().map((aspect) => {
    const having = sample.filter(({ pairs }) => pairs.has(aspect)).length
    const { oracle, target } = ASPECTS[aspect]
    const agreeing = percent(share(sample, aspect, agrees))
    const same = percent(share(sample, aspect, ({ ours, theirs }) => ours === theirs))
    return `| ${aspect} | ${oracle} | ${having} | ${agreeing} | ${percent(target)} | ${same} |\n`
  })
  const head = '| aspect | against | messages | agree | target | to the letter |'
  return `${head}\n|---|---|---|---|---|---|\n${rows.join('')}`
}

function verdictTable(odd: readonly Comparison[], verdicts: Verdicts): string {
  const rows = aspects().map((aspect) => {
    const given = odd
      .filter((comparison) => differingAspects(comparison).includes(aspect))
      .map(({ hash }) => verdicts.get(`${hash} ${aspect}`)?.verdict)
    const counts = VERDICTS.map((verdict) => given.filter((one) => one === verdict).length)
    const having = odd.filter(({ pairs }) => pairs.has(aspect)).length
    return `| ${aspect} | ${having} | ${having - given.length} | ${counts.join(' | ')} |\n`
  })
  const head = '| aspect | messages | same | ours better | theirs better | equal |'
  return `${head}\n|---|---|---|---|---|---|\n${rows.join('')}`
}

function percent(share: number): string {
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`
}

/** Prints where the two readings of an aspect differ, with the text around. */
function printDifferences({ file, hash, pairs }: Comparison, show: string): void {
  const pair = pairs.get(show as Aspect)
  if (pair === undefined || pair.ours === pair.theirs) return
  let at = 0
  while (pair.ours[at] === pair.theirs[at]) at++
  const from = Math.max(0, at - 60)
  console.log(`${hash} ${file}`)
  console.log(`  ours   (${pair.ours.length}) …${pair.ours.slice(from, at + 160)}`)
  console.log(`  theirs (${pair.theirs.length}) …${pair.theirs.slice(from, at + 160)}`)
}
