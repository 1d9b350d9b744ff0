/** The report on outcomes made by hand: the figures in it can be worked out from the list below. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { modelFigures } from '../../evaluation/figures.ts'
import type { Outcome } from '../../evaluation/outcome.ts'
import type { PeerResult } from '../../evaluation/peers.ts'
import type { MeasureName } from '../../evaluation/plan.ts'
import { report } from '../../evaluation/report.ts'
import { outcome } from './outcomes.ts'

const household = [
  outcome('household_2025', 'ham/a.eml', false, 0.1, {
    messageClass: 'updates',
    alsoAcceptable: 'primary',
  }),
  outcome('household_2025', 'ham/b.eml', false, 0.6, { messageClass: 'promotions' }),
  outcome('household_2025', 'spam/c.eml', true, 0.4),
  outcome('household_2025', 'spam/d.eml', true, 0.9),
]
const phishing = [outcome('phishing_pot', 'phishing/e.eml', true, 0.8)]

const measures = new Map<MeasureName, Outcome[][]>([
  ['household_2025', [[...household, ...phishing]]],
])

const peer: PeerResult = {
  name: 'A & B <filter>',
  mode: 'rules',
  version: '1.0',
  verdicts: new Map(
    household.map(({ source, id, spam }) => [
      `${source}/${id}`,
      { score: spam ? 9 : 1, calledSpam: spam === true },
    ]),
  ),
}
const absent: PeerResult = {
  name: 'none',
  mode: 'trained',
  version: undefined,
  verdicts: new Map(),
}

const figures = modelFigures({ measures, peers: [peer, absent], featureVersion: 'test' })
const readme = report('models', { command: 'tamis-lab evaluate', ...figures })

/** The cells of the row that begins with `name`. */
function row(name: string, text = readme): string[] {
  const line = text.split('\n').find((each) => each.startsWith(`| ${name} |`))
  assert.ok(line !== undefined, `no row "${name}"`)
  return line.slice(2, -2).split(' | ')
}

describe('the report on the models', () => {
  it('gives each headline figure with its targets', () => {
    // Of four pairs of ham and spam one is inverted: 0.6 stands above 0.4.
    const cells = row('household_2025: 1-AUC, spam against ham')
    assert.deepEqual(cells.slice(1, 3), ['4', '**25.0 %**'])
    assert.deepEqual(cells.slice(4), ['≤ 2 %', '≤ 1 %', 'missed'])
  })

  it('compares the ham with mail that is never trained on', () => {
    const cells = row('household_2025 ham against phishing_pot, neither trained on: 1-AUC')
    assert.deepEqual([cells[2], cells[6]], ['**0.0 %**', 'stretch target met'])
  })

  it('counts a class that is also acceptable', () => {
    const cells = row('tabs on household_2025: accuracy, counting also_acceptable')
    assert.equal(cells[2], '**50.0 %**')
  })

  it('shows what is lost, missed and escalated at the shipped threshold', () => {
    const operating = readme.slice(readme.indexOf('| left out | caught'))
    // Both errors lie within 0.2 of one half, and so do two of four messages.
    assert.deepEqual(row('household_2025', operating).slice(4), [
      '50.0 %',
      '50.0 %',
      '50.0 %',
      '100.0 %',
    ])
  })

  it('says what each preset loses and catches on the worst modern source', () => {
    assert.deepEqual(row('cautious'), [
      'cautious',
      '0.0 % (household_2025)',
      '0.0 %',
      '0.0 % (household_2025)',
      '0.0 %',
    ])
    assert.deepEqual(row('strict').slice(1, 4), [
      '50.0 % (household_2025)',
      '50.0 %',
      '100.0 % (household_2025)',
    ])
  })

  it('counts what is escalated as a share of the errors, and errors as a share of what is escalated', () => {
    assert.equal(
      row('errors that are escalated, of all errors, modern sources alike')[2],
      '**100.0 %**',
    )
    assert.equal(row('errors among what is escalated, modern sources alike')[2], '**100.0 %**')
  })

  it('puts another filter beside ours, on the messages it was asked about', () => {
    assert.deepEqual(row('A & B <filter>, rules').slice(1, 2), ['0.0 %'])
    assert.equal(row('none, trained (not installed)')[1], '–')
  })
})
