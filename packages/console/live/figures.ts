/** What was judged between two answers of `GET /stats`. */
import type { Stats } from '../../client/client.ts'

/** An answer of the service, and when it came. */
export interface Look {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly stats: Pick<Stats, 'judged' | 'queueDepth'>
}

export interface Step {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly perSecond: Readonly<Record<'messages' | 'spam' | 'ham', number>>
  readonly latencyMs: { readonly p50: number | null; readonly p99: number | null }
}

type Judged = Stats['judged']

/** Undefined where the counts have fallen: the service was started again. */
export function stepOf(before: Look, after: Look): Step | undefined {
  const [old, now] = [before.stats.judged, after.stats.judged]
  if (now.messages < old.messages || after.at <= before.at) return undefined
  const rate = (value: (judged: Judged) => number) =>
    Math.max(0, ((value(now) - value(old)) * 1_000) / (after.at - before.at))
  return {
    at: after.at,
    perSecond: {
      messages: rate(({ messages }) => messages),
      spam: rate(({ verdicts }) => verdicts?.spam ?? 0),
      ham: rate(({ verdicts }) => verdicts?.ham ?? 0),
    },
    latencyMs: { p50: latencyOf(0.5, old, now), p99: latencyOf(0.99, old, now) },
  }
}

/** Milliseconds in which `share` of the messages were answered, between the bounds in proportion; null without messages. */
function latencyOf(share: number, old: Judged, now: Judged): number | null {
  const wanted = share * (now.messages - old.messages)
  if (wanted === 0) return null
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
