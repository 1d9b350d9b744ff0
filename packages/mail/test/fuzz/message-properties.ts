/**
 * What holds for every message, whatever its bytes. `faultOf` reads it once in the way the
 * service does and once in another way, chosen by chance, by which nothing may change.
 */
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileOctets } from '../../../service/admission/message-body.ts'
import { TERMS_MAX } from '../../embedding/sparse-terms.ts'
import { decodeEventFeatures, EVENT_FEATURES_BYTES_MAX } from '../../features/event-features.ts'
import { PARTS_MAX } from '../../message/limits.ts'
import { memoryOctets } from '../../message/octets.ts'
import { CLASSES } from '../../models/prediction.ts'
import type { RuleType } from '../../personalization/kinds.ts'
import { decodeMemoryItem } from '../../personalization/memory-item.ts'
import type { Patterns } from '../../personalization/patterns.ts'
import { checkPattern } from '../../personalization/rules.ts'
import { EVIDENCE_LENGTH_MAX } from '../../signals/signal.ts'
import type { Dice } from './dice.ts'
import {
  fingerprint,
  type Judge,
  type Reading,
  read,
  readBytes,
  readPlainly,
  verdictWithoutDetail,
} from './readings.ts'

/**
 * Longest a message may take, in milliseconds: 50, ten times what the dearest small ones take, and
 * 300 ns for each byte, twice what the dearest markup takes (html-hostile.test.ts). Real mail
 * takes 20 ns a byte. Nothing takes half a second (docs/security.md). On the clock on the wall
 * first, since the one of the processor ticks every few milliseconds on some machines, and then on
 * that of the processor, since others may have it meanwhile; slow each time.
 */
const BASE_MS = 50
const MS_PER_BYTE = 300e-6
const LIMIT_MS_MAX = 500

const MICROSECONDS_PER_MS = 1_000

/** Readings of one message before its time is believed: the first may compile, the second collect garbage. */
const TIMED_READINGS = 8

/** Characters of the largest diagnostic: 200 links, parts and attachments of a line each, names and terms ... */
const DIAGNOSTIC_BASE = 64 * 1024

/** ... and what each byte of the message may add: a control character takes six in JSON. Marks are counted apart. */
const DIAGNOSTIC_PER_BYTE = 6

/** Characters of a mark: two positions of at most six digits, a logit, names and brackets. */
const MARK_LENGTH_MAX = 72

/** Sums of four probabilities. */
const ROUNDING = 1e-9

/** Bytes of a message that is read again with other line ends. */
const LINE_END_BYTES_MAX = 64 * 1024

/** Where a byte more or less shifts what follows: wide characters, shifts that no line ends, uuencoded binaries. */
const UNEVEN = /utf-?(?:16|32|7)|ucs-?2|iso-2022|uue|[\x0e\x0f\x1b\x80-\xff\r]/i

/** What a reading took, in milliseconds. */
interface Times {
  /** On the clock on the wall. */
  readonly ms: number
  /** CPU time: less than the wall-clock time when others had the processor meanwhile. */
  readonly cpuMs: number
}

export interface Examination {
  /** What is wrong with the first that does not hold; undefined when all does. */
  readonly fault: string | undefined
  /** Of bytes that are no message. */
  readonly isRefused: boolean
}

/** A message and the judge who reads it, a file to put it into, and the dice. */
interface Case {
  readonly judge: Judge
  readonly bytes: Buffer
  readonly dice: Dice
  /** Open for reading and writing. */
  readonly file: number
}

export class Examiner {
  readonly #judge: Judge
  readonly #folder: string
  readonly #file: number

  constructor(judge: Judge) {
    this.#judge = judge
    this.#folder = mkdtempSync(join(tmpdir(), 'tamis-fuzz-'))
    this.#file = openSync(join(this.#folder, 'message.eml'), 'w+')
  }

  close(): void {
    closeSync(this.#file)
    rmSync(this.#folder, { recursive: true })
  }

  /** All that must hold, in a way of reading that `dice` choose. */
  examine(bytes: Buffer, dice: Dice): Examination {
    return this.#timed(bytes, (judge) => {
      const reading = readBytes(judge, bytes)
      return {
        isRefused: reading === undefined,
        fault: () =>
          (reading && faultIn(judge, reading, bytes.length)) ??
          dice.pick(OTHER_WAYS)({ judge, bytes, dice, file: this.#file }, reading),
      }
    })
  }

  /** Only that there is a verdict in time: a third of the work. */
  glance(bytes: Buffer): Examination {
    return this.#timed(bytes, (judge) => {
      const reading = readPlainly(judge, bytes)
      return {
        isRefused: reading === undefined,
        fault: () => reading && (numberFault(reading) ?? probabilityFault(reading)),
      }
    })
  }

  /** @param judged reads the message, and gives how to look for a fault in what came out. */
  #timed(
    bytes: Buffer,
    judged: (judge: Judge) => {
      readonly isRefused: boolean
      readonly fault: () => string | undefined
    },
  ): Examination {
    const taken = startClock()
    try {
      const { isRefused, fault } = judged(this.#judge)
      return { fault: slowness(this.#judge, bytes, taken()) ?? fault(), isRefused }
    } catch (error) {
      return { fault: thrown(error), isRefused: true }
    }
  }
}

/** Gives, when called, what has passed since. */
function startClock(): () => Times {
  const started = performance.now()
  const startedCpu = threadCpuMs()
  return () => ({ ms: performance.now() - started, cpuMs: threadCpuMs() - startedCpu })
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / MICROSECONDS_PER_MS
}

/** The place in it tells one fault from another. */
function thrown(error: unknown): string {
  const { stack = '' } = error as Error
  return `threw ${stack.split('\n').slice(0, 2).join(' ')}`
}

/** Too long each time. */
function slowness(judge: Judge, bytes: Buffer, first: Times): string | undefined {
  const limitMs = Math.min(LIMIT_MS_MAX, BASE_MS + MS_PER_BYTE * bytes.length)
  let leastMs = Math.min(first.ms, first.cpuMs)
  for (let times = 1; leastMs > limitMs && times < TIMED_READINGS; times++) {
    const clock = startClock()
    readBytes(judge, bytes)
    const { ms, cpuMs } = clock()
    leastMs = Math.min(leastMs, ms, cpuMs)
  }
  return leastMs > limitMs ? 'takes too long' : undefined
}

function faultIn(judge: Judge, reading: Reading, messageBytes: number): string | undefined {
  return (
    numberFault(reading) ??
    probabilityFault(reading) ??
    keptFault(judge, reading) ??
    patternFault(reading.analysis.personal.patterns) ??
    sizeFault(reading, messageBytes)
  )
}

/** Numbers that are not finite, and strings that are no Unicode: JSON and databases have neither. */
function numberFault(reading: object): string | undefined {
  const pending: [string, unknown][] = Object.entries(reading)
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [path, value] = next
    if (typeof value === 'number' && !Number.isFinite(value)) return `${path} is ${value}`
    if (typeof value === 'string' && !value.isWellFormed())
      return `${lastName(path)} has half a character`
    if (value === undefined) return `${path} is undefined`
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) continue
    for (const [name, inner] of Object.entries(value)) {
      if (!name.isWellFormed()) return `${lastName(path)} has half a character in a name`
      // An index says nothing about the fault, and the key of a feature is the message's.
      const isIndex = Array.isArray(value) || path.endsWith('inputs')
      pending.push([isIndex ? `${path}[]` : `${path}.${name}`, inner])
    }
  }
  return undefined
}

/** Where it stands in a diagnostic and where in an Analysis it is the same fault. */
function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

function probabilityFault({
  analysis,
  verdict,
}: Pick<Reading, 'analysis' | 'verdict'>): string | undefined {
  const shares = CLASSES.map((name) => analysis.tabs[name])
  const sum = shares.reduce((total, share) => total + share, 0)
  if (Math.abs(sum - 1) > ROUNDING) return 'the classes do not sum to 1'
  const { classification, bypassReason, ...rest } = verdict
  const { confidenceMargin, disagreement, entropy } = verdict
  const probabilities = {
    ...analysis.tabs,
    text: analysis.text.probability,
    meta: analysis.meta.probability,
    spam: analysis.spam.probability,
    spamProbability: rest.spamProbability,
    confidenceMargin,
    disagreement,
    entropy,
  }
  for (const [name, value] of Object.entries(probabilities)) {
    if (!(value >= 0 && value <= 1)) return `${name} is not in [0, 1]`
  }
  if (!CLASSES.includes(classification)) return 'the class is none'
  const partly = analysis.limitsReached.length > 0 || analysis.bodyUnread
  if (partly !== (bypassReason === 'parse_error')) return 'parse_error is not told as it was'
  return undefined
}

/** What the store keeps of a corrected message: bounded, and readable again. */
function keptFault(
  { models }: Judge,
  { analysis: { personal, eventFeatures } }: Reading,
): string | undefined {
  if (personal === undefined || eventFeatures === undefined) return 'nothing to keep'
  if (eventFeatures.length > EVENT_FEATURES_BYTES_MAX) return 'event features are too long'
  if (decodeEventFeatures(eventFeatures, models.metaNumbering.names.length) === undefined) {
    return 'event features cannot be read'
  }
  const item = decodeMemoryItem(personal.memoryItem)
  if (item === undefined) return 'the memory item cannot be read'
  if (item.sparse.length > TERMS_MAX) return 'the memory item has too many terms'
  return undefined
}

/** A pattern that a message has is one that a rule may have, and that a database takes. */
function patternFault({ sender, list, thread, template }: Patterns): string | undefined {
  const byType: [RuleType, string | undefined][] = [
    ['Sender', sender],
    ['List', list],
    ['Thread', thread],
    ['Template', template],
  ]
  for (const [type, pattern] of byType) {
    if (pattern === undefined) continue
    if (pattern.includes('\0')) return `the ${type} pattern has a NUL`
    try {
      if (checkPattern(type, pattern) !== pattern) return `the ${type} pattern is read as another`
    } catch {
      return `the ${type} pattern is none that a rule may have`
    }
  }
  return undefined
}

function sizeFault({ analysis, diagnostic }: Reading, messageBytes: number): string | undefined {
  const { subject, body } = diagnostic.email.reading
  const marks = [...subject.marks, ...body.marks]
  // None over another, and each on a character at least.
  if (marks.length > subject.text.length + body.text.length) return 'more marks than characters'
  const marksLength = JSON.stringify(marks).length
  if (marksLength > 2 + MARK_LENGTH_MAX * marks.length) return 'marks are too long'
  const length = JSON.stringify(diagnostic).length - marksLength
  if (length > DIAGNOSTIC_BASE + DIAGNOSTIC_PER_BYTE * messageBytes) {
    return 'the diagnostic is too long'
  }
  if (diagnostic.email.parts.length > PARTS_MAX) return 'the diagnostic lists too many parts'
  const long = analysis.detail?.signals.find(
    ({ evidence = '' }) => evidence.length > EVIDENCE_LENGTH_MAX,
  )
  return long === undefined ? undefined : `the evidence of ${long.name} is too long`
}

type OtherWay = (input: Case, reading: Reading | undefined) => string | undefined

const OTHER_WAYS: readonly OtherWay[] = [
  again,
  fromFile,
  shortLived,
  outOfTime,
  headerOnly,
  withoutDetail,
  otherLineEnds,
  emptyLinesAtEnd,
]

function again({ judge, bytes }: Case, reading: Reading | undefined): string | undefined {
  return difference(readBytes(judge, bytes), reading, 'the second time')
}

function fromFile({ judge, bytes, file }: Case, reading: Reading | undefined): string | undefined {
  ftruncateSync(file)
  writeSync(file, bytes, 0, bytes.length, 0)
  return difference(read(judge, fileOctets(file, bytes.length)), reading, 'from a file')
}

/** Each slice is overwritten by the next call, as octets may do. */
function shortLived({ judge, bytes }: Case, reading: Reading | undefined): string | undefined {
  const octets = memoryOctets(bytes)
  let last: Buffer = Buffer.alloc(0)
  const renewed = (slice: Buffer) => {
    last.fill(0x21)
    last = slice
    return last
  }
  const other = read(judge, {
    length: octets.length,
    slice: (start, end) => renewed(Buffer.from(octets.slice(start, end))),
    indexOf: (needle, start, end) => {
      renewed(Buffer.alloc(0))
      return octets.indexOf(needle, start, end)
    },
  })
  return difference(other, reading, 'from octets that do not last')
}

/** Stopped at any moment there is a verdict, and it says that it was stopped. */
function outOfTime({ judge, bytes, dice }: Case, reading: Reading | undefined): string | undefined {
  let left = dice.below(20)
  let stopped = false
  const stopping = read(judge, memoryOctets(bytes), {
    outOfTime: () => {
      stopped = left <= 0
      left -= 1
      return stopped
    },
  })
  if ((stopping === undefined) !== (reading === undefined)) return 'out of time: another answer'
  if (stopping === undefined) return undefined
  if (stopped && !stopping.analysis.limitsReached.includes('CPU')) return 'out of time: not told'
  const fault = faultIn(judge, stopping, bytes.length)
  return fault && `out of time: ${fault}`
}

function headerOnly({ judge, bytes }: Case, reading: Reading | undefined): string | undefined {
  const header = read(judge, memoryOctets(bytes), { headerOnly: true })
  if ((header === undefined) !== (reading === undefined)) return 'header only: another answer'
  const fault = header && faultIn(judge, header, bytes.length)
  return fault && `header only: ${fault}`
}

/** Diagnostics are for people; they may not change what they explain. */
function withoutDetail({ judge, bytes }: Case, reading: Reading | undefined): string | undefined {
  const plain = JSON.stringify(verdictWithoutDetail(judge, bytes))
  return plain === JSON.stringify(reading?.verdict) ? undefined : 'differs without its detail'
}

/** LF and CRLF are the same end of a line where each stands for itself. */
function otherLineEnds({ judge, bytes }: Case): string | undefined {
  if (bytes.length > LINE_END_BYTES_MAX) return undefined
  const unix = bytes.toString('latin1').replaceAll('\r\n', '\n')
  if (UNEVEN.test(unix)) return undefined
  const one = readBytes(judge, Buffer.from(unix, 'latin1'))
  const other = readBytes(judge, Buffer.from(unix.replaceAll('\n', '\r\n'), 'latin1'))
  return saidDifference(one, other, 'with other line ends')
}

/** Mailboxes and gateways add empty lines. */
function emptyLinesAtEnd({ judge, bytes, dice }: Case): string | undefined {
  if (UNEVEN.test(bytes.toString('latin1'))) return undefined
  // With a line before them, since a body of empty lines alone is one where there was none.
  const closed = Buffer.concat([bytes, Buffer.from('\n\nend\n')])
  const longer = Buffer.concat([closed, Buffer.alloc(1 + dice.below(20), '\n')])
  const one = readBytes(judge, closed)
  return saidDifference(one, readBytes(judge, longer), 'with empty lines at its end')
}

function difference(
  other: Reading | undefined,
  reading: Reading | undefined,
  how: string,
): string | undefined {
  return fingerprint(other) === fingerprint(reading) ? undefined : `differs ${how}`
}

/** Only what the message says: its size may differ. */
function saidDifference(
  one: Reading | undefined,
  other: Reading | undefined,
  how: string,
): string | undefined {
  if (one === undefined || other === undefined) return one === other ? undefined : `none ${how}`
  const aspects: [string, (reading: Reading) => unknown][] = [
    ['subject', ({ diagnostic }) => diagnostic.email.subject],
    ['patterns', ({ analysis }) => JSON.stringify(analysis.personal.patterns)],
    ['links', ({ diagnostic }) => JSON.stringify(diagnostic.urlScanner)],
    ['signals', ({ analysis }) => analysis.detail?.signals.map(({ name }) => name).join(' ')],
    ['text', ({ analysis }) => analysis.text.logit.toFixed(6)],
  ]
  const aspect = aspects.find(([, of]) => of(one) !== of(other))?.[0]
  return aspect === undefined ? undefined : `another ${aspect} ${how}`
}
