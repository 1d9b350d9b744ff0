/** What Node says of a process, for the metrics of the service (metrics.ts); the office has nothing else to say. */
import { type Aggregator, collectDefaultMetrics, Registry } from 'prom-client'

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
