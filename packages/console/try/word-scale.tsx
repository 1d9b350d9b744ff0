/** The spam probability on a scale of words, so that the number cannot be taken for that of the verdict. */

import { LEVELS, standingOf } from '../../mail/verdict/standing.ts'
import { percent } from '../format.ts'
import type { Tone } from '../ui/tone.ts'
import { useWidth } from '../ui/width.ts'

const HEIGHT = 24
const TRACK = 8
const RADIUS = 9

/** Pixels between two levels. */
const GAP = 3

/** Levels from here on are spam. */
const FIRST_OF_SPAM = LEVELS.indexOf('probably spam')

export function WordScale({
  spam,
  threshold,
  tone,
}: {
  readonly spam: number
  readonly threshold: number
  readonly tone: Tone
}) {
  const [ref, width] = useWidth<HTMLDivElement>(520)
  const { level, position } = standingOf(spam, threshold)
  const step = width / LEVELS.length
  const at = Math.min(width - RADIUS - 2, Math.max(RADIUS + 2, position * width))
  return (
    <div class="word-scale">
      <p class="word-scale-number">
        <span>Spam probability</span> <strong class="verdict-number">{percent(spam)}</strong>
        <span class="quiet">Above {percent(threshold)} it is spam.</span>
      </p>
      <div ref={ref}>
        <svg width={width} height={HEIGHT} aria-hidden="true">
          {LEVELS.map((name, i) => (
            <rect
              key={name}
              class={
                i >= FIRST_OF_SPAM
                  ? 'side spam'
                  : i === FIRST_OF_SPAM - 1
                    ? 'side doubt'
                    : 'side ham'
              }
              x={i * step + (i === 0 ? 0 : GAP / 2)}
              y={(HEIGHT - TRACK) / 2}
              width={Math.max(0, step - GAP)}
              height={TRACK}
              rx={2}
            />
          ))}
          <g class={`verdict ${tone}`}>
            <circle cx={at} cy={HEIGHT / 2} r={RADIUS} />
            <circle class="eye" cx={at} cy={HEIGHT / 2} r={3} />
          </g>
        </svg>
      </div>
      <ol>
        {LEVELS.map((name) => (
          <li key={name} class={name === level ? 'here' : ''}>
            {name}
            {name === level && <span class="for-readers"> (this message)</span>}
          </li>
        ))}
      </ol>
    </div>
  )
}
