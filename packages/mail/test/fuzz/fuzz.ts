/**
 * One run: inputs by the numbers from 0, each made from the seed and its number alone, so that
 * any can be made again. Messages are made up or mutated, of others or of bombs, and between them
 * come texts for single parsers and requests for the interface.
 */
import { BOMBS, bombOf } from './bombs/bombs.ts'
import { type Dice, diceOf } from './dice.ts'
import type { Examiner } from './message-properties.ts'
import { message } from './messages.ts'
import { minimised } from './minimise.ts'
import { mutated } from './mutation.ts'
import { PARSERS, type Parser, parserFault } from './parser-properties.ts'

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
  /** Messages to mutate; made-up ones when absent. */
  readonly sources?: readonly Buffer[]
  readonly request: AskService
  /** Parsers of single texts beside those of mail. */
  readonly parsers: Readonly<Record<string, Parser>>
  /** One message in so many is examined in all ways; the others only glanced at. */
  readonly examineEvery: number
  /** Told of each new fault at once: what follows may never end. */
  readonly onFinding?: (finding: Finding) => void
}

export interface Finding {
  readonly fault: string
  /** Number of the first input that had it. */
  readonly input: number
  /** Minimised. */
  readonly bytes: Buffer
}

/** The faults found, each once, and how many inputs there were. */
export async function fuzz(options: FuzzOptions) {
  const { seed, examiner, first = 0, goOn, request, examineEvery } = options
  const parsers = Object.entries({ ...PARSERS, ...options.parsers })
  const sources =
    options.sources ??
    Array.from({ length: OWN_SOURCES }, (_, at) =>
      message(diceOf(~seed, at)).subarray(0, OWN_SOURCE_BYTES_MAX),
    )
  const findings = new Map<string, Finding>()
  const note = (input: number, bytes: Buffer, faultOf: (bytes: Buffer) => string | undefined) => {
    const fault = faultOf(bytes)
    if (fault === undefined || findings.has(fault)) return
    const least = minimised(bytes, (some) => faultOf(some) === fault)
    findings.set(fault, { fault, input, bytes: least })
    options.onFinding?.({ fault, input, bytes: least })
  }
  let inputs = 0
  for (; goOn(inputs); inputs++) {
    const input = first + inputs
    const turn = input % TURNS
    if (turn === REQUEST_TURN) {
      const { fault, bytes } = await request(diceOf(seed, input))
      note(input, bytes, (some) => (some === bytes ? fault : undefined))
    } else if (turn === TEXT_TURN) {
      const dice = diceOf(seed, input)
      for (const [name, parser] of parsers) {
        note(input, Buffer.from(parser.text(dice), 'latin1'), (bytes) =>
          parserFault(name, parser, bytes.toString('latin1')),
        )
      }
    } else {
      note(input, messageOf(seed, input, sources), (bytes) =>
        input % examineEvery === 0
          ? examiner.examine(bytes, diceOf(seed, input + EXAMINING))
          : examiner.glance(bytes),
      )
    }
  }
  return { inputs, findings: [...findings.values()] }
}

/** The message that is input `input` of the run with that seed: one of eight is made up, one a bomb. */
function messageOf(seed: number, input: number, sources: readonly Buffer[]): Buffer {
  const dice = diceOf(seed, input)
  if (input % 8 === 0) return message(dice)
  const source =
    input % 8 === 4 ? bombOf(dice.pick(BOMB_NAMES), dice.pick(BOMB_BYTES)) : dice.pick(sources)
  return mutated(dice, source, dice.pick(sources))
}
