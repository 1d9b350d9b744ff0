/** The parts of prom-client that are used. Its index also loads default metrics with the API of OpenTelemetry: 50 ms and 2 MB on each thread. */
import { createRequire } from 'node:module'
import type * as prometheus from 'prom-client'

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
