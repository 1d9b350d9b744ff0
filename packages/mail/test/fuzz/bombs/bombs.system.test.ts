/**
 * What each bomb costs grows in proportion to its bytes, by the CPU time of this thread.
 *
 * Other processes share the caches, so that a time counts only when the least of several is above
 * its bound.
 */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { ListBuilder } from '../../../../service/feeds/load.ts'
import { memoryOctets } from '../../../message/octets.ts'
import { type FeedTable, feedIn } from '../../../urls/feed-table.ts'
import { cpuMs } from '../../helpers/cpu-time.ts'
import { type Judge, judged, openJudge } from '../readings.ts'
import { BOMBS, bombOf, RUN_BOMBS } from './bombs.ts'

const KIB = 1024

/** Bytes of the least of the four sizes; the others are 2, 4 and 8 times that. */
const GROWN_FROM_BYTES = 8 * KIB
const GROWTH = [2, 4, 8]

/** How much more a byte of a larger message may cost: a quadratic reading costs eight times as much. */
const GROWTH_TOLERANCE = 2

/** What every message costs, and the garbage of the ones before. Below it times say nothing of growth. */
const BASE_MS = 3

/** Bytes of a message whose parts can each be read in eight ways, and how much more it may cost. */
const READINGS_BYTES = 2 * KIB * KIB
const READINGS_TOLERANCE = 3

/** Bytes of a message of runs, and how much more one character may cost than most: what is done again at each of forty costs twenty times as much. */
const RUNS_BYTES = 64 * KIB
const RUN_TOLERANCE = 4

/** Measurements before a time is believed, and how long each lasts at least: shorter ones are below the clock's ticks. */
const MEASUREMENTS_MAX = 8
const MEASURED_MS_MIN = 5

/** With all that a diagnostic and a correction ask for, and a feed. */
const OPTIONS = { detail: true, personal: true, eventFeatures: true, feeds: oneLinkFeed() }

let judge: Judge

function oneLinkFeed(): FeedTable {
  const key = [1, 2] as const
  const builder = new ListBuilder(key, 1)
  builder.add('http://evil.example.com/', '1')
  return { key, lists: [feedIn(builder.finish(), 'phishtank')] }
}

/** The time of one reading: the mean of as many as take MEASURED_MS_MIN. */
function timeOf(bytes: Buffer): number {
  const started = cpuMs()
  let spent = 0
  let readings = 0
  do {
    judged(judge, memoryOctets(bytes), OPTIONS)
    readings++
    spent = cpuMs() - started
  } while (spent < MEASURED_MS_MIN)
  return spent / readings
}

/** What is wrong when `bytes` take more than `boundMs` each time; undefined when they do not. */
function slowness(bytes: Buffer, boundMs: number): string | undefined {
  let least = Number.POSITIVE_INFINITY
  for (let times = 0; times < MEASUREMENTS_MAX && least > boundMs; times++) {
    least = Math.min(least, timeOf(bytes))
  }
  if (least <= boundMs) return undefined
  return `${bytes.length} bytes: ${least.toFixed(1)} ms; allowed: ${boundMs.toFixed(1)}`
}

/** What is wrong with how a bomb grows. */
function growthFaults(name: string): string[] {
  const least = bombOf(name, GROWN_FROM_BYTES)
  const leastMs = Math.max(BASE_MS, timeOf(least))
  return GROWTH.flatMap((factor) => {
    const bytes = bombOf(name, factor * GROWN_FROM_BYTES)
    const boundMs = GROWTH_TOLERANCE * leastMs * Math.max(1, bytes.length / least.length)
    const fault = slowness(bytes, boundMs)
    return fault === undefined ? [] : [`${name}: ${fault}`]
  })
}

describe('a bomb', () => {
  before(async () => {
    judge = await openJudge()
    // Compiled code is measured: the service has read its first messages long ago.
    for (const name of BOMBS.keys()) judged(judge, memoryOctets(bombOf(name, KIB)), OPTIONS)
  })

  it('costs in proportion to its bytes', () => {
    assert.deepEqual([...BOMBS.keys()].flatMap(growthFaults), [])
  })

  it('costs little more where each part can be read in eight ways', () => {
    const once = bombOf('structure: parts with a style sheet', READINGS_BYTES)
    const eight = bombOf(
      'structure: eight readings of each part, with a style sheet',
      READINGS_BYTES,
    )
    const onceMs = Math.min(...Array.from({ length: MEASUREMENTS_MAX }, () => timeOf(once)))
    assert.equal(slowness(eight, READINGS_TOLERANCE * onceMs), undefined)
  })

  it('of runs costs little more for one character than for another', () => {
    const runs = [...RUN_BOMBS.keys()].map((name) => ({ name, bytes: bombOf(name, RUNS_BYTES) }))
    const times = runs.map(({ bytes }) => timeOf(bytes)).sort((a, b) => a - b)
    const boundMs = RUN_TOLERANCE * Math.max(BASE_MS, times[Math.floor(times.length / 2)]!)
    const faults = runs.map(({ name, bytes }) => [name, slowness(bytes, boundMs)])
    assert.deepEqual(
      faults.filter(([, fault]) => fault !== undefined),
      [],
    )
  })
})
