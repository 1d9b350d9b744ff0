/**
 * A service under several times what it can do: what it can do first, as fast as it answers, then
 * the load, at a rate that does not depend on answers.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type ServiceProcess, startService } from '../../../service/test/helpers/service-process.ts'
import { pinProcess } from '../machine/pin.ts'
import { answered, type LoopResult } from './generator.ts'
import type { GeneratorTask } from './generator-process.ts'

/** Requests in flight for each server process while the capacity is measured: all are always busy. */
const CAPACITY_CONNECTIONS = 32

export interface OverloadOptions {
  readonly messages: readonly Buffer[]
  readonly path: string
  /** How long the capacity is measured; `warmUpSeconds` is how long messages are sent before. */
  readonly capacitySeconds: number
  readonly warmUpSeconds: number
  readonly seconds: number
  /** The load as a multiple of the capacity. */
  readonly times: number
  /** Server processes of the service. */
  readonly workers: number
  readonly environment?: Readonly<Record<string, string>>
}

export interface OverloadResult {
  /** Verdicts a second at full speed. */
  readonly capacity: number
  /** The same with the cores that the generator leaves to the service under the load. */
  readonly capacityLeft: number
  /** Messages a second that were sent. */
  readonly offered: number
  /** Verdicts a second under it. */
  readonly goodput: number
  readonly load: LoopResult
}

export async function overload(options: OverloadOptions): Promise<OverloadResult> {
  const { messages, path, capacitySeconds, warmUpSeconds, seconds, times, workers, environment } =
    options
  const service = await startService({
    environment: { TAMIS_WORKERS: `${workers}`, ...environment },
  })
  try {
    const { port } = service
    const closed = { port, connections: CAPACITY_CONNECTIONS * workers }
    const run = (task: Pick<GeneratorTask, 'open' | 'closed'>) =>
      generate({ path, messages, ...task })
    await run({ closed: { ...closed, seconds: warmUpSeconds } })
    const full = await run({ closed: { ...closed, seconds: capacitySeconds } })
    const capacity = answered(full) / full.seconds
    const load = await run({ open: { port, rate: times * capacity, seconds } })
    await answersAgain(service)
    const cores = availableParallelism()
    const left = (cores - load.ownCores) / (cores - full.ownCores)
    return {
      capacity,
      capacityLeft: capacity * left,
      offered: load.sent / load.seconds,
      goodput: answered(load) / load.seconds,
      load,
    }
  } finally {
    await service.stop()
  }
}

/**
 * Runs the generator in a process of its own.
 *
 * @param cores that it runs on, as for `taskset -c`; this process's own when absent
 */
export async function generate(task: GeneratorTask, cores?: string): Promise<LoopResult> {
  const child = fork(join(import.meta.dirname, 'generator-process.ts'), {
    serialization: 'advanced',
  })
  if (cores !== undefined) pinProcess(child.pid!, cores)
  child.send(task)
  const [result] = await once(child, 'message')
  return result as LoopResult
}

/** Resolves when the service answers again, with nothing of the load left. */
async function answersAgain({ url }: ServiceProcess): Promise<void> {
  const ready = await fetch(`${url}/ready`)
  if (ready.status !== 200) throw new Error(`/ready answers ${ready.status} after the load`)
}
