/** What tells rendered mail from real, as a page that a person reads. The same figures give the same bytes. */
import { percent, tableOf } from '../markdown.ts'
import type { GiveAway, Likeness } from './evaluate-rendering.ts'

export function renderRenderingReport(found: readonly Likeness[], command: string): string {
  const sections = found.map(
    ({ kind, giveAways }) => `## What gives it away: ${kind}\n\n${giveAwayTable(giveAways)}`,
  )
  return `# How well rendered mail passes for real

Made by \`${command}\`. A model that sees only how a message is made (the features of the meta model)
learns to tell written mail as it is rendered from real mail. Each source of real mail is left out
whole in turn, and a fifth of the kinds of written mail with it. Area under its curve; 0.5 is chance.
Real mail: \`household_2025\`, \`finds\` without the collection whose header fields are missing, and
the spam of \`lists\`, without what the list server adds. Neither side has posts to mailing lists or bounces among its ham.

${tableOf(found, [
  ['mail', ({ kind }) => kind],
  ['rendered', ({ rendered }) => String(rendered)],
  ['real', ({ real }) => String(real)],
  ['sources left out', ({ sources }) => String(sources)],
  ['AUC', ({ area }) => area.toFixed(3)],
])}

A feature counts by its weight times the difference of shares, in a model of all messages.

${sections.join('\n\n')}
`
}

function giveAwayTable(giveAways: readonly GiveAway[]): string {
  return tableOf(giveAways, [
    ['feature', ({ feature }) => `\`${feature}\``],
    ['rendered', ({ rendered }) => percent(rendered)],
    ['real', ({ real }) => percent(real)],
    ['weight', ({ weight }) => weight.toFixed(2)],
  ])
}
