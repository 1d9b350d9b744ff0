/** What each serving thread counts (metrics.ts), and how Prometheus gets it as that of one process, by prom-client's aggregators. */
import { createRequire } from 'node:module'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type * as prometheus from 'prom-client'

/** All metrics of one thread, with their values. */
export type ProcessMetrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Asks a thread for its metrics. */
export const METRICS = 'metrics'

const NS_PER_S = 1e9

/** Each look wakes the thread, which at 20 ms is most of what an idle service does; it is part of what is measured. */
const RESOLUTION_MS = 1_000

/** A registry with the delay of the thread's event loop since it was last asked. */
export function threadRegistry(): Registry {
  const registry = new Registry()
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  new Gauge({
    name: 'tamis_event_loop_delay_p99_seconds',
    help: 'Delay of the event loop of the serving thread that lags most: 99th percentile since the last look',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(Math.max(0, delay.percentile(99) / NS_PER_S - RESOLUTION_MS / 1_000))
      delay.reset()
    },
  })
  return registry
}

/** The parts of prom-client that are used. Its index also loads default metrics with the API of OpenTelemetry: 50 ms and 2 MB on each thread. */

const require = createRequire(import.meta.url)

export const Counter: typeof prometheus.Counter = require('prom-client/lib/counter.js')
export const Gauge: typeof prometheus.Gauge = require('prom-client/lib/gauge.js')
export const Histogram: typeof prometheus.Histogram = require('prom-client/lib/histogram.js')
export const Registry: typeof prometheus.Registry = require('prom-client/lib/registry.js')
export const AggregatorRegistry: typeof prometheus.AggregatorRegistry = require('prom-client/lib/cluster.js')

export type Counter<Label extends string = string> = prometheus.Counter<Label>
export type Gauge<Label extends string = string> = prometheus.Gauge<Label>
export type Histogram<Label extends string = string> = prometheus.Histogram<Label>
export type Registry = prometheus.Registry
