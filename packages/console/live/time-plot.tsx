/** Lines over the last half hour, painted by uPlot, with their values in words beside them. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '../ui/use-theme.ts'
import { useWidth } from '../ui/width.ts'

export interface Line {
  readonly label: string
  /** Name of a colour in the style sheet: 'accent' is var(--accent). */
  readonly colour: string
  /** Told apart without colour too. */
  readonly dash?: readonly number[]
  readonly filled?: boolean
  readonly values: readonly (number | null)[]
}

export interface TimePlotProps {
  readonly title: string
  /** Seconds since 1970, in step with the values of each line. */
  readonly times: readonly number[]
  readonly lines: readonly Line[]
  readonly format: (value: number) => string
  /** Whether there is nothing between whole numbers. */
  readonly whole?: boolean
}

const HEIGHT = 168

const WHOLE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000]

/** Room for '1,000 ms'. */
const AXIS_WIDTH = 62

export function TimePlot({ title, times, lines, format, whole = false }: TimePlotProps) {
  const [frame, width] = useWidth<HTMLDivElement>(480)
  const canvas = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const [pointed, setPointed] = useState<number>()
  const theme = useTheme()
  const id = useId()
  const names = lines.map(({ label }) => label).join('\n')
  const show = useRef(format)
  show.current = format

  useEffect(() => {
    if (canvas.current === null) return
    const options = optionsOf(
      lines,
      canvas.current,
      (value) => show.current(value),
      setPointed,
      whole,
    )
    plot.current = new uPlot(
      { ...options, width, height: HEIGHT },
      dataOf(times, lines),
      canvas.current,
    )
    return () => plot.current?.destroy()
  }, [names, theme, whole])
  useEffect(() => plot.current?.setData(dataOf(times, lines)), [times, lines])
  useEffect(() => plot.current?.setSize({ width, height: HEIGHT }), [width])

  const at = pointed ?? times.length - 1
  const spoken = lines.map((line) => `${line.label} ${valueAt(line, at, format)}`).join(', ')
  return (
    <section class="panel plot" aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        <ul class="plot-key">
          {lines.map((line) => (
            <li key={line.label}>
              <svg viewBox="0 0 18 8" aria-hidden="true" class={line.colour}>
                <path d="M0 4h18" stroke-dasharray={line.dash?.join(' ')} />
              </svg>
              {line.label} <span class="number">{valueAt(line, at, format)}</span>
            </li>
          ))}
        </ul>
      </header>
      <div ref={frame} role="img" aria-label={`${title}, last half hour; now: ${spoken}`}>
        <div ref={canvas} />
      </div>
    </section>
  )
}

function valueAt({ values }: Line, at: number, format: (value: number) => string): string {
  const value = values[at]
  return value === null || value === undefined ? '–' : format(value)
}

function dataOf(times: readonly number[], lines: readonly Line[]): uPlot.AlignedData {
  return [[...times], ...lines.map(({ values }) => [...values])]
}

function optionsOf(
  lines: readonly Line[],
  element: HTMLElement,
  format: (value: number) => string,
  onPoint: (index: number | undefined) => void,
  whole: boolean,
): Omit<uPlot.Options, 'width' | 'height'> {
  const style = getComputedStyle(element)
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim()
  const axis = {
    stroke: colour('ink-soft'),
    font: `11px ${style.fontFamily}`,
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
  }
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: { y: { range: (_plot, _low, high) => [0, high > 0 ? high * 1.1 : whole ? 5 : 1] } },
    axes: [
      { ...axis, size: 24, grid: { show: false }, values: (_plot, times) => times.map(clock) },
      {
        ...axis,
        size: AXIS_WIDTH,
        space: 36,
        ...(whole && { incrs: WHOLE_STEPS }),
        values: (_plot, values) => values.map((value) => format(value)),
      },
    ],
    series: [
      {},
      ...lines.map((line) => ({
        label: line.label,
        stroke: colour(line.colour),
        width: 1.75,
        points: { show: false },
        ...(line.dash && { dash: [...line.dash] }),
        ...(line.filled && { fill: `${colour(line.colour)}22` }),
      })),
    ],
    hooks: { setCursor: [(plot) => onPoint(plot.cursor.idx ?? undefined)] },
  }
}

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

function clock(seconds: number): string {
  return CLOCK.format(new Date(seconds * 1_000))
}
