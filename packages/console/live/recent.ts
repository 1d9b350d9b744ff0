/** Steps of the last half hour as columns, with nothing where nothing happened. */
import type { RecentWork } from '../../client/client.ts'

export type Step = RecentWork['steps'][number]

/** What a plot shows at the most. */
const SHOWN_MS = 30 * 60_000

/** `known` steps and newer ones; the newer of two of the same time. Those that are too old go. */
export function joined(known: readonly Step[], newer: readonly Step[]): Step[] {
  const from = newer[0]?.at ?? '9999'
  const last = newer.at(-1) ?? known.at(-1)
  const oldest = last === undefined ? 0 : Date.parse(last.at) - SHOWN_MS
  return [...known.filter(({ at }) => at < from), ...newer].filter(
    ({ at }) => Date.parse(at) >= oldest,
  )
}

export interface Columns {
  /** Seconds since 1970. */
  readonly times: readonly number[]
  /** In step with `times`; undefined where nothing happened. */
  readonly steps: readonly (Step | undefined)[]
}

/** The least that a plot shows: a line of three points says nothing. */
const SHOWN_AT_LEAST_MS = 5 * 60_000

/** One place for each step from the first to the last. */
export function columnsOf(steps: readonly Step[], stepSeconds: number): Columns {
  const [first] = steps
  const last = steps.at(-1)
  if (first === undefined || last === undefined) return { times: [], steps: [] }
  const stepMs = stepSeconds * 1_000
  const end = Date.parse(last.at)
  const shown = Math.min(SHOWN_MS, Math.max(SHOWN_AT_LEAST_MS, end - Date.parse(first.at)))
  const count = Math.round(shown / stepMs) + 1
  const byTime = new Map(steps.map((step) => [Date.parse(step.at), step]))
  const times = Array.from({ length: count }, (_, i) => end - (count - 1 - i) * stepMs)
  return {
    times: times.map((time) => time / 1_000),
    steps: times.map((time) => byTime.get(time)),
  }
}

/** All of them added up. */
export function totalOf(steps: readonly Step[]) {
  const sum = (value: (step: Step) => number) => steps.reduce((total, it) => total + value(it), 0)
  return {
    messages: sum((step) => step.messages),
    refused: sum((step) => step.refused),
    spam: sum((step) => step.spam),
    ham: sum((step) => step.ham),
    overridden: sum((step) => step.overridden),
    escalated: sum((step) => step.escalated),
  }
}
