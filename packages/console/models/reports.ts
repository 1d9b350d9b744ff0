/** The reports that came with this version, each loaded when it is looked at. */

const TEXTS = import.meta.glob<string>('../../lab/reports/*/README.md', {
  query: '?raw',
  import: 'default',
})

const PLOTS = import.meta.glob<string>('../../lab/reports/*/*.svg', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** First what most want to know. */
const TITLES: Readonly<Record<string, string>> = {
  models: 'How good the models are',
  evasion: 'Resistance to evasion tricks',
  memory: "A user's memory",
  mailbox: 'Corrections in a new mailbox',
  learning: 'Learning from true and false corrections',
  correspondents: 'With whom a user writes',
  stream: 'Correcting every message',
  known: 'What is known of senders and hosts',
  expectations: 'What is expected of signals',
  reasons: 'Reasons, read for sense',
  embedding: 'The embedding',
  rendering: 'How real the written mail looks',
  speed: 'Speed compared with other filters',
  soak: 'An hour under load',
  storage: 'Storage under faults',
  parser: 'The parser compared with others',
}

export const REPORTS: readonly { readonly name: string; readonly title: string }[] = Object.entries(
  TITLES,
).map(([name, title]) => ({ name, title }))

export async function reportText(name: string): Promise<string> {
  const load = TEXTS[`../../lab/reports/${name}/README.md`]
  if (load === undefined) throw new Error(`There is no report named ${name}`)
  return load()
}

export function plotAddress(report: string, name: string): string | undefined {
  return PLOTS[`../../lab/reports/${report}/${name}`]
}
