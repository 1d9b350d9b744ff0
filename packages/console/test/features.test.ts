/** What the reasons are called in Try: as in the header fields, the history and the log. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { SIGNAL_NAMES } from '../../mail/signals/table.ts'
import { reasonDescription } from '../../mail/verdict/reasons.ts'
import type { Contribution } from '../api.ts'
import { loadClauses } from '../clauses.ts'
import { featureName } from '../try/features.ts'

const label = (term: Contribution) => featureName(term).label

const TABLE = new URL('../../mail/signals/signals.tsv', import.meta.url)

describe('featureName', () => {
  before(() => loadClauses(() => readFile(TABLE, 'utf8')))

  it('has the words of all other places for every signal', () => {
    for (const name of SIGNAL_NAMES) {
      assert.equal(
        `${label({ kind: 'meta', name, value: 1, logit: 1 })}.`,
        reasonDescription({ name }),
      )
    }
  })

  it('has them for what is no signal', () => {
    const told = { TAMIS_GTUBE: 'gtube', TAMIS_BASE: 'baseline' } as const
    for (const [name, kind] of Object.entries(told)) {
      assert.equal(`${label({ kind, logit: 1 })}.`, reasonDescription({ name }))
    }
  })

  it('has the words in one line, those that speak as all of them do', () => {
    const word = (text: string, logit: number) =>
      ({ span: { view: 'message', kind: 'word', text }, logit }) as const
    const words = [word('kindly', 0.9), word('meeting', -0.4), word('business', 0.3)]
    const term = { kind: 'wording', count: 40, logit: 1.4, words } as const
    const { label: named, quoted } = featureName(term)
    assert.deepEqual([named, quoted], ['The wording', ['kindly', 'business']])
  })

  it('says which part of a message reads most like spam', () => {
    assert.equal(
      label({ kind: 'reading', reading: 'stretch', logit: -1 }),
      'It is one passage that reads most like spam, not the whole message',
    )
  })
})
