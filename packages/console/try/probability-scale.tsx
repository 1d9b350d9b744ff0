/**
 * One line from certainly not spam to certainly spam, with the threshold on it, where each model
 * stands, and where they stand together. The axis is in log-odds, on which evidence adds up: from
 * 99 % to 99.9 % is as far as from 50 % to 91 %.
 */

import { logOdds } from '../../mail/verdict/standing.ts'
import { percent } from '../format.ts'
import type { Tone } from '../ui/tone.ts'
import { useWidth } from '../ui/width.ts'

/** Log-odds at both ends: 0.03 % and 99.97 %. */
const END = 8

const TICKS = [0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999]

const HEIGHT = 172
const AXIS_Y = 92
const TRACK = 10
const SIDE = 14

interface Probabilities {
  readonly spam: number
  readonly text: number
  readonly meta: number
  readonly threshold: number
  readonly tone: Tone
}

export function ProbabilityScale({ spam, text, meta, threshold, tone }: Probabilities) {
  const [ref, width] = useWidth<HTMLDivElement>(640)
  const x = (probability: number) => {
    const at = Math.min(END, Math.max(-END, logOdds(probability)))
    return SIDE + ((at + END) / (2 * END)) * (width - 2 * SIDE)
  }
  const label = (at: number) => (at < 90 ? 'start' : at > width - 90 ? 'end' : 'middle')
  const cut = x(threshold)
  const [left, right] = [Math.min(x(text), x(meta)), Math.max(x(text), x(meta))]
  const ticks = width < 420 ? TICKS.filter((_, i) => i % 2 === 1) : TICKS
  return (
    <div ref={ref} class="scale">
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`Probability of spam ${percent(spam)}, threshold ${percent(threshold)}; text model ${percent(text)}, structure model ${percent(meta)}`}
      >
        <rect class="side ham" x={SIDE} y={AXIS_Y} width={cut - SIDE} height={TRACK} rx={2} />
        <rect
          class="side spam"
          x={cut}
          y={AXIS_Y}
          width={width - SIDE - cut}
          height={TRACK}
          rx={2}
        />
        {ticks.map((tick) => (
          <g key={tick} class="tick">
            <line x1={x(tick)} x2={x(tick)} y1={AXIS_Y + TRACK} y2={AXIS_Y + TRACK + 5} />
            <text x={x(tick)} y={AXIS_Y + TRACK + 20} text-anchor="middle">
              {tick * 100} %
            </text>
          </g>
        ))}
        <line class="gap" x1={left} x2={right} y1={AXIS_Y - 16} y2={AXIS_Y - 16} />
        <Model at={x(meta)} y={AXIS_Y - 16} shape="diamond" />
        <Model at={x(text)} y={AXIS_Y - 16} shape="square" />
        <g class="threshold">
          <line x1={cut} x2={cut} y1={AXIS_Y - 30} y2={AXIS_Y + TRACK + 34} />
          <text x={cut} y={AXIS_Y + TRACK + 48} text-anchor={label(cut)}>
            threshold {percent(threshold)}
          </text>
        </g>
        <g class={`verdict ${tone}`}>
          <circle cx={x(spam)} cy={AXIS_Y + TRACK / 2} r={10} />
          <circle class="eye" cx={x(spam)} cy={AXIS_Y + TRACK / 2} r={3.5} />
        </g>
        <Legend width={width} text={text} meta={meta} />
      </svg>
    </div>
  )
}

function Model({ at, y, shape }: { at: number; y: number; shape: 'square' | 'diamond' }) {
  if (shape === 'square') return <rect class="model" x={at - 5} y={y - 5} width={10} height={10} />
  return <path class="model" d={`M${at} ${y - 7}l7 7-7 7-7-7Z`} />
}

function Legend({ width, text, meta }: { width: number; text: number; meta: number }) {
  const second = width < 420 ? { x: SIDE, y: 36 } : { x: SIDE + 190, y: 14 }
  return (
    <g class="legend">
      <Model at={SIDE + 5} y={10} shape="square" />
      <text x={SIDE + 18} y={14}>
        what it says {percent(text)}
      </text>
      <Model at={second.x + 7} y={second.y - 4} shape="diamond" />
      <text x={second.x + 20} y={second.y}>
        how it is made {percent(meta)}
      </text>
    </g>
  )
}
