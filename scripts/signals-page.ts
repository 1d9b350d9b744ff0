/** docs/signals.md: from what the aspects declare and the list of counts. */
import type { SignalDeclaration } from '../packages/mail/signals/aspect.ts'
import { COUNTS } from '../packages/mail/signals/counts.ts'
import { ASPECTS, type AspectName, SIGNAL_NAMES } from '../packages/mail/signals/signals.ts'

/** What each aspect looks at, as a heading. */
const HEADINGS: Readonly<Record<AspectName, string>> = {
  date: 'Date',
  from: 'From and Reply-To',
  sender: 'Envelope sender and Sender',
  recipients: 'Recipients',
  subject: 'Subject',
  'message-id': 'Message-ID',
  received: 'Received',
  mailer: 'Sending program',
  list: 'Lists and bulk mail',
  dkim: 'DKIM signatures, as claimed',
  mime: 'MIME structure',
  html: 'HTML',
  'text-style': 'Letters and symbols of the text',
  links: 'Links',
  attachments: 'Attachments',
  language: 'Language',
  content: 'Content',
  known: 'Known senders and hosts',
}

const OPENING = `# Signals

<!-- Made from the aspects in packages/mail/signals/ and its counts.ts by \`npm run docs\`. -->

A signal is a named fact about a message, with the words or values behind it as evidence. It is
not a judgement: most ham has a dozen signals. Models weigh signals, rules refer to them, and
the diagnostic shows them. There are ${SIGNAL_NAMES.length} signals in ${ASPECTS.length} aspects.

No signal depends on who receives a message, on what receiving systems add to it, or on its age.
`

/** The whole document. */
export function signalsPage(): string {
  const sections = ASPECTS.map(({ name: aspect, declares }) => {
    const declared = Object.entries<SignalDeclaration>(declares)
    const rows = declared.map(([name, { description, example, since }]) =>
      row([`\`${name}\``, cell(description), cell(example), since]),
    )
    return section(HEADINGS[aspect], ['Signal', 'Meaning', 'Example', 'Since'], rows)
  })
  const counts = Object.entries(COUNTS).map(([name, counted]) => row([`\`${name}\``, counted]))
  const numbers = section('Counts', ['Count', 'What is counted'], counts)
  return `${[OPENING, ...sections, numbers].join('\n').trimEnd()}\n`
}

function section(heading: string, columns: readonly string[], rows: readonly string[]): string {
  const rule = row(columns.map(() => '---'))
  return `## ${heading}\n\n${[row(columns), rule, ...rows].join('\n')}\n`
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** A text for a table cell: markup and column signs are escaped, and invisible characters are shown by their numbers. */
function cell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/[\u200b-\u200f\u202a-\u202e\u00ad]/g, (unseen) => {
      return `[U+${unseen.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`
    })
}
