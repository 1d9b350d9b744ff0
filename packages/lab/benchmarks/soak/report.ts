/** packages/lab/reports/soak/: what was asked, what the service took up meanwhile, and how it lay over time. */
import { page, tableOf } from '../../evaluation/markdown.ts'
import { chart, fixed, seriesColour, xOf, yOf } from '../../evaluation/plots/svg.ts'
import { MACHINE } from '../benchmark.ts'
import type { Flatness, Reading } from './flatness.ts'
import type { Gauge } from './readings.ts'

export interface Course {
  readonly gauge: Gauge
  readonly readings: readonly Reading[]
  readonly flatness: Flatness
}

export interface SoakFigures {
  readonly command: string
  readonly commit: string
  readonly minutes: number
  readonly rate: number
  /** Server processes of the service. */
  readonly workers: number
  readonly courses: readonly Course[]
  /** How often each was answered, by path and status. */
  readonly answers: ReadonlyMap<string, number>
  readonly errors: readonly string[]
  /** Requests refused since the machine was too busy; 503. */
  readonly refused: number
  readonly reloads: number
  /** Latency of verdicts, in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Log lines of warnings and errors, by their text. */
  readonly logged: ReadonlyMap<string, number>
  readonly storeMiB: number
}

const SECONDS_PER_MINUTE = 60
const LEGEND_WIDTH = 210

/** Gauges that are drawn: all memory. */
const DRAWN = 3

export function isPassed({ courses, errors }: SoakFigures): boolean {
  return errors.length === 0 && courses.every(({ flatness }) => flatness.isFlat)
}

export function courseTable(courses: readonly Course[]): string {
  return tableOf(courses, [
    ['', ({ gauge: { name, unit } }) => (unit === '' ? name : `${name}, ${unit}`)],
    ['at first', ({ readings }) => figure(readings[0]?.value ?? Number.NaN)],
    ['median', ({ flatness }) => figure(flatness.median)],
    ['highest', ({ flatness }) => figure(flatness.max)],
    ['growth', ({ flatness }) => figure(flatness.growth)],
    ['allowed', ({ flatness }) => figure(flatness.allowed)],
    ['flat', ({ flatness }) => (flatness.isFlat ? 'yes' : 'no')],
  ])
}

export function soakReport(figures: SoakFigures): string {
  const { courses, answers, errors } = figures
  return page('soak', {
    ...figures,
    MACHINE,
    total: [...answers.values()].reduce((sum, count) => sum + count, 0),
    courses: courseTable(courses),
    errors: errors.length,
    logged: loggedText(figures),
    answers: answerTable(answers),
  })
}

function loggedText({ logged }: SoakFigures): string {
  if (logged.size === 0) return 'No warning in the log.'
  return `In the log: ${[...logged].map(([text, count]) => `${count} × ${text}`).join('; ')}.`
}

function answerTable(answers: ReadonlyMap<string, number>): string {
  const most = [...answers].sort(([, a], [, b]) => b - a)
  return tableOf(most, [
    ['request, status', ([what]) => what],
    ['times', ([, count]) => `${count}`],
  ])
}

/** Lines of the first gauges over time. */
export function memoryPlot(title: string, courses: readonly Course[]): string {
  const drawn = courses.slice(0, DRAWN)
  const all = drawn.flatMap(({ readings }) => readings)
  const seconds = Math.max(...all.map(({ at }) => at))
  const top = niceTop(Math.max(...all.map(({ value }) => value)))
  const shares = [0, 0.25, 0.5, 0.75, 1]
  const ticks = (end: number) => shares.map((at) => ({ at, label: figure(at * end) }))
  const lines = drawn.map(({ readings }, i) => {
    const points = readings.map(
      ({ at, value }) => `${fixed(xOf(at / seconds))} ${fixed(yOf(value / top))}`,
    )
    return `<path class="line" stroke="${seriesColour(i)}" d="M${points.join('L')}"/>`
  })
  return chart({
    title,
    xName: 'minutes',
    yName: 'MiB',
    xTicks: ticks(seconds / SECONDS_PER_MINUTE),
    yTicks: ticks(top),
    drawing: lines,
    names: drawn.map(({ gauge }) => gauge.name),
    legendWidth: LEGEND_WIDTH,
  })
}

/** The next hundred above. */
function niceTop(value: number): number {
  return Math.ceil(value / 100) * 100
}

function figure(value: number): string {
  return Number.isInteger(value) ? `${value}` : value.toFixed(Math.abs(value) < 10 ? 2 : 1)
}
