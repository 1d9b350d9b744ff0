/** The simulation of packages/lab/benchmarks/scaling against what queueing theory knows exactly. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  capacity,
  mean,
  p99Ms,
  rateWithin,
  responseTimes,
  type System,
} from '../../benchmarks/scaling/queueing.ts'

/** Quantiles of the exponential distribution of mean 1 ms, evenly spread. */
const EXPONENTIAL = Array.from({ length: 10_000 }, (_, i) => -Math.log(1 - (i + 0.5) / 10_000))

const CONSTANT = [1]

function system(more: Partial<System>): System {
  return { processes: 1, serviceMs: CONSTANT, discipline: 'shared', connections: 10, ...more }
}

function isNear(actual: number, expected: number, share: number): void {
  assert.ok(Math.abs(actual - expected) <= share * expected, `${actual}, not ${expected}`)
}

describe('a queueing system', () => {
  it('of one process and exponential times has the p99 of M/M/1: ln 100 / (μ - λ)', () => {
    isNear(p99Ms(system({ serviceMs: EXPONENTIAL }), 700), Math.log(100) / 0.3, 0.06)
  })

  it('of one process and constant times has the mean of Pollaczek and Khinchine: 1 + ρ / 2(1 - ρ)', () => {
    isNear(mean(responseTimes(system({}), 800)), 1 + 0.8 / (2 * 0.2), 0.03)
  })

  // Erlang C for c = 4, ρ = 0.8: 0.5964 wait, for 1 / (4 - 3.2) ms on average.
  it('of four processes and exponential times has the mean of Erlang C', () => {
    const four = system({ processes: 4, serviceMs: EXPONENTIAL })
    isNear(mean(responseTimes(four, 3_200)), 1 + 0.5964 / 0.8, 0.04)
  })

  it('of two processes with connections of their own is two of one process, if these are many', () => {
    const bound = system({ processes: 2, discipline: 'bound', connections: 100_000 })
    isNear(mean(responseTimes(bound, 1_600)), 1 + 0.8 / (2 * 0.2), 0.05)
  })

  it('is slower where connections are bound to processes, and slowest where they are few', () => {
    const rate = 0.9 * 8_000
    const [shared, many, few] = [
      system({ processes: 8 }),
      system({ processes: 8, discipline: 'bound', connections: 1_000 }),
      system({ processes: 8, discipline: 'bound', connections: 10 }),
    ].map((each) => p99Ms(each, rate))
    assert.ok(shared! < many! && many! < few!, `${shared} ${many} ${few}`)
  })

  it('has its highest rate just below where the p99 is reached', () => {
    const one = system({ serviceMs: EXPONENTIAL })
    isNear(rateWithin(one, 20), 1_000 * (1 - Math.log(100) / 20), 0.03)
    assert.equal(capacity(one).toFixed(0), '1000')
  })
})
