/** What was judged between two answers of `GET /stats`. */
import type { Stats } from '../../client/client.ts'

/** An answer of the service, and when it came. */
export interface Look {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly stats: Pick<Stats, 'judged' | 'queueDepth'>
}

type Judged = Stats['judged']

/** Messages a second; undefined where the counts have fallen: the service was started again. */
export function ratePerSecond(before: Look, after: Look): number | undefined {
  const judged = after.stats.judged.messages - before.stats.judged.messages
  if (judged < 0 || after.at <= before.at) return undefined
  return (judged * 1_000) / (after.at - before.at)
}

/** Milliseconds in which `share` of the messages were answered, between the bounds in proportion; undefined without messages. */
export function latencyOf(share: number, old: Judged, now: Judged): number | undefined {
  const wanted = share * (now.messages - old.messages)
  if (wanted === 0) return undefined
  let [from, below] = [0, 0]
  for (const [i, { seconds, messages }] of now.latency.entries()) {
    const count = messages - (old.latency[i]?.messages ?? 0)
    if (count >= wanted) {
      const to = seconds ?? from
      return 1_000 * (from + ((to - from) * (wanted - below)) / Math.max(1, count - below))
    }
    ;[from, below] = [seconds ?? from, count]
  }
  return 1_000 * from
}
