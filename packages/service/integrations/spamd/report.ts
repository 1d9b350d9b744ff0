/** The answer to REPORT, for a person: what was found, and how it adds up. */
import { hostname } from 'node:os'
import { ownVersion } from '../../../terminal/version.ts'
import { asciiHeaderValue } from '../../http/header-value.ts'
import type { ReasonsResult } from '../../http/results.ts'

/** Reasons that are listed: more than a person reads. */
const LISTED_MAX = 20

/** Points below this round to 0. */
const NEGLIGIBLE = 0.05

const NAME_WIDTH = 26
const LINE_LENGTH_MAX = 78

const CLASS_SAYS = {
  primary: 'personal, or needs the recipient now',
  promotions: 'advertising',
  updates: 'news, lists and automatic mail',
  transactions: 'about an order, payment or booking',
} as const

type Listed = ReasonsResult['reasons'][number]

/** The report in ASCII, with lines that end with LF. */
export function reportOf(found: ReasonsResult): string {
  const { isSpam, score, requiredScore, spamProbability, classification, shouldEscalate } = found
  const weighty = found.reasons.filter(({ points }) => Math.abs(points) >= NEGLIGIBLE)
  const listed = weighty.slice(0, LISTED_MAX)
  const rest = found.reasons.filter((reason) => !listed.includes(reason))
  const lines = [
    `Tamis ${ownVersion()} on ${hostname()} classifies this message as ${isSpam ? 'spam' : 'not spam'}:`,
    `${score.toFixed(1)} points, where spam begins at ${requiredScore.toFixed(1)}.`,
    '',
    `Spam probability: ${percent(spamProbability)}`,
    `Class:            ${asciiHeaderValue(classification)} (${CLASS_SAYS[classification]})`,
    ...(shouldEscalate ? ['This verdict is not certain. Please check it yourself.'] : []),
    '',
    'Evidence for spam (+) and against it (-):',
    '',
    'points reason                     what it says',
    `------ ${'-'.repeat(NAME_WIDTH)} ${'-'.repeat(LINE_LENGTH_MAX - NAME_WIDTH - 8)}`,
    ...listed.flatMap(reasonLines),
    `${pointsText(sumOf(rest))} and ${rest.length} more`,
    '',
  ]
  return lines.join('\n')
}

function reasonLines({ name, points, description = '', evidence }: Listed): string[] {
  // Clients put reports into header fields, where only ASCII is safe; evidence may be any text.
  const said = evidence === undefined ? description : `${description} (${evidence})`
  const [first = '', ...others] = wrapped(asciiHeaderValue(said), LINE_LENGTH_MAX - NAME_WIDTH - 8)
  const margin = ' '.repeat(NAME_WIDTH + 8)
  return [
    `${pointsText(points)} ${asciiHeaderValue(name).padEnd(NAME_WIDTH)} ${first}`.trimEnd(),
    ...others.map((line) => margin + line),
  ]
}

/** A probability in percent, which never shows 100 for less than certainty. */
function percent(probability: number): string {
  return `${(Math.floor(probability * 10_000) / 100).toFixed(2)} %`
}

function pointsText(points: number): string {
  const text = points.toFixed(1)
  return (points >= NEGLIGIBLE ? `+${text}` : text).padStart(6)
}

function sumOf(reasons: readonly Listed[]): number {
  return reasons.reduce((sum, { points }) => sum + points, 0)
}

/** `text` in lines of at most `width`, broken at spaces if there are any. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (let rest = text; rest !== ''; ) {
    const space = rest.length <= width ? rest.length : rest.lastIndexOf(' ', width)
    const cut = space > 0 ? space : width
    lines.push(rest.slice(0, cut))
    rest = rest.slice(cut).trimStart()
  }
  return lines
}
