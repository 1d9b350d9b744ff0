/**
 * Embeddings a second over HTTP. All processes of the service have one core and the generator another.
 * How long they wait behind verdicts is what `waits` measures, and corrections are what `corrections` does.
 */
import { availableParallelism } from 'node:os'
import { startService } from '../../service/test/helpers/service-process.ts'
import type { Measured } from './benchmark.ts'
import { answered, closedLoop, requestOf } from './load/generator.ts'
import { SHOP_WORDS } from './load/messages.ts'
import { pinProcess, pinTree } from './machine/pin.ts'

const WARM_UP_SECONDS = 3

/** Different texts, sent in turn. */
const TEXTS = 4_000

const CONNECTIONS = 16

export async function measureHttp({ seconds }: { readonly seconds: number }): Promise<Measured> {
  const service = await startService({
    environment: { TAMIS_WORKERS: `${availableParallelism()}`, TAMIS_LOG_LEVEL: 'warn' },
  })
  try {
    pinTree(service.pid, '0')
    pinProcess(process.pid, '1')
    const requests = Array.from({ length: TEXTS }, (_, i) => embedRequest(i))
    const loop = { port: service.port, requests, connections: CONNECTIONS }
    await closedLoop({ ...loop, seconds: WARM_UP_SECONDS })
    const result = await closedLoop({ ...loop, seconds })
    const { p50 = NaN, p99 = NaN } = result.outcomes['200'] ?? {}
    const perSecond = (answered(result) / result.seconds).toFixed(0)
    return {
      text: `embed 20 words: ${perSecond}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${result.sent - answered(result)} refused`,
    }
  } finally {
    await service.stop()
  }
}

function embedRequest(i: number): Buffer {
  const body = Buffer.from(JSON.stringify({ text: `${SHOP_WORDS} ${i}` }))
  return requestOf('/classify/embed-text', body, { 'Content-Type': 'application/json' })
}
