/** What tells rendered mail from real, as a page that a person reads. The same figures give the same bytes. */
import { page, percent, tableOf } from '../markdown.ts'
import type { GiveAway, Likeness } from './evaluate-rendering.ts'

export function renderRenderingReport(found: readonly Likeness[], command: string): string {
  const sections = found.map(
    ({ kind, giveAways }) => `## What gives it away: ${kind}\n\n${giveAwayTable(giveAways)}`,
  )
  return page('rendering', {
    command,
    areas: tableOf(found, [
      ['mail', ({ kind }) => kind],
      ['rendered', ({ rendered }) => String(rendered)],
      ['real', ({ real }) => String(real)],
      ['sources left out', ({ sources }) => String(sources)],
      ['AUC', ({ area }) => area.toFixed(3)],
    ]),
    giveAways: sections.join('\n\n'),
  })
}

function giveAwayTable(giveAways: readonly GiveAway[]): string {
  return tableOf(giveAways, [
    ['feature', ({ feature }) => `\`${feature}\``],
    ['rendered', ({ rendered }) => percent(rendered)],
    ['real', ({ real }) => percent(real)],
    ['weight', ({ weight }) => weight.toFixed(2)],
  ])
}
