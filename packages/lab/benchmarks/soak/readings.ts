/** What a running service takes up, by what it says of itself and what Linux says of it. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceProcess } from '../../../service/test/helpers/service-process.ts'
import type { Allowance } from './flatness.ts'

const MIB = 1024 * 1024

/**
 * From a run of this length on its second half is one of a warm service; in shorter ones each server process may add
 * this much. In runs of two minutes, two took from 44 MiB less to 87 MiB more.
 */
const WARM_MINUTES = 10
const WARMING_MIB = 96

export interface Gauge {
  readonly name: string
  readonly unit: string
  /** How much may be added in the second half of a run. */
  readonly allowance: Allowance
  /** @param metrics samples of GET /metrics by name */
  readonly read: (service: ServiceProcess, metrics: Metrics) => number | Promise<number>
}

export type Metrics = ReadonlyMap<string, number>

/**
 * In the order of the report.
 *
 * @param minutes of the run: in the first ones caches fill and code is compiled.
 */
export function gaugesFor(minutes: number, workers: number): readonly Gauge[] {
  if (minutes >= WARM_MINUTES) return GAUGES
  const least = workers * WARMING_MIB
  return GAUGES.map((gauge) =>
    gauge.unit === 'MiB' ? { ...gauge, allowance: { ...gauge.allowance, least } } : gauge,
  )
}

const GAUGES: readonly Gauge[] = [
  {
    name: 'memory of all processes',
    unit: 'MiB',
    allowance: { share: 0.05, least: 0 },
    read: async (service) => (await service.memoryBytes()) / MIB,
  },
  {
    name: 'heap of main threads',
    unit: 'MiB',
    allowance: { share: 0.1, least: 4 },
    read: (_, metrics) => metricOf(metrics, 'nodejs_heap_size_used_bytes') / MIB,
  },
  {
    name: 'outside the heap, buffers',
    unit: 'MiB',
    allowance: { share: 0.05, least: 4 },
    read: (_, metrics) => metricOf(metrics, 'nodejs_external_memory_bytes') / MIB,
  },
  {
    name: 'message bodies',
    unit: 'MiB',
    allowance: { share: 0, least: 1 },
    read: (_, metrics) => metricOf(metrics, 'tamis_buffered_bytes') / MIB,
  },
  {
    name: 'descriptors',
    unit: '',
    allowance: { share: 0, least: 8 },
    read: (service) => service.descriptors(),
  },
  {
    name: 'threads',
    unit: '',
    allowance: { share: 0, least: 2 },
    read: (service) => service.threads(),
  },
  {
    name: 'handles and requests of Node',
    unit: '',
    allowance: { share: 0, least: 8 },
    read: (_, metrics) => metricOf(metrics, 'nodejs_active_resources_total'),
  },
  {
    name: 'temporary files',
    unit: '',
    allowance: { share: 0, least: 0 },
    read: async (service) => (await service.temporaryFiles()).length,
  },
]

export async function readMetrics({ url }: ServiceProcess): Promise<Metrics> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ')
      return [line.slice(0, space), Number(line.slice(space + 1))]
    }),
  )
}

/** MiB of the database, its log included: told, and no part of the judgement. */
export function storeMiB({ dataDir }: ServiceProcess): number {
  const files = ['tamis.sqlite', 'tamis.sqlite-wal'].map((name) => join(dataDir, name))
  const bytes = files.map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
  return bytes.reduce((sum, each) => sum + each, 0) / MIB
}

function metricOf(metrics: Metrics, name: string): number {
  const value = metrics.get(name)
  if (value === undefined) throw new Error(`/metrics has no ${name}`)
  return value
}
