/**
 * What one of several processes takes of the sizes that the operator has set for the service, so that all
 * of them together keep to these.
 */
import { REQUEST_BYTES } from '../admission/receive.ts'
import type { Config } from '../config.ts'

/**
 * `config` for one of `count` processes.
 *
 * Each has room for one request in its queue, unless none is to wait, and in its buffers for one message
 * of the largest size kept in memory: with very many processes, or very small sizes, all of them together
 * have more than was set, but none has more than that.
 */
export function shareOf(config: Config, count: number): Config {
  return {
    ...config,
    queueDepth: share(config.queueDepth, count, 1),
    bufferBytes: share(config.bufferBytes, count, bufferBytesMin(config)),
  }
}

/** A `count`th of `whole`, rounded down; at least `least`, but not more than `whole`. */
export function share(whole: number, count: number, least: number): number {
  return Math.min(whole, Math.max(least, Math.floor(whole / count)))
}

/** A client gets half of the buffers (byte-budget.ts). */
function bufferBytesMin({ memoryBytesMax }: Config): number {
  return 2 * (memoryBytesMax + REQUEST_BYTES)
}
