import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ProcessMetrics } from '../../http/process-metrics.ts'
import { KeptMetrics } from '../../processes/kept-metrics.ts'
import type { SupervisedProcess } from '../../processes/supervised-process.ts'

/** A process that has counted `messages`, of which `waiting` wait; or one that does not answer. */
function processOf(messages: number, waiting = 0): SupervisedProcess {
  const registry = new Registry()
  const registers = [registry]
  new Counter({ name: 'messages_total', help: 'Messages', registers }).inc(messages)
  new Gauge({ name: 'waiting', help: 'Messages that wait', registers }).set(waiting)
  new Histogram({ name: 'seconds', help: 'Time', buckets: [1], registers }).observe(messages)
  const answer = async () => structuredClone(await registry.getMetricsAsJSON())
  return { answer } as Partial<SupervisedProcess> as SupervisedProcess
}

/** The lines of values. */
async function valuesOf(metrics: ProcessMetrics): Promise<string[]> {
  const lines = (await AggregatorRegistry.aggregate([metrics]).metrics()).split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

describe('the metrics of server processes', () => {
  it('stay when processes end, of each what it has counted and not what waited', async () => {
    const kept = new KeptMetrics()
    const processes = [processOf(3, 2), processOf(4, 1), processOf(5, 9)]
    await kept.look(processes)
    await Promise.all([kept.end(processes[0]!), kept.end(processes[1]!)])
    assert.deepEqual(await valuesOf(await kept.ended()), [
      'messages_total 7',
      'seconds_bucket{le="1"} 0',
      'seconds_bucket{le="+Inf"} 2',
      'seconds_sum 7',
      'seconds_count 2',
      'tamis_process_ends_total 2',
    ])
    assert.equal(kept.of(processes[0]!), undefined)
  })

  it('say how many have ended, also of one that was never looked at', async () => {
    const kept = new KeptMetrics()
    assert.deepEqual(await valuesOf(await kept.ended()), ['tamis_process_ends_total 0'])
    await kept.end(processOf(3))
    assert.deepEqual(await valuesOf(await kept.ended()), ['tamis_process_ends_total 1'])
  })
})
