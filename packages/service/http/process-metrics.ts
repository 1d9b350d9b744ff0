/**
 * What each process of the service counts of itself: server processes add their own (metrics.ts), the office has nothing else
 * to say. Prometheus gets them as those of one process, by prom-client's aggregators.
 */
import { type Aggregator, Counter, collectDefaultMetrics, Registry } from 'prom-client'
import { topic } from '../siblings/siblings.ts'

/** All metrics of one process, with their values. */
export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Asks a process for its metrics. */
export const METRICS = topic<[], Promise<ProcessMetrics>>('metrics')

/** The service runs since its oldest process; it is as slow to answer as the process that is held up most. */
const AGGREGATED: Readonly<Record<string, Aggregator>> = {
  process_start_time_seconds: 'min',
  nodejs_eventloop_lag_seconds: 'max',
  nodejs_eventloop_lag_p50_seconds: 'max',
  nodejs_eventloop_lag_p90_seconds: 'max',
  nodejs_eventloop_lag_p99_seconds: 'max',
}

/** Says of Node's metrics how those of several processes become one. All others are summed, or say so themselves. */
export function processRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const [name, aggregator] of Object.entries(AGGREGATED)) {
    Object.assign(registry.getSingleMetric(name) ?? {}, { aggregator })
  }
  processEnds(registry)
  return registry
}

/** Counted where processes are started; it is 0 in each of them, so that it is there before the first has ended. */
export function processEnds(registry: Registry): Counter {
  const help = 'Server processes that ended while the service ran'
  return new Counter({ name: 'tamis_process_ends_total', help, registers: [registry] })
}
