/** The report on outcomes made by hand: the figures in it can be worked out from the list below. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { logit } from '../../../mail/models/prediction.ts'
import { modelFigures } from '../../evaluation/figures.ts'
import type { Outcome } from '../../evaluation/outcome.ts'
import { report } from '../../evaluation/report.ts'

/** A message to which the models gave `probability`: spam above 0.9, 0.5 and 0.3, escalated within 0.2 of one half. */
function outcome(
  source: string,
  id: string,
  spam: boolean,
  probability: number,
  more: Partial<Outcome> = {},
): Outcome {
  return {
    source,
    id,
    group: `${source} ${id}`,
    campaign: 0,
    spam,
    messageClass: undefined,
    textProbability: probability,
    metaProbability: probability,
    spamProbability: probability,
    spamLogit: logit(probability),
    calledSpam: probability > 0.5,
    calledSpamBy: {
      cautious: probability > 0.9,
      balanced: probability > 0.5,
      strict: probability > 0.3,
    },
    escalated: Math.abs(probability - 0.5) < 0.2,
    predictedClass: 'primary',
    ...more,
  }
}

const household = [
  outcome('household_2025', 'ham/a.eml', false, 0.1, {
    messageClass: 'updates',
    alsoAcceptable: 'primary',
  }),
  outcome('household_2025', 'ham/b.eml', false, 0.6, { messageClass: 'promotions' }),
  outcome('household_2025', 'spam/c.eml', true, 0.4),
  outcome('household_2025', 'spam/d.eml', true, 0.9),
]
const phishing = outcome('phishing_pot', 'phishing/e.eml', true, 0.8)
const peers = [
  {
    name: 'filter',
    version: '1.0',
    verdicts: new Map(
      household.map(({ source, id, spam }) => [
        `${source}/${id}`,
        { score: spam ? 9 : 1, calledSpam: spam === true },
      ]),
    ),
  },
  { name: 'none', version: undefined, verdicts: new Map() },
]
const figures = modelFigures({
  measures: new Map([['household_2025' as const, [[...household, phishing]]]]),
  peers,
  featureVersion: 'test',
})
const page = report('models', { command: 'tamis-lab evaluate', ...figures })

/** Rows of the page, and the cells they have, from a column on. */
const ROWS: readonly (readonly [name: string, from: number, cells: readonly string[]])[] = [
  // Of four pairs of ham and spam one is inverted: 0.6 stands above 0.4.
  ['household_2025: 1-AUC, spam against ham', 1, ['4', '**25.0 %**']],
  ['household_2025: 1-AUC, spam against ham', 4, ['≤ 2 %', '≤ 1 %', 'missed']],
  ['household_2025 ham against phishing_pot, neither trained on: 1-AUC', 2, ['**0.0 %**']],
  ['tabs on household_2025: accuracy, counting also_acceptable', 2, ['**50.0 %**']],
  ['errors that are escalated, of all errors, modern sources alike', 2, ['**100.0 %**']],
  ['errors among what is escalated, modern sources alike', 2, ['**100.0 %**']],
  ['cautious', 1, ['0.0 % (household_2025)', '0.0 %', '0.0 % (household_2025)', '0.0 %']],
  ['strict', 1, ['50.0 % (household_2025)', '50.0 %', '100.0 % (household_2025)']],
  ['filter', 1, ['0.0 %']],
  ['none (not installed)', 1, ['–']],
]

describe('the report on the models', () => {
  for (const [name, from, expected] of ROWS) {
    it(`has ${name}: ${expected.join(', ')}`, () => {
      const line = page.split('\n').find((each) => each.startsWith(`| ${name} |`)) ?? ''
      const cells = line.slice(2, -2).split(' | ')
      assert.deepEqual(cells.slice(from, from + expected.length), expected)
    })
  }
})
