/** Figures of several rounds: their median, and how far they lie apart. */

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

/** NaN throughout when there is no figure; a round without one is left out. */
export function spreadOf(figures: readonly number[]): Spread {
  const ascending = figures.filter((figure) => !Number.isNaN(figure)).sort((a, b) => a - b)
  const middle = ascending.length / 2
  const [below, above] = [ascending[Math.ceil(middle) - 1], ascending[Math.floor(middle)]]
  return {
    median: ((below ?? NaN) + (above ?? NaN)) / 2,
    min: ascending[0] ?? NaN,
    max: ascending.at(-1) ?? NaN,
  }
}

/** The figure that `share` of them stay below; NaN when there is none. */
export function quantile(figures: readonly number[], share: number): number {
  const ascending = figures.toSorted((a, b) => a - b)
  return ascending[Math.min(ascending.length - 1, Math.floor(share * ascending.length))] ?? NaN
}

/** '2.31 (2.25–2.40)', '–' when there is no figure. */
export function spreadText({ median, min, max }: Spread): string {
  if (Number.isNaN(median)) return '–'
  return min === max
    ? figureText(median)
    : `${figureText(median)} (${figureText(min)}–${figureText(max)})`
}

/** Three digits that count; '–' for no figure. */
export function figureText(figure: number): string {
  if (Number.isNaN(figure)) return '–'
  if (figure >= 100) return figure.toFixed(0)
  return figure >= 10 ? figure.toFixed(1) : figure.toFixed(2)
}
