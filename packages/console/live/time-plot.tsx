/** Lines over the time since the page was opened, with their last values in words above them. */
import { useId } from 'preact/hooks'

export interface Line {
  readonly label: string
  /** Name of a tone in the style sheet. */
  readonly tone: 'accent' | 'spam' | 'ham'
  /** Told apart without colour too. */
  readonly dash?: string
  /** One for each step; null where there is none. */
  readonly values: readonly (number | null)[]
}

const HEIGHT = 100

export function TimePlot({
  title,
  lines,
  format,
}: {
  readonly title: string
  readonly lines: readonly Line[]
  readonly format: (value: number) => string
}) {
  const id = useId()
  const most = Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const count = Math.max(2, lines[0]?.values.length ?? 0)
  const now = ({ values }: Line) => {
    const value = values.at(-1)
    return value == null ? '–' : format(value)
  }
  const spoken = lines.map((line) => `${line.label} ${now(line)}`).join(', ')
  return (
    <section class="panel plot" aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        <ul class="row plot-key note">
          {lines.map((line) => (
            <li key={line.label}>
              <svg width="18" height="8" aria-hidden="true" class={line.tone}>
                <path d="M0 4h18" stroke-width="2.5" stroke-dasharray={line.dash} />
              </svg>{' '}
              {line.label} <span class="number">{now(line)}</span>
            </li>
          ))}
          <li>highest {format(most)}</li>
        </ul>
      </header>
      <div role="img" aria-label={`${title}; now: ${spoken}`}>
        <svg
          width="100%"
          height="168"
          viewBox={`0 -2 ${count - 1} ${HEIGHT + 4}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {lines.map(({ label, tone, dash, values }) => (
            <path
              key={label}
              class={tone}
              d={pathOf(values, most || 1)}
              stroke-width="1.75"
              stroke-dasharray={dash}
              vector-effect="non-scaling-stroke"
            />
          ))}
        </svg>
      </div>
    </section>
  )
}

/** Broken where a value is missing. */
function pathOf(values: readonly (number | null)[], most: number): string {
  return values
    .map((value, i) => {
      if (value === null) return ''
      const isFirst = i === 0 || values[i - 1] === null
      return `${isFirst ? 'M' : 'L'}${i} ${(HEIGHT * (1 - value / most)).toFixed(1)}`
    })
    .join('')
}
