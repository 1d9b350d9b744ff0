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
  gauge('memory of all processes', 'MiB', 0.05, 0, async (service) => {
    return (await service.memoryBytes()) / MIB
  }),
  gauge('heap of main threads', 'MiB', 0.1, 4, metric('nodejs_heap_size_used_bytes', MIB)),
  gauge('outside the heap, buffers', 'MiB', 0.05, 4, metric('nodejs_external_memory_bytes', MIB)),
  gauge('message bodies', 'MiB', 0, 1, metric('tamis_buffered_bytes', MIB)),
  gauge('descriptors', '', 0, 8, (service) => service.descriptors()),
  gauge('threads', '', 0, 2, (service) => service.threads()),
  gauge('handles and requests of Node', '', 0, 8, metric('nodejs_active_resources_total')),
  gauge('temporary files', '', 0, 0, async (service) => (await service.temporaryFiles()).length),
]

/** A gauge with the allowance of `share` and `least`. */
function gauge(
  name: string,
  unit: string,
  share: number,
  least: number,
  read: Gauge['read'],
): Gauge {
  return { name, unit, allowance: { share, least }, read }
}

/** Reads a sample of GET /metrics, in units of `unit`. */
function metric(name: string, unit = 1): Gauge['read'] {
  return (_, metrics) => {
    const value = metrics.get(name)
    if (value === undefined) throw new Error(`/metrics has no ${name}`)
    return value / unit
  }
}

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
