/**
 * One run: inputs by the numbers from 0, each made from the seed and its number alone, so that
 * any can be made again. Messages are made up or mutated, of others or of bombs, and between them
 * come texts for single parsers and requests for the interface.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BOMBS, bombOf } from './bombs/bombs.ts'
import { type Dice, diceOf } from './dice.ts'
import type { Examiner } from './message-properties.ts'
import { message } from './messages.ts'
import { minimised } from './minimise.ts'
import { mutated } from './mutation.ts'
import { PARSERS, type Parser, parserFault } from './parser-properties.ts'

/** Inputs that warm caches and compiler up before the heap is measured. */
const WARM_UP_INPUTS = 1_500

/** How much the heap may grow from then on, in bytes: caches are bounded, and full soon. */
const HEAP_GROWTH_MAX = 24 * 1024 * 1024

/** Made-up messages that are mutated where there are no others, and the bytes of the largest of them. */
const OWN_SOURCES = 300
const OWN_SOURCE_BYTES_MAX = 4 * 1024

/** Bytes of bombs before they are mutated. */
const BOMB_BYTES = [256, 2_048, 16_384]
const BOMB_NAMES = [...BOMBS.keys()]

/** Inputs in a cycle: one is a text for each parser, one a request, and the others are messages. */
const TURNS = 20
const TEXT_TURN = 8
const REQUEST_TURN = 19

/** Inputs between two words on how far it is. */
const PROGRESS_INPUTS = 10_000

/** Away from the numbers by which inputs are made, so that a mutated input is examined in the same way. */
const EXAMINING = 2 ** 30

/** Asks a service what the dice make up, and says what is wrong with its answer. */
export type AskService = (dice: Dice) => Promise<{
  readonly bytes: Buffer
  readonly fault: string | undefined
}>

export interface FuzzOptions {
  readonly seed: number
  readonly examiner: Examiner
  /** Number of the first input; 0 when absent. */
  readonly first?: number
  /** Asked before each input, with how many there were. */
  readonly goOn: (inputs: number) => boolean
  /** Told of each new fault at once: what follows may never end. */
  readonly onFinding?: (finding: Finding) => void
  /** Told what there was so far, every so many inputs. */
  readonly onProgress?: (summary: FuzzSummary) => void
  /** Messages to mutate; made-up ones when empty. */
  readonly sources?: readonly Buffer[]
  /** Who is sent requests; nobody when absent. */
  readonly request?: AskService
  /** Parsers of single texts beside those of mail. */
  readonly parsers?: Readonly<Record<string, Parser>>
  /** One message in so many is examined in all ways; the others only glanced at. */
  readonly examineEvery?: number
  /** Faults that are known: told, but not minimised. */
  readonly known?: ReadonlySet<string>
}

export interface Finding {
  readonly fault: string
  /** Number of the first input that had it. */
  readonly input: number
  /** Minimised. */
  readonly bytes: Buffer
  /** How many inputs had it. */
  count: number
}

export interface FuzzSummary {
  readonly messages: number
  /** How many of the messages were mutated; the others were made up. */
  readonly mutated: number
  readonly texts: number
  readonly requests: number
  /** Messages that were none. */
  readonly refused: number
  readonly findings: readonly Finding[]
}

export async function fuzz(options: FuzzOptions): Promise<FuzzSummary> {
  const run = new Run(options)
  const { first = 0, goOn, onProgress } = options
  for (let inputs = 0; goOn(inputs); inputs++) {
    await run.input(first + inputs)
    if (inputs === WARM_UP_INPUTS) run.noteHeap()
    if ((inputs + 1) % PROGRESS_INPUTS === 0) onProgress?.(run.summary())
  }
  run.checkHeap()
  return run.summary()
}

/** The message that is input `input` of the run with that seed. */
export function messageOf(seed: number, input: number, sources: readonly Buffer[]): Buffer {
  const dice = diceOf(seed, input)
  if (isMadeUp(input)) return message(dice)
  const source = isBomb(input) ? bomb(dice) : dice.pick(sources)
  return mutated(dice, source, dice.pick(sources))
}

function bomb(dice: Dice): Buffer {
  return bombOf(dice.pick(BOMB_NAMES), dice.pick(BOMB_BYTES))
}

function isMadeUp(input: number): boolean {
  return input % 8 === 0
}

function isBomb(input: number): boolean {
  return input % 8 === 4
}

/** Collects what one run finds. */
class Run {
  readonly #options: FuzzOptions
  readonly #sources: readonly Buffer[]
  readonly #findings = new Map<string, Finding>()
  readonly #counts = { messages: 0, mutated: 0, texts: 0, requests: 0, refused: 0 }
  #heapBytes: number | undefined

  constructor(options: FuzzOptions) {
    const { seed, sources = [] } = options
    this.#options = options
    this.#sources =
      sources.length > 0
        ? sources
        : Array.from({ length: OWN_SOURCES }, (_, at) =>
            message(diceOf(~seed, at)).subarray(0, OWN_SOURCE_BYTES_MAX),
          )
  }

  async input(input: number): Promise<void> {
    const { seed, request } = this.#options
    const turn = input % TURNS
    if (turn === TEXT_TURN) this.#text(input, diceOf(seed, input))
    else if (turn === REQUEST_TURN && request !== undefined) await this.#request(input, request)
    else this.#message(input)
  }

  #message(input: number): void {
    const { seed, examiner, examineEvery = 1 } = this.#options
    const bytes = messageOf(seed, input, this.#sources)
    const examined = input % examineEvery === 0
    const examine = (some: Buffer) =>
      examined ? examiner.examine(some, diceOf(seed, input + EXAMINING)) : examiner.glance(some)
    const { fault, isRefused } = examine(bytes)
    this.#counts.messages++
    if (!isMadeUp(input)) this.#counts.mutated++
    if (isRefused) this.#counts.refused++
    if (fault !== undefined) this.#found(fault, input, bytes, (some) => examine(some).fault)
  }

  #text(input: number, dice: Dice): void {
    for (const [name, parser] of Object.entries({ ...PARSERS, ...this.#options.parsers })) {
      const text = parser.text(dice)
      const faultOf = (bytes: Buffer) => parserFault(name, parser, bytes.toString('latin1'))
      const bytes = Buffer.from(text, 'latin1')
      this.#counts.texts++
      const fault = faultOf(bytes)
      if (fault !== undefined) this.#found(fault, input, bytes, faultOf)
    }
  }

  async #request(input: number, request: AskService): Promise<void> {
    this.#counts.requests++
    const { fault, bytes } = await request(diceOf(this.#options.seed, input))
    if (fault !== undefined) this.#found(fault, input, bytes, () => undefined)
  }

  #found(
    fault: string,
    input: number,
    bytes: Buffer,
    faultOf: (bytes: Buffer) => string | undefined,
  ): void {
    const finding = this.#findings.get(fault)
    if (finding !== undefined) {
      finding.count++
      return
    }
    const isKnown = this.#options.known?.has(fault) ?? false
    const least = isKnown ? bytes : minimised(bytes, (some) => faultOf(some) === fault)
    const found: Finding = { fault, input, bytes: least, count: 1 }
    this.#findings.set(fault, found)
    this.#options.onFinding?.(found)
  }

  noteHeap(): void {
    this.#heapBytes = heapBytes()
  }

  checkHeap(): void {
    if (this.#heapBytes === undefined) return
    if (heapBytes() - this.#heapBytes <= HEAP_GROWTH_MAX) return
    const fault = 'the heap grows from message to message'
    this.#findings.set(fault, { fault, input: 0, bytes: Buffer.alloc(0), count: 1 })
  }

  summary(): FuzzSummary {
    return {
      ...this.#counts,
      findings: [...this.#findings.values()],
    }
  }
}

/** What is left after a collection. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}
