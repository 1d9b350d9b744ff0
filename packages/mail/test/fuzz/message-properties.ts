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
import { RULE_TYPES } from '../../personalization/kinds.ts'
import { decodeMemoryItem } from '../../personalization/memory-item.ts'
import type { Patterns } from '../../personalization/patterns.ts'
import { memoryItemOf } from '../../personalization/personal-analysis.ts'
import { checkPattern } from '../../personalization/rules.ts'
import { EVIDENCE_LENGTH_MAX } from '../../signals/signal.ts'
import { cpuMs } from '../helpers/cpu-time.ts'
import type { Dice } from './dice.ts'
import { unlessRefused } from './parser-properties.ts'
import { type Judge, type Judged, judged, type Reading, read, readBytes } from './readings.ts'

/**
 * Longest a message may take, in milliseconds of CPU time: 50, ten times what the dearest small ones take, and
 * 300 ns for each byte, twice what the dearest markup takes. Real mail takes 20 ns a byte; nothing takes half a second.
 */
const BASE_MS = 50
const MS_PER_BYTE = 300e-6
const LIMIT_MS_MAX = 500

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

  /** What is wrong of all that must hold, in a way of reading that `dice` choose; undefined when all is right. */
  examine(bytes: Buffer, dice: Dice): string | undefined {
    const judge = this.#judge
    const input = { judge, bytes, dice, file: this.#file }
    return timed(bytes, () => {
      const reading = readBytes(judge, bytes)
      return () =>
        (reading && faultIn(judge, reading, bytes.length)) ?? dice.pick(OTHER_WAYS)(input, reading)
    })
  }

  /** Only that there is a verdict in time: a third of the work. */
  glance(bytes: Buffer): string | undefined {
    return timed(bytes, () => {
      const result = judged(this.#judge, memoryOctets(bytes))
      return () => result && (numberFault(result) ?? probabilityFault(result))
    })
  }
}

/** @param reading reads the message, and gives how to look for a fault in what came out. */
function timed(bytes: Buffer, reading: () => () => string | undefined): string | undefined {
  const limitMs = Math.min(LIMIT_MS_MAX, BASE_MS + MS_PER_BYTE * bytes.length)
  try {
    for (let times = 0; times < TIMED_READINGS; times++) {
      const started = cpuMs()
      const fault = reading()
      if (cpuMs() - started <= limitMs) return fault()
    }
    return 'takes too long'
  } catch (error) {
    // The place in it tells one fault from another.
    return `threw ${(error as Error).stack?.split('\n').slice(0, 2).join(' ')}`
  }
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

function probabilityFault({ analysis, verdict }: Judged): string | undefined {
  const sum = CLASSES.reduce((total, name) => total + analysis.tabs[name], 0)
  if (Math.abs(sum - 1) > ROUNDING) return 'the classes do not sum to 1'
  const { spamProbability, confidenceMargin, disagreement, entropy } = verdict
  const probabilities = {
    ...analysis.tabs,
    text: analysis.text.probability,
    meta: analysis.meta.probability,
    spam: analysis.spam.probability,
    spamProbability,
    confidenceMargin,
    disagreement,
    entropy,
  }
  for (const [name, value] of Object.entries(probabilities)) {
    if (!(value >= 0 && value <= 1)) return `${name} is not in [0, 1]`
  }
  const partly = analysis.limitsReached.length > 0 || analysis.bodyUnread
  return partly === (verdict.bypassReason === 'parse_error')
    ? undefined
    : 'parse_error is not told as it was'
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
  const item = decodeMemoryItem(memoryItemOf(personal, undefined).memory)
  if (item === undefined) return 'the memory item cannot be read'
  if (item.sparse.length > TERMS_MAX) return 'the memory item has too many terms'
  return undefined
}

/** A pattern that a message has is one that a rule may have, and that a database takes. */
function patternFault({ sender, list, thread, template }: Patterns): string | undefined {
  const patterns = { Sender: sender, List: list, Thread: thread, Template: template }
  for (const type of RULE_TYPES) {
    const pattern = patterns[type]
    if (pattern === undefined) continue
    if (pattern.includes('\0')) return `the ${type} pattern has a NUL`
    const checked = unlessRefused('FIELD_INVALID', () => checkPattern(type, pattern))
    if (checked !== pattern) return `the ${type} pattern is read as another`
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
  fromFile,
  shortLived,
  outOfTime,
  headerOnly,
  withoutDetail,
  otherLineEnds,
]

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
  const plain = JSON.stringify(judged(judge, memoryOctets(bytes))?.verdict)
  return plain === JSON.stringify(reading?.verdict) ? undefined : 'differs without its detail'
}

/** LF and CRLF are the same end of a line where each stands for itself. Only what the message says is the same, not its size. */
function otherLineEnds({ judge, bytes }: Case): string | undefined {
  if (bytes.length > LINE_END_BYTES_MAX) return undefined
  const unix = bytes.toString('latin1').replaceAll('\r\n', '\n')
  if (UNEVEN.test(unix)) return undefined
  const [one, other] = [unix, unix.replaceAll('\n', '\r\n')].map((text) => {
    const reading = readBytes(judge, Buffer.from(text, 'latin1'))
    if (reading === undefined) return undefined
    const { analysis, diagnostic } = reading
    return JSON.stringify([
      diagnostic.email.subject,
      analysis.personal.patterns,
      diagnostic.urlScanner,
      analysis.detail?.signals.map(({ name }) => name),
      analysis.text.logit.toFixed(6),
    ])
  })
  return one === other ? undefined : 'differs with other line ends'
}

function difference(
  other: Reading | undefined,
  reading: Reading | undefined,
  how: string,
): string | undefined {
  return fingerprint(other) === fingerprint(reading) ? undefined : `differs ${how}`
}

/** The same for the same reading, whatever time it took. */
function fingerprint(reading: Reading | undefined): string {
  if (reading === undefined) return 'no message'
  const { analysis, diagnostic } = reading
  const untimed = { ...analysis, timing: null, diagnostic: { ...diagnostic, timing: null } }
  return JSON.stringify(untimed, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  )
}
