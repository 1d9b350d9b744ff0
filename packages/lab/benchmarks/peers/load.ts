/**
 * The load generator: messages to a server, as fast as it answers or at a rate that does not
 * depend on its answers (an open loop, which shows the wait that a closed one hides).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { randomSource } from '../../training/random.ts'

/** Requests in flight at full load: enough that the server never waits for the generator, nor for one slow answer. */
const IN_FLIGHT = 32

/** Seed of the gaps between messages: every server gets the same gaps, scaled. */
const SEED = 20_250_601

export interface Load {
  readonly ask: (message: Buffer) => Promise<void>
  readonly nextMessage: () => Buffer
  readonly seconds: number
  /** Messages a second; as fast as possible when absent. */
  readonly rate?: number
  /** Ends after so many, sooner than `seconds`; at full speed only. */
  readonly messagesMax?: number
}

export interface LoadResult {
  /** Messages that got a verdict, and that got none. */
  readonly answered: number
  readonly unanswered: number
  /** Time until the last answer. */
  readonly seconds: number
  /** From sending to verdict, in milliseconds, ascending. */
  readonly latencies: readonly number[]
}

export async function runLoad(load: Load): Promise<LoadResult> {
  const latencies: number[] = []
  let unanswered = 0
  const send = async () => {
    const message = load.nextMessage()
    const started = performance.now()
    try {
      await load.ask(message)
      latencies.push(performance.now() - started)
    } catch (error) {
      unanswered++
      console.error(`No verdict: ${(error as Error).message}`)
    }
  }
  const started = performance.now()
  await (load.rate === undefined ? atFullSpeed(load, send) : atRate(load, load.rate, send))
  const seconds = (performance.now() - started) / 1_000
  latencies.sort((a, b) => a - b)
  return { answered: latencies.length, unanswered, seconds, latencies }
}

async function atFullSpeed(
  { seconds, messagesMax = Number.POSITIVE_INFINITY }: Load,
  send: () => Promise<void>,
): Promise<void> {
  const until = performance.now() + seconds * 1_000
  let sent = 0
  const client = async () => {
    while (performance.now() < until && sent++ < messagesMax) await send()
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, client))
}

/** Gaps are exponential, as between messages that know nothing of each other. */
async function atRate({ seconds }: Load, rate: number, send: () => Promise<void>): Promise<void> {
  const random = randomSource(SEED)
  const started = performance.now()
  const sent: Promise<void>[] = []
  let dueMs = 0
  while (dueMs < seconds * 1_000) {
    const waitMs = started + dueMs - performance.now()
    if (waitMs > 0) await sleep(waitMs)
    sent.push(send())
    dueMs -= (Math.log(1 - random()) * 1_000) / rate
  }
  await Promise.all(sent)
}
