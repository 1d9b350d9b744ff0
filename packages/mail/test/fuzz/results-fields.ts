/** Authentication-Results and its ARC form: by their grammar, and with pieces of it anywhere. */
import { type Dice, repeated } from './dice.ts'
import { oddBytes } from './texts.ts'

// biome-ignore format: many short pieces
const HOSTS = [
  'mx.example.com', 'MX.example.com', 'mx.example.org', '"mx.example.com"', 'mx.example.com 1',
  'mx.example.com/2', 'dkim=pass', '',
]
const METHODS = ['spf', 'dkim', 'dmarc', 'arc', 'DKIM/1', 'dkim/2', 'iprev', 'x-odd', '']
// biome-ignore format: many short pieces
const RESULTS = [
  'pass', 'fail', 'softfail', 'neutral', 'none', 'temperror', 'permerror', 'PASS', 'hardfail', '',
]
// biome-ignore format: many short pieces
const PROPERTIES = [
  'smtp.mailfrom', 'smtp.helo', 'header.d', 'header.i', 'header.from', 'header . b',
  'policy.dmarc', 'reason', 'x', '',
]
// biome-ignore format: many short pieces
const VALUES = [
  'example.com', 'ada@example.com', '@example.com', '"a; dkim=pass"', '"open', '"a\\"b"',
  '(comment)', 'a=b', '',
]
// biome-ignore format: many short pieces
const COMMENTS = [
  '', ' ', ' ', '\r\n\t', '(good)', '(a (nested) one)', '(open', '((', ')', '(\\)', '(dkim=pass;)',
]

/** The value of such a field. */
export function resultsField(dice: Dice): string {
  if (dice.chance(0.15)) return syntax(dice)
  return dice.make([results, results, arcResults])
}

function results(dice: Dice): string {
  return comment(dice) + dice.pick(HOSTS) + repeated(dice.count(5_000), () => statement(dice))
}

function arcResults(dice: Dice): string {
  return `i${comment(dice)}=${comment(dice)}${dice.below(120)}${dice.pick([';', ';', ''])}${results(dice)}`
}

function statement(dice: Dice): string {
  const property = () =>
    `${comment(dice)} ${dice.pick(PROPERTIES)}=${comment(dice)}${dice.pick(VALUES)}`
  const properties = repeated(dice.count(1_000), property)
  const end = dice.chance(0.03) ? oddBytes(dice) : ''
  return `;${comment(dice)}${dice.pick(METHODS)}=${dice.pick(RESULTS)}${properties}${end}`
}

function comment(dice: Dice): string {
  return dice.chance(0.02) ? '('.repeat(dice.count(20_000)) : dice.pick(COMMENTS)
}

function syntax(dice: Dice): string {
  const all = [
    ...HOSTS,
    ...METHODS,
    ...RESULTS,
    ...PROPERTIES,
    ...VALUES,
    ...COMMENTS,
    ';',
    '=',
    '.',
    '/',
  ]
  return repeated(dice.count(20_000), () => dice.pick(all))
}
