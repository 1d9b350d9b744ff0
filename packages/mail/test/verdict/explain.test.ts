/** Which terms are shown, and that the sum stays. Values worked by hand. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ModelTerm, TextTerm } from '../../models/contributions.ts'
import { confirmableTerms } from '../../verdict/explain.ts'
import { believedTerms, onlyOfReading } from '../../verdict/wording.ts'
import { parsed } from '../helpers/parsed.ts'

const MESSAGE = parsed('From: ann@example.com\n\nKindly pay\n')

function word(text: string, logit: number): TextTerm {
  return { kind: 'text', span: { view: 'message', kind: 'word', text }, value: 1, logit }
}

function meta(name: string, logit: number): ModelTerm {
  return { kind: 'meta', name, value: 1, logit }
}

const BASELINE: ModelTerm = { kind: 'baseline', logit: -3 }

describe('believedTerms', () => {
  it('has all words as one term, with those that mean something', () => {
    const terms = [word('kindly', 1), word('the', 0.75), word('for', -0.25), BASELINE]
    assert.deepEqual(believedTerms(terms, MESSAGE, new Set(), 9), [
      {
        kind: 'wording',
        logit: 1.5,
        count: 3,
        words: [{ span: { view: 'message', kind: 'word', text: 'kindly' }, logit: 1 }],
      },
      BASELINE,
    ])
  })

  it('has one term for what is not believed, what is not true of the message, and what is too weak, so that the sum stays', () => {
    const terms = [
      meta('LINK_IP_HOST', 2),
      meta('HTML_TRACKING_PIXEL', -1),
      meta('MIME_PLAIN_ONLY', 0.5),
      meta('links 2-3', 0.25),
      BASELINE,
    ]
    assert.deepEqual(believedTerms(terms, MESSAGE, new Set(['MIME_PLAIN_ONLY']), 1), [
      meta('LINK_IP_HOST', 2),
      { kind: 'rest', count: 3, logit: -0.25 },
      BASELINE,
    ])
  })
})

describe('confirmableTerms', () => {
  const terms = [meta('KNOWN_FROM_SIGNED', -1), meta('LINK_IP_HOST', 2), BASELINE]

  it('puts what a sender claims in its favour into the rest where checks do not confirm it', () => {
    assert.deepEqual(confirmableTerms(terms, 'unproved'), [
      meta('LINK_IP_HOST', 2),
      BASELINE,
      { kind: 'rest', count: 1, logit: -1 },
    ])
  })

  it('changes nothing where nothing was checked', () => {
    assert.deepEqual(confirmableTerms(terms, 'unchecked'), terms)
  })
})

describe('onlyOfReading', () => {
  it('names how a part is made that was judged, where the message is made in another way', () => {
    const signals = (...names: string[]) => ({ signals: names.map((name) => ({ name })) as never })
    const whole = signals('HTML_TABLE_LAYOUT', 'MIME_HTML_ONLY')
    const part = signals('MIME_PLAIN_ONLY', 'MIME_HTML_ONLY', 'WORDS_GAPPY')
    assert.deepEqual([...onlyOfReading(whole, part)], ['MIME_PLAIN_ONLY'])
  })
})
