/**
 * Figures shown in documents, from the reports: a table below a comment that says which it is,
 *
 *     <!-- npm run docs: figures of models -->
 *
 * `models` says how good the models are, `peers` puts other filters beside them, `stream` does so on
 * mail that is corrected as it comes. `sure` says how much mail is beyond the margin at which the models are
 * sure of spam, `lists` what a hit of a DNS list changes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MODERN_SOURCES } from '../packages/lab/corpora/sets.ts'
import { logit } from '../packages/mail/models/logit.ts'
import { SURE_LOGIT_MARGIN } from '../packages/mail/verdict/policy.ts'

const ROOT = join(import.meta.dirname, '..')

const REPORTS = join(ROOT, 'packages/lab/reports')

const BLOCK =
  /(<!-- npm run docs: figures of (models|peers|stream|sure|lists) -->\n\n)(?:(?:\|.*\n)+\n)?/g

const TABLES: Readonly<Record<string, () => string[][]>> = {
  models: modelFigures,
  peers: peerFigures,
  stream: streamFigures,
  sure: sureFigures,
  lists: listFigures,
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

function sureFigures(): string[][] {
  const row = (name: string, mail: readonly Outcome[]) => [
    name,
    count(mail.length),
    countOf(mail, ({ isCalledSpam }) => isCalledSpam),
    countOf(mail, ({ beyond }) => beyond > SURE_LOGIT_MARGIN),
  ]
  const { ham, spam } = modernOutcomes()
  return [
    ['modern mail of sources left out of training', 'messages', 'called spam', 'beyond the margin'],
    row('ham', ham),
    row('spam', spam),
  ]
}

/** The weights that lists have, and the most that all of them add. */
const LIST_WEIGHTS = [1, 1.5, 2, 2.5, 3, 4, 5, 6]

function listFigures(): string[][] {
  const { ham, spam } = modernOutcomes()
  const called = (mail: readonly Outcome[], weight: number) => {
    const below = mail.filter(({ beyond }) => beyond <= 0)
    return percent(below.filter(({ beyond }) => beyond + weight > 0).length / below.length)
  }
  return [
    ['weight', 'wrongly listed ham that is lost', 'missed spam that is caught if listed'],
    ...LIST_WEIGHTS.map((weight) => [`${weight}`, called(ham, weight), called(spam, weight)]),
  ]
}

interface Outcome {
  readonly isSpam: boolean
  /** By the threshold chosen without the source of the message. */
  readonly isCalledSpam: boolean
  /** How far the log-odds are beyond the shipped threshold `balanced`. */
  readonly beyond: number
}

/** Modern mail of sources left out of training, from the outcomes of the report of models. */
function modernOutcomes() {
  const manifest = readFileSync(join(ROOT, 'artifacts/fusion/manifest.json'), 'utf8')
  const threshold = logit(JSON.parse(manifest).thresholds.balanced)
  const [head = '', ...lines] = readFileSync(join(REPORTS, 'models/outcomes.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
  const names = head.split('\t')
  const outcomes = lines.flatMap((line): Outcome[] => {
    const cells = line.split('\t')
    const cell = (name: string) => cells[names.indexOf(name)]!
    if (!(MODERN_SOURCES as readonly string[]).includes(cell('left_out'))) return []
    return [
      {
        isSpam: cell('spam') === '1',
        isCalledSpam: cell('called_spam') === '1',
        beyond: Number(cell('logit')) - threshold,
      },
    ]
  })
  return {
    ham: outcomes.filter(({ isSpam }) => !isSpam),
    spam: outcomes.filter(({ isSpam }) => isSpam),
  }
}

function countOf(mail: readonly Outcome[], is: (outcome: Outcome) => boolean): string {
  const found = mail.filter(is).length
  return `${count(found)} (${percent(found / mail.length)})`
}

function count(messages: number): string {
  return messages.toLocaleString('en-US')
}

/** Two digits, as the reports have them. */
function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`
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
