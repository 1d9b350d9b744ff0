/** docs/signals.md: from the table of signals and the list of counts. */
import { COUNTS } from '../packages/mail/signals/counts.ts'
import { ASPECTS } from '../packages/mail/signals/signals.ts'
import { SIGNALS } from '../packages/mail/signals/table.ts'

const OPENING = `# Signals

<!-- Made from packages/mail/signals/ (signals.tsv, counts.ts) by \`npm run docs\`. -->

A signal is a named fact about a message, with the words or values behind it as evidence. Models weigh signals, rules
refer to them, the diagnostic shows them. The direction says whether a person takes it for a mark of spam, of ham or,
by itself, of neither. No signal depends on who receives a message, on what receiving systems add, or on its age.
Examples, priors and bounds of weights are in \`packages/mail/signals/signals.tsv\`.
`

/** The whole document. */
export function signalsPage(): string {
  const sections = Object.keys(ASPECTS).map((aspect) => {
    const own = SIGNALS.filter((row) => row.aspect === aspect)
    const rows = own.map(({ name, direction, description }) => [
      `\`${name}\``,
      direction,
      description.replaceAll('|', '\\|').replaceAll('<', '&lt;'),
    ])
    return section(aspect, ['Signal', 'Direction', 'Meaning'], rows)
  })
  const counts = Object.entries(COUNTS).map(([name, counted]) => [`\`${name}\``, counted])
  return [OPENING, ...sections, section('counts', ['Count', 'What is counted'], counts)].join('\n')
}

function section(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const lines = [columns, columns.map(() => '---'), ...rows].map((cells) => `|${cells.join('|')}|`)
  return `## ${name.charAt(0).toUpperCase()}${name.slice(1)}\n\n${lines.join('\n')}\n`
}
