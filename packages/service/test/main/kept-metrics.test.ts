import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ProcessMetrics } from '../../http/process-metrics.ts'
import { KeptMetrics } from '../../main/kept-metrics.ts'

/** A thread that has counted `messages`, of which `waiting` wait; or one that does not answer. */
function threadOf(messages: number, waiting = 0): Parameters<KeptMetrics['end']>[0] {
  const registry = new Registry()
  const registers = [registry]
  new Counter({ name: 'messages_total', help: 'Messages', registers }).inc(messages)
  new Gauge({ name: 'waiting', help: 'Messages that wait', registers }).set(waiting)
  new Histogram({ name: 'seconds', help: 'Time', buckets: [1], registers }).observe(messages)
  const answer = async () => structuredClone(await registry.getMetricsAsJSON())
  return { answer }
}

/** The lines of values, without those that Node counts of the process. */
async function valuesOf(metrics: ProcessMetrics): Promise<string[]> {
  const lines = (await AggregatorRegistry.aggregate([metrics]).metrics()).split('\n')
  return lines.filter((line) => /^(?!#|nodejs_|process_)./.test(line))
}

describe('the metrics of threads', () => {
  it('stay when threads end, of each what it has counted and not what waited', async () => {
    const kept = new KeptMetrics()
    const threads = [threadOf(3, 2), threadOf(4, 1), threadOf(5, 9)]
    await kept.look(threads)
    await Promise.all([kept.end(threads[0]!, true), kept.end(threads[1]!, false)])
    assert.deepEqual(await valuesOf(await kept.all()), [
      'messages_total 7',
      'seconds_bucket{le="1"} 0',
      'seconds_bucket{le="+Inf"} 2',
      'seconds_sum 7',
      'seconds_count 2',
      'tamis_thread_ends_total 1',
    ])
    assert.equal(kept.of(threads[0]!), undefined)
  })

  it('say how many have ended, also of one that was never looked at', async () => {
    const kept = new KeptMetrics()
    assert.deepEqual(await valuesOf(await kept.all()), ['tamis_thread_ends_total 0'])
    await kept.end(threadOf(3), true)
    assert.deepEqual(await valuesOf(await kept.all()), ['tamis_thread_ends_total 1'])
  })
})
