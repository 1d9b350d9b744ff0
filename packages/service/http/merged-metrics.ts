/**
 * The metrics of all processes of a service as those of one: each metric has an aggregator that says how
 * (sums, unless it says otherwise).
 *
 * What a process counted stays in the sums after its end, or Prometheus would take the fall of a counter
 * for a restart of the service.
 */
import { type Aggregator, AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client'
import { topic } from '../siblings/siblings.ts'

/** All metrics of one process, with their values. */
export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Counted where processes are started; it is 0 in each of them, so that it is there before the first has ended. */
export const PROCESS_ENDS = {
  name: 'tamis_process_ends_total',
  help: 'Server processes that ended while the service ran',
} as const

/** Asks a process for its metrics. */
export const METRICS = topic<[], Promise<ProcessMetrics>>('metrics')

/** The metrics of all processes as one text. Of metrics that are the same in all, the first process is shown. */
export async function mergedText(all: readonly ProcessMetrics[]): Promise<string> {
  return await AggregatorRegistry.aggregate([...all]).metrics()
}

/** What stays of the last known metrics of a process that has ended: counters and histograms. */
export function endedCounts(metrics: ProcessMetrics): ProcessMetrics {
  // In what is asked the types have names, though they are declared as numbers.
  return metrics.filter(({ type }) => COUNTING.has(String(type)))
}

/** The counts of two processes together. */
export async function addCounts(
  one: ProcessMetrics,
  other: ProcessMetrics,
): Promise<ProcessMetrics> {
  return await AggregatorRegistry.aggregate([one, other]).getMetricsAsJSON()
}

const COUNTING: ReadonlySet<string> = new Set(['counter', 'histogram'])

/** The service runs since its oldest process; it is as slow to answer as the process that is held up most. */
const AGGREGATED: Readonly<Record<string, Aggregator>> = {
  process_start_time_seconds: 'min',
  nodejs_eventloop_lag_seconds: 'max',
  nodejs_eventloop_lag_p50_seconds: 'max',
  nodejs_eventloop_lag_p90_seconds: 'max',
  nodejs_eventloop_lag_p99_seconds: 'max',
}

/** A registry that says of Node's metrics how those of several processes become one. All others are summed, or say so themselves. */
export function processRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const [name, aggregator] of Object.entries(AGGREGATED)) {
    Object.assign(registry.getSingleMetric(name) ?? {}, { aggregator })
  }
  return registry
}
