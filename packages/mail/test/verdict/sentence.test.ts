/** The sentence that says what a message is, and why. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Reason } from '../../verdict/reasons.ts'
import { sentenceOf, sentenceText } from '../../verdict/sentence.ts'
import type { BypassReason } from '../../verdict/verdict.ts'

const THRESHOLD = 0.95

/** The sentence for a verdict of this probability. */
function said(
  spamProbability: number,
  reasons: readonly Reason[],
  bypassReason: BypassReason | null = null,
): string {
  const isSpam = spamProbability > THRESHOLD
  const judged = { isSpam, spamProbability, threshold: THRESHOLD, bypassReason }
  return sentenceText(sentenceOf(judged, reasons, 'shop.example.com'))
}

const REASONS: readonly Reason[] = [
  { name: 'TAMIS_TEXT', points: 3 },
  { name: 'RECIPIENTS_UNDISCLOSED', points: 2 },
  { name: 'LINK_TEXT_OTHER_HOST', points: 1.5 },
  { name: 'LINK_IP_HOST', points: 1.2 },
  { name: 'QUOTED_REPLY', points: -0.9 },
  { name: 'KNOWN_FROM_SIGNED', points: -1.4 },
]

describe('sentenceOf', () => {
  it('names the two strongest topics, one reason of each, first what everybody understands', () => {
    assert.equal(
      said(0.96, REASONS),
      'Probably spam: a link shows one address and leads to another, and its wording is typical of spam.',
    )
  })

  it('names what speaks against spam where it is none', () => {
    assert.equal(
      said(0.01, REASONS),
      'Almost certainly not spam: it claims to come from shop.example.com (not checked), and it quotes another message.',
    )
  })

  it('says of what is suspicious why it is, how near the limit it is, and that it is delivered', () => {
    assert.equal(
      said(0.94, REASONS.slice(1, 2)),
      'Suspicious, just under your limit of 95.0 %: delivered, although the recipients are hidden.',
    )
    assert.equal(
      said(0.6, REASONS.slice(1, 2)),
      'Suspicious, under your limit of 95.0 %: delivered, although the recipients are hidden.',
    )
    assert.equal(
      said(0.94, []),
      'Suspicious, just under your limit of 95.0 %: delivered, although many small reasons together speak for spam.',
    )
  })

  it('says of a claim that was checked what came of it', () => {
    const claim = { name: 'KNOWN_FROM_SIGNED', points: -1.4, claim: 'proved' } as const
    assert.equal(said(0.2, [claim]), 'Probably not spam: it comes from shop.example.com.')
  })

  it('names a fact that counts for something in place of the words together', () => {
    const fact = { name: 'FORTUNE_MENTIONED', points: 0.9 }
    assert.equal(said(0.96, [REASONS[0]!, fact]), 'Probably spam: it mentions millions.')
    const weak = { name: 'FORTUNE_MENTIONED', points: 0.4 }
    assert.equal(said(0.96, [REASONS[0]!, weak]), 'Probably spam: its wording is typical of spam.')
  })

  it('says how the message is built only where there is nothing else', () => {
    const form = { name: 'TAMIS_FORM', points: 4 }
    assert.equal(said(0.96, [form]), 'Probably spam: it is built like spam.')
    assert.equal(said(0.96, [form, REASONS[1]!]), 'Probably spam: the recipients are hidden.')
  })

  it('names no fact about the form that speaks for neither side', () => {
    const form = { name: 'HTML_TABLE_LAYOUT', points: -2 }
    assert.equal(said(0.2, [form]), 'Probably not spam: many small reasons together.')
  })

  it('says who decided in place of the models', () => {
    assert.equal(
      said(1, [{ name: 'TAMIS_USER_RULE', points: 20 }, ...REASONS], 'user_rule'),
      'Spam: decided by a rule of the recipient.',
    )
    assert.equal(
      said(0, [{ name: 'TAMIS_OPERATOR_RULE', points: -20 }], 'user_rule'),
      'Not spam: a rule of the operator allows it.',
    )
    assert.equal(
      said(0.94, [{ name: 'TAMIS_USER_MEMORY', points: -3 }], 'knn_memory'),
      'Not spam: the recipient has marked mail like this as not spam.',
    )
    assert.equal(
      said(1, REASONS, 'phishtank_match'),
      'Spam: a link is in a feed of malicious addresses.',
    )
  })

  it('names the correction that decided: when, of whose mail, as what', () => {
    const correction = {
      feedbackId: '2d94fd2c',
      label: 'spam',
      createdAt: new Date('2026-11-02T21:30:00Z'),
      claimedDomain: 'pay.example',
    }
    const by = (more: object) =>
      said(
        0.999,
        [{ name: 'TAMIS_USER_MEMORY', points: 9, correction: { ...correction, ...more } }],
        'knn_memory',
      )
    assert.equal(
      by({}),
      'Spam: on 2026-11-02 the recipient marked mail from pay.example as spam, and this is like it.',
    )
    assert.match(by({ authenticatedDomain: 'shop.example' }), / mail from shop\.example as spam/)
    assert.match(by({ claimedDomain: undefined }), / mail from an unknown sender as spam/)
    assert.match(by({ claimedDomain: `${'a'.repeat(60)}.example` }), / from an unknown sender /)
  })

  it('names the correction that the models of the recipient have most of', () => {
    const createdAt = new Date('2026-11-02')
    const correction = { feedbackId: '1', label: 'ham', createdAt, claimedDomain: 'shop.example' }
    assert.equal(
      said(0.01, [{ name: 'TAMIS_USER_LEARNED', points: -2, correction }]),
      'Almost certainly not spam: on 2026-11-02 the recipient marked mail from shop.example as not spam, and this has something in common with it.',
    )
  })

  it('says that only part of the message was read', () => {
    assert.equal(
      said(0.96, REASONS.slice(1, 2), 'parse_error'),
      'Probably spam, read only in part: the recipients are hidden.',
    )
  })
})
