/** The sentence that says what a message is, and why; and which reasons it is made from. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { SIGNAL_NAMES } from '../../signals/table.ts'
import type { Reason } from '../../verdict/reasons.ts'
import {
  listedReasons,
  namedReasons,
  REASONS_MAX,
  sentenceOf,
  sentenceText,
} from '../../verdict/sentence.ts'
import type { BypassReason } from '../../verdict/verdict.ts'

const THRESHOLD = 0.95

const WORDING = { name: 'TAMIS_TEXT', points: 3 }
const HIDDEN = { name: 'RECIPIENTS_UNDISCLOSED', points: 2 }
const FORM = { name: 'TAMIS_FORM', points: 4 }
const MIXED: readonly Reason[] = [
  ...[WORDING, HIDDEN, { name: 'LINK_TEXT_OTHER_HOST', points: 1.5 }],
  ...[
    { name: 'LINK_IP_HOST', points: 1.2 },
    { name: 'QUOTED_REPLY', points: -0.9 },
  ],
  { name: 'KNOWN_FROM_SIGNED', points: -1.4 },
]

const fortune = (points: number) => ({ name: 'FORTUNE_MENTIONED', points })
const REPORTED = {
  feedbackId: '2d94fd2c',
  label: 'spam',
  createdAt: new Date('2026-11-02T21:30:00Z'),
  claimedDomain: 'pay.example',
}
const remembered = (more: object = {}) => [
  { name: 'TAMIS_USER_MEMORY', points: 9, correction: { ...REPORTED, ...more } },
]
const learned = { ...REPORTED, label: 'ham' }

// biome-ignore format: a row each
const CASES: readonly (readonly [what: string, probability: number, reasons: readonly Reason[], by: BypassReason | null, sentence: string])[] = [
  ['names two topics, first what everybody understands', 0.96, MIXED, null, 'Probably spam: a link shows one address and leads to another, and its wording is typical of spam.'],
  ['names what speaks against spam where it is none', 0.01, MIXED, null, 'Almost certainly not spam: it claims to come from shop.example.com (not checked), and it quotes another message.'],
  ['says that what is suspicious is delivered', 0.6, [HIDDEN], null, 'Suspicious, under your limit of 95.0 %: delivered, although the recipients are hidden.'],
  ['says how near the limit it is', 0.94, [], null, 'Suspicious, just under your limit of 95.0 %: delivered, although many small reasons together speak for spam.'],
  ['says what came of a claim that was checked', 0.2, [{ name: 'KNOWN_FROM_SIGNED', points: -1.4, claim: 'proved' }], null, 'Probably not spam: it comes from shop.example.com.'],
  ['names a fact in place of the words together', 0.96, [WORDING, fortune(0.9)], null, 'Probably spam: it mentions millions.'],
  ['names the words where the fact is weak', 0.96, [WORDING, fortune(0.4)], null, 'Probably spam: its wording is typical of spam.'],
  ['says how it is built where there is nothing else', 0.96, [FORM], null, 'Probably spam: it is built like spam.'],
  ['says nothing of how it is built beside anything else', 0.96, [FORM, HIDDEN], null, 'Probably spam: the recipients are hidden.'],
  ['names no fact about the form that speaks for neither side', 0.2, [{ name: 'HTML_TABLE_LAYOUT', points: -2 }], null, 'Probably not spam: many small reasons together.'],
  ['names a virus', 1, [{ name: 'TAMIS_VIRUS', points: 40, signature: 'Win.X-1' }], null, 'Almost certainly spam: it carries Win.X-1, which ClamAV knows.'],
  ['names a rule of the operator', 0.999, [{ name: 'TAMIS_RULE_FAX', points: 6 }], null, "Almost certainly spam: the operator's rule FAX holds."],
  ['says that a list has the message', 0.999, [{ name: 'TAMIS_LIST_ZEN', points: 4 }], null, 'Almost certainly spam: a DNS list names a domain or IP address of the message.'],
  ['says that a rule decided', 1, [{ name: 'TAMIS_USER_RULE', points: 20 }, ...MIXED], 'user_rule', 'Spam: decided by a rule of the recipient.'],
  ['says that a rule of the operator decided', 0, [{ name: 'TAMIS_OPERATOR_RULE', points: -20 }], 'user_rule', 'Not spam: a rule of the operator allows it.'],
  ['says that the memory decided', 0.94, [{ name: 'TAMIS_USER_MEMORY', points: -3 }], 'knn_memory', 'Not spam: the recipient has marked mail like this as not spam.'],
  ['says that a feed decided', 1, MIXED, 'phishtank_match', 'Spam: a link is in a feed of malicious addresses.'],
  ['names the correction that decided', 0.999, remembered(), 'knn_memory', 'Spam: on 2026-11-02 the recipient marked mail from pay.example as spam, and this is like it.'],
  ['names its authenticated domain', 0.999, remembered({ authenticatedDomain: 'shop.example' }), 'knn_memory', 'Spam: on 2026-11-02 the recipient marked mail from shop.example as spam, and this is like it.'],
  ['names no domain of endless length', 0.999, remembered({ claimedDomain: `${'a'.repeat(60)}.example` }), 'knn_memory', 'Spam: on 2026-11-02 the recipient marked mail from an unknown sender as spam, and this is like it.'],
  ['names the correction of which the models of the recipient have most', 0.01, [{ name: 'TAMIS_USER_LEARNED', points: -2, correction: learned }], null, 'Almost certainly not spam: on 2026-11-02 the recipient marked mail from pay.example as not spam, and this has something in common with it.'],
  ['says that only part was read', 0.96, [HIDDEN], 'parse_error', 'Probably spam, read only in part: the recipients are hidden.'],
]

describe('the sentence', () => {
  for (const [what, spamProbability, reasons, bypassReason, expected] of CASES) {
    it(what, () => {
      const isSpam = spamProbability > THRESHOLD
      const judged = { isSpam, spamProbability, threshold: THRESHOLD, bypassReason }
      assert.equal(sentenceText(sentenceOf(judged, reasons, 'shop.example.com')), expected)
    })
  }
})

describe('the reasons in a list', () => {
  it('are at most five, from which the sentence names what it names from all', () => {
    const names = [...SIGNAL_NAMES, 'TAMIS_TEXT', 'TAMIS_FORM', 'TAMIS_USER_LEARNED']
    const pair = fc.tuple(fc.constantFrom(...names), fc.integer({ min: -400, max: 400 }))
    const pairs = fc.uniqueArray(pair, { selector: ([name]) => name, maxLength: 30 })
    fc.assert(
      fc.property(pairs, fc.boolean(), (chosen, forSpam) => {
        const reasons = chosen.map(([name, share], at) => ({
          name,
          points: share / 100 + at * 1e-6,
        }))
        const told = listedReasons(reasons, forSpam)
        assert.ok(told.length <= REASONS_MAX)
        assert.deepEqual(namedReasons(told, forSpam), namedReasons(reasons, forSpam))
      }),
    )
  })

  it('have a weaker reason of another topic in place of the fifth strongest', () => {
    const links = ['LINK_IP_HOST', 'LINK_PORT', 'LINK_DATA', 'LINK_FILE', 'LINK_SCRIPT']
    const reasons = links.map((name) => ({ name, points: 2 }))
    const told = listedReasons([...reasons, { name: 'DKIM_NONE', points: 0.3 }], true)
    assert.deepEqual(
      told.map(({ name }) => name),
      [...links.slice(0, 4), 'DKIM_NONE'],
    )
  })
})
