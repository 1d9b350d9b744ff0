/**
 * What each bomb costs, by the time of this thread's processor: in proportion to its bytes, little
 * for a small one, and half a second at most for one of 10 MB.
 *
 * Other processes share the caches, so that a time counts only when the least of several is above
 * its bound. `analyse` is measured as most requests have it, and with all that a diagnostic and a
 * correction ask for.
 */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { TamisError } from '../../../../errors/errors.ts'
import { ListBuilder } from '../../../../service/feeds/list-builder.ts'
import { type AnalyseMeans, type AnalyseOptions, analyse } from '../../../analyse.ts'
import { memoryOctets } from '../../../message/octets.ts'
import type { FeedTable } from '../../../urls/feed-table.ts'
import { cpuMs } from '../../helpers/cpu-time.ts'
import { type Judge, openJudge } from '../readings.ts'
import { BOMBS, bombOf } from './bombs.ts'
import { RUN_BOMBS } from './runs.ts'
import { STYLED_PARTS } from './structure.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Bytes of the least of the four sizes; the others are 2, 4 and 8 times that. */
const GROWN_FROM_BYTES = 8 * KIB
const GROWTH = [2, 4, 8]

/** How much dearer a byte of a larger message may be: a quadratic reading costs eight times as much. */
const GROWTH_TOLERANCE = 2

/** What every message costs, and the garbage of the ones before. Below it times say nothing of growth. */
const BASE_MS = 3

/** Time per KiB of a message below 64 KiB: a part of six bytes takes seven microseconds, and no text takes more. */
const _MS_PER_KIB_MAX = 2

/** A thousand parts of seven bytes fit the first. */
const _SMALL_BYTES = [7 * KIB, 56 * KIB]

/** The largest message that the process reads that has received it. */
const OWN_THREAD_BYTES = 2 * MIB

/** How much dearer parts may be that are read in eight ways each: what is read again is bounded for the message. */
const READINGS_TOLERANCE = 3

/** Bytes of a message of runs, and how much dearer one character may be than most: what is done again at each of forty costs twenty times as much. */
const RUNS_BYTES = 64 * KIB
const RUN_TOLERANCE = 4

/** At 10 MB, the largest message that is kept in memory. */
const _LARGE_BYTES = 10 * MIB
const _LARGE_MS_MAX = 500

/** Measurements before a time is believed, and how long each lasts at least: shorter ones are below the clock's ticks. */
const MEASUREMENTS_MAX = 8
const MEASURED_MS_MIN = 5

const FACTS = { now: new Date('2026-11-20T12:00:00Z') }

const FEEDS = oneLinkFeed()

let judge: Judge

function oneLinkFeed(): FeedTable {
  const key = [1, 2] as const
  const builder = new ListBuilder(key, 1)
  builder.add('http://evil.example.com/', '1')
  return { key, lists: [builder.finish('phishtank')] }
}

function read(bytes: Buffer, options: AnalyseOptions & AnalyseMeans): void {
  try {
    analyse(memoryOctets(bytes), FACTS, judge.models, options)
  } catch (error) {
    if (!(error instanceof TamisError)) throw error
  }
}

/** The time of one reading: the mean of as many as take MEASURED_MS_MIN. */
function timeOf(bytes: Buffer, options: AnalyseOptions & AnalyseMeans): number {
  const started = cpuMs()
  let spent = 0
  let readings = 0
  do {
    read(bytes, options)
    readings++
    spent = cpuMs() - started
  } while (spent < MEASURED_MS_MIN)
  return spent / readings
}

/** The least time of `bytes`, as soon as it is at most `wantedMs`. */
function leastTimeOf(
  bytes: Buffer,
  options: AnalyseOptions & AnalyseMeans,
  wantedMs: number,
): number {
  let least = Number.POSITIVE_INFINITY
  for (let times = 0; times < MEASUREMENTS_MAX && least > wantedMs; times++) {
    least = Math.min(least, timeOf(bytes, options))
  }
  return least
}

/** What is wrong with how `bomb` grows; undefined when nothing is. */
function growthFault(write: (bytes: number) => Buffer, options: AnalyseOptions & AnalyseMeans) {
  const least = write(GROWN_FROM_BYTES)
  const leastMs = Math.max(BASE_MS, timeOf(least, options))
  for (const factor of GROWTH) {
    const bytes = write(factor * GROWN_FROM_BYTES)
    const bound = GROWTH_TOLERANCE * leastMs * Math.max(1, bytes.length / least.length)
    const ms = leastTimeOf(bytes, options, bound)
    if (ms > bound) return `${factor} times: ${ms.toFixed(1)} ms after ${leastMs.toFixed(1)}`
  }
  return undefined
}

const WAYS: Readonly<Record<string, (judge: Judge) => AnalyseOptions & AnalyseMeans>> = {
  'as most requests have it': () => ({}),
  'with all that is asked for': () => ({
    detail: true,
    personal: true,
    eventFeatures: true,
    feeds: FEEDS,
  }),
}

describe('a bomb', () => {
  before(async () => {
    judge = await openJudge()
    // Compiled code is measured: the service has read its first messages long ago.
    for (const bomb of BOMBS.values()) read(bombOf(bomb, KIB), { detail: true })
  })

  for (const [way, optionsOf] of Object.entries(WAYS)) {
    it(`costs in proportion to its bytes, ${way}`, () => {
      const options = optionsOf(judge)
      const faults = [...BOMBS].flatMap(([name, bomb]) => {
        const fault = growthFault((bytes) => bombOf(bomb, bytes), options)
        return fault === undefined ? [] : [`${name}: ${fault}`]
      })
      assert.deepEqual(faults, [])
    })
  }

  it('costs little more where each part can be read in eight ways', () => {
    const [once, eight] = [STYLED_PARTS.once, STYLED_PARTS['in eight readings']].map((bomb) =>
      bombOf(bomb, OWN_THREAD_BYTES),
    )
    const bound = READINGS_TOLERANCE * leastTimeOf(once!, {}, 0)
    const ms = leastTimeOf(eight!, {}, bound)
    assert.ok(ms <= bound, `${ms.toFixed(0)} ms; allowed: ${bound.toFixed(0)}`)
  })

  it('of runs costs little more for one character than for another', () => {
    const options = { personal: true, eventFeatures: true }
    const runs = Object.entries(RUN_BOMBS).map(([name, bomb]) => {
      const bytes = bombOf(bomb, RUNS_BYTES)
      return { name, bytes, ms: timeOf(bytes, options) }
    })
    const median = runs.map(({ ms }) => ms).sort((a, b) => a - b)[Math.floor(runs.length / 2)]!
    const bound = RUN_TOLERANCE * Math.max(BASE_MS, median)
    const faults = runs.flatMap(({ name, bytes }) => {
      const ms = leastTimeOf(bytes, options, bound)
      return ms <= bound ? [] : [`${name}: ${ms.toFixed(1)} ms; allowed: ${bound.toFixed(1)}`]
    })
    assert.deepEqual(faults, [])
  })

  it('is about as large as it is asked to be, and a message', () => {
    for (const [name, bomb] of BOMBS) {
      const { length } = bombOf(bomb, 256 * KIB)
      assert.ok(length > 64 * KIB && length < 512 * KIB, `${name}: ${length} bytes`)
    }
  })
})
