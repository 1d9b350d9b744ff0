/** What the plots of the last half hour show. */
import { age, count, milliseconds } from '../format.ts'
import type { Step } from './recent.ts'
import type { Line, TimePlotProps } from './time-plot.tsx'

type Plot = Omit<TimePlotProps, 'times'>

/** Undefined where the service gave no step for a time. */
type Column = Step | undefined

/** Lines that may be many are told apart by these in turn. */
const FEED_LOOKS = [
  { colour: 'accent' },
  { colour: 'ham', dash: [6, 3] },
  { colour: 'spam', dash: [2, 3] },
  { colour: 'warn', dash: [8, 2, 2, 2] },
] as const

export function plotsOf(columns: readonly Column[], stepSeconds: number): Plot[] {
  const rate = (value: (step: Step) => number) =>
    columns.map((step) => (step === undefined ? 0 : value(step) / stepSeconds))
  const latency = (name: 'p50' | 'p95' | 'p99') =>
    columns.map((step) => step?.latencyMs?.[name] ?? null)
  const plots: Plot[] = [
    {
      title: 'Throughput',
      format: perSecond,
      lines: [
        {
          label: 'messages',
          colour: 'accent',
          filled: true,
          values: rate(({ messages }) => messages),
        },
        { label: 'refused', colour: 'spam', dash: [4, 3], values: rate(({ refused }) => refused) },
      ],
    },
    {
      title: 'Latency',
      format: milliseconds,
      lines: [
        { label: 'p50', colour: 'ham', values: latency('p50') },
        { label: 'p95', colour: 'accent', dash: [6, 3], values: latency('p95') },
        { label: 'p99', colour: 'spam', dash: [2, 3], values: latency('p99') },
      ],
    },
    {
      title: 'Verdicts',
      format: perSecond,
      lines: [
        { label: 'not spam', colour: 'ham', filled: true, values: rate(({ ham }) => ham) },
        { label: 'spam', colour: 'spam', dash: [6, 3], values: rate(({ spam }) => spam) },
        {
          label: 'by rule, memory or feed',
          colour: 'ink-soft',
          dash: [2, 3],
          values: rate(({ overridden }) => overridden),
        },
      ],
    },
    {
      title: 'Escalated for review',
      format: perSecond,
      lines: [
        {
          label: 'escalated',
          colour: 'warn',
          filled: true,
          values: rate(({ escalated }) => escalated),
        },
      ],
    },
    {
      title: 'Waiting to be judged',
      format: count,
      whole: true,
      lines: [
        {
          label: 'requests',
          colour: 'accent',
          filled: true,
          values: columns.map((step) => step?.queueDepth ?? 0),
        },
      ],
    },
  ]
  const feeds = feedLines(columns)
  return feeds.length === 0
    ? plots
    : [...plots, { title: 'Age of feeds', format: age, lines: feeds }]
}

function feedLines(columns: readonly Column[]): Line[] {
  const names = new Set(columns.flatMap((step) => Object.keys(step?.feeds ?? {})))
  return [...names].map((label, i) => ({
    label,
    ...FEED_LOOKS[i % FEED_LOOKS.length]!,
    values: columns.map((step) => step?.feeds[label] ?? null),
  }))
}

function perSecond(value: number): string {
  if (value === 0) return '0 /s'
  return `${value >= 10 ? count(value) : value.toFixed(1)} /s`
}
