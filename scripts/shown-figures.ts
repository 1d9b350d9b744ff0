/**
 * Figures shown in documents, from the reports: a table below a comment that says which it is,
 *
 *     <!-- npm run docs: figures of models -->
 *
 * `models` says how good the models are, `peers` puts other filters beside them, `stream` does so on
 * mail that is corrected as it comes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const REPORTS = join(import.meta.dirname, '../packages/lab/reports')

const BLOCK = /(<!-- npm run docs: figures of (models|peers|stream) -->\n\n)(?:(?:\|.*\n)+\n)?/g

const TABLES: Readonly<Record<string, () => string[][]>> = {
  models: modelFigures,
  peers: peerFigures,
  stream: streamFigures,
}

/** `text` with each table of figures as the reports have it. */
export function withFigures(text: string): string {
  return text.replace(BLOCK, (_, comment: string, name: string) => {
    const [head = [], ...rows] = TABLES[name]!()
    const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`)
    return `${comment}${lines.join('')}\n`
  })
}

function modelFigures(): string[][] {
  const report = readReport('models')
  const headline = (measure: string) => report.cell(measure, 'result')
  const caught = (source: string) => report.cell(source, 'spam caught')
  const scored = (source: string) => report.cell(source, '**fused**')
  return [
    ['mail that nothing was learned from', 'result'],
    [
      "one household's mail of 2025-2026: a random ham scores above a random spam (1-AUC)",
      headline('household_2025: 1-AUC, spam against ham'),
    ],
    [
      'the same, the other half of its senders known',
      headline('household_2025, one half by sender trained on, mean of 10 splits: 1-AUC'),
    ],
    [
      "the household's ham against honeypot phishing: 1-AUC",
      headline('household_2025 ham against phishing_pot, neither trained on: 1-AUC'),
    ],
    [
      'single messages found in many public places, against spam found there: 1-AUC',
      headline('finds, collections left out in folds: 1-AUC'),
    ],
    [
      'kernel mailing lists, spam against first posts and patches: 1-AUC',
      headline('lists: 1-AUC, spam against first posts and patches'),
    ],
    [
      'written mail of kinds never seen: 1-AUC',
      headline('written, kinds left out in 5 folds: 1-AUC'),
    ],
    ["SpamAssassin's corpus of 2002: 1-AUC", scored('spamassassin')],
    [
      'ham lost at the default threshold, mean over sources; worst modern source',
      [
        headline('ham lost at the shipped threshold, mean over sources'),
        headline('ham lost at the shipped threshold, worst modern source'),
      ].join('; '),
    ],
    [
      'spam caught at that threshold: household, finds, lists, written, 2002',
      [
        caught('household_2025'),
        caught('finds, by collection'),
        caught('lists, all'),
        caught('written, by kind'),
        caught('spamassassin'),
      ].join(', '),
    ],
    [
      'mail escalated for a person to look at, and the share of all errors that it holds (half was aimed at)',
      [
        headline('mail escalated, mean over modern sources'),
        headline('errors that are escalated, of all errors, modern sources alike'),
      ].join('; '),
    ],
    [
      'short personal letters of kinds never seen: above 50 % (5 % was aimed at)',
      headline('written letters of under 100 words, kinds left out: above 50 %'),
    ],
    [
      'four classes: accuracy on that household, macro-F1 on written mail of kinds never seen',
      [
        headline('tabs on household_2025: accuracy, counting also_acceptable'),
        headline('tabs on written mail, kinds left out in 5 folds: macro-F1'),
      ].join('; '),
    ],
  ]
}

function peerFigures(): string[][] {
  const compared = readReport('models').tables.filter(
    ([head]) => /: \d+ ham, \d+ spam$/.test(head?.[0] ?? '') && head?.[1] === '1-AUC',
  )
  if (compared.length === 0)
    throw new Error('packages/lab/reports/models/README.md puts no filters side by side')
  const [first = []] = compared
  const names = first.slice(1).map(([name = '']) => name)
  return [
    ['1-AUC (ham lost / spam caught)', ...compared.map(([head]) => head![0]!)],
    ...names.map((name) => [plain(name), ...compared.map((table) => standing(table, name))]),
  ]
}

function standing([head, ...rows]: string[][], name: string): string {
  const row = rows.find(([first]) => first === name)
  const cell = (column: string) => plain(row?.[head!.indexOf(column)] ?? '–')
  return `${cell('1-AUC')} (${cell('ham lost')} / ${cell('spam caught')})`
}

function streamFigures(): string[][] {
  const [table = []] = readReport('stream').tables
  return table.map((row) => [row[0]!, row[1]!, row[2]!, row[3]!, row[4]!])
}

interface ReadReport {
  /** Each table with its head, without the line below it. */
  readonly tables: string[][][]
  /** The cell in the first table that has this row and column. */
  cell(row: string, column: string): string
}

function readReport(name: string): ReadReport {
  const text = readFileSync(join(REPORTS, name, 'README.md'), 'utf8')
  const tables = [...text.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) =>
    table
      .trimEnd()
      .split('\n')
      .filter((_, line) => line !== 1)
      .map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  )
  return {
    tables,
    cell(row, column) {
      for (const [head = [], ...rows] of tables) {
        const found = rows.find(([first]) => first === row)?.[head.indexOf(column)]
        if (found !== undefined) return plain(found)
      }
      throw new Error(`reports/${name}/README.md has no "${column}" of "${row}"`)
    },
  }
}

function plain(cell: string): string {
  return cell.replaceAll('**', '')
}
