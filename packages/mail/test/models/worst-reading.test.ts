/** Which reading counts, with models that know a few words. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NOTHING_COMMON } from '../../features/common-text.ts'
import { META_FEATURE_NAMES, META_NUMBERING } from '../../features/meta-features.ts'
import { TEXT_FEATURES_SIZE, textFeatures } from '../../features/text-features.ts'
import { spamContributions } from '../../models/contributions.ts'
import type { LogisticModel } from '../../models/logistic.ts'
import { fuse, type Models } from '../../models/models.ts'
import { type ScoredReading, worstReading } from '../../models/worst-reading.ts'
import { signals } from '../../signals/signals.ts'
import { parsed as parsedText } from '../helpers/parsed.ts'

const OFFER =
  'winner lottery million transfer agent prize claim fee urgent beneficiary fund bank ' +
  'winner lottery million transfer agent prize claim fee urgent beneficiary fund bank'
const NOTES =
  'committee roof library tiles autumn meeting minutes agenda chairman garden school paint ' +
  'committee roof library tiles autumn meeting minutes agenda chairman garden school paint'
const LONG_OFFER = `${OFFER} ${OFFER} ${OFFER}`
/** Words that the models do not know. */
const UNKNOWN =
  'window table harbour yellow basket engine morning ribbon copper island ladder pencil ' +
  'saddle turnip violin walnut anchor button candle donkey feather'

const OFFER_BEFORE_QUOTATION = `${OFFER}\n\n> ${NOTES} ${NOTES}`

function parsed(text: string, subject = 'Hello', fields = 'X-Mailer: test') {
  const source = `Subject: ${subject}\r\n${fields}\r\n\r\n${text}\r\n`
  return parsedText(source)
}

/** What marks an answer speaks for innocence; a few words beside a link, for spam. */
const META_WEIGHTS: Readonly<Record<string, number>> = {
  SUBJECT_REPLY: -100,
  REPLY_REFERENCED: -100,
  MIME_TINY_WITH_LINK: 100,
  'words 32-63': 100,
}

/** A display name that the models know: it is the same in all readings. */
const SENDER = 'From: Prize Claims <a@example.com>'

/** For the words of the offer and SENDER, against those of the notes three times as much. What is in `fusion` replaces a weight of one or a bias of nothing. */
function modelsOf(fusion: Partial<Models['fusion']> = {}): Models {
  const integers = new Int16Array(TEXT_FEATURES_SIZE)
  for (const index of textFeatures(parsed(NOTES)).vector.indices) integers[index] = -300
  for (const index of textFeatures(parsed(OFFER, 'Hello', SENDER)).vector.indices) {
    integers[index] = 100
  }
  const calibration = { slope: 1, intercept: 0 }
  const model = (weights: Int16Array, scale: number): LogisticModel => ({
    weights: { integers: weights, scale },
    bias: 0,
    calibration,
  })
  return {
    version: 'test',
    featureVersion: 'test',
    metaNumbering: META_NUMBERING,
    commonText: NOTHING_COMMON,
    text: model(integers, 0.02),
    meta: model(
      Int16Array.from(META_FEATURE_NAMES, (name) => META_WEIGHTS[name] ?? 0),
      0.01,
    ),
    tabs: {} as Models['tabs'],
    fusion: {
      textWeight: 1,
      metaWeight: 1,
      bias: 0,
      thresholds: { cautious: 0.95, balanced: 0.9, strict: 0.8 },
      escalation: { logitMargin: 0, disagreement: 1 },
      ...fusion,
    },
  }
}

function worst(text: string, subject?: string, fields?: string, models = modelsOf()) {
  const message = parsed(text, subject, fields)
  const found = signals(message, { now: new Date('2025-06-03T12:00:00Z') })
  return worstReading(message, found, models)
}

/** The features that say how long the text is. */
function lengthsIn({ metaVector }: ScoredReading): string[] {
  return [...metaVector.indices]
    .map((index) => META_FEATURE_NAMES[index]!)
    .filter((name) => /^(?:words|visibleCharacters|links) /.test(name))
}

describe('the reading that counts', () => {
  // biome-ignore format: a row each
  const cases: [what: string, text: string, name: string, whole: (spam: number) => boolean, ...more: [subject?: string, fields?: string]][] = [
    ['is the whole where there is no other', OFFER, 'whole', (spam) => spam > 0.9],
    ['is the worst where innocent text stands beside the spam', OFFER_BEFORE_QUOTATION, 'own', (spam) => spam < 0.5],
    ['is the whole where all readings are innocent', `${NOTES}\n\n> ${NOTES} ${NOTES}`, 'whole', (spam) => spam < 0.5],
    ['is the whole where the worst is no spam by any preset', `lottery ${UNKNOWN}\n\n> ${NOTES} ${NOTES}`, 'whole', (spam) => spam < 0.8],
    ['gives no credit to what marks an answer, in the words above its quotation', OFFER_BEFORE_QUOTATION, 'own', () => true, 'Re: Hello', 'In-Reply-To: <1@example.com>'],
  ]
  for (const [what, text, name, isWhole, ...more] of cases) {
    it(what, () => {
      const { whole, decided } = worst(text, ...more)
      assert.equal(decided.name, name)
      assert.ok(isWhole(whole.spam.probability), `${whole.spam.probability}`)
      const names = decided.signals.map((signal) => signal.name)
      assert.ok(!names.includes('SUBJECT_REPLY') && !names.includes('REPLY_REFERENCED'), `${names}`)
    })
  }

  it('lets an attached message move it by one, and says that it is spam', () => {
    const enclosing = (note: string, bias: number) => {
      const message = parsed(
        `--b\r\n\r\n${note}\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\n${LONG_OFFER}\r\n--b--`,
        'Hello',
        'Content-Type: multipart/mixed; boundary=b',
      )
      const found = signals(message, { now: new Date('2025-06-03T12:00:00Z') })
      return worstReading(message, found, modelsOf({ bias }))
    }
    const innocent = enclosing(NOTES, 0)
    assert.equal(innocent.decided, innocent.whole)
    assert.equal(innocent.enclosesSpam, true)

    const { logit } = enclosing(UNKNOWN, 0).whole.spam
    const open = enclosing(UNKNOWN, STRICT + 0.3 - logit - 1)
    assert.equal(open.decided.name, 'enclosed')
    assert.ok(Math.abs(open.decided.spam.logit - open.whole.spam.logit - 1) < 1e-9)
  })
  it('is the header of an encrypted message, for which the words of the subject do not speak', () => {
    const type = 'Content-Type: application/pkcs7-mime; smime-type=enveloped-data'
    const encrypted = worst('\x01\x02\x03', OFFER, type)
    assert.equal(encrypted.decided.name, 'header')
    assert.ok(encrypted.decided.text.logit > 1)
    assert.ok(Math.abs(encrypted.decided.spam.logit - encrypted.decided.meta.logit) < 1e-9)
  })
  it('gives no credit to what marks an answer that quotes nothing, or a line', () => {
    for (const quotation of ['', '\n\nOn Monday, Anna wrote:\n> yes']) {
      for (const field of ['In-Reply-To: <1@example.com>', 'References: <1@example.com>']) {
        const models = modelsOf({ bias: -4.8 })
        const { whole, decided } = worst(
          `${OFFER} ${OFFER}${quotation}`,
          'Re: Hello',
          field,
          models,
        )
        assert.equal(decided.name, 'unquoted')
        assert.equal(decided.margin, 0)
        assert.deepEqual(lengthsIn(decided), lengthsIn(whole))
        const names = decided.signals.map(({ name }) => name)
        assert.deepEqual(
          names.filter((name) => /REPLY|REFERENCED/.test(name)),
          [],
        )
      }
    }
  })
  it('gives it to an answer that quotes more than it says', () => {
    const quoted = `${UNKNOWN}\n\nOn Monday, Anna wrote:\n> ${OFFER}\n> ${OFFER}`
    const { logit } = worst(quoted).whole.spam
    const models = modelsOf({ bias: STRICT + 0.3 - logit })
    const { decided } = worst(quoted, 'Re: Hello', 'In-Reply-To: <1@example.com>', models)
    assert.ok(decided.signals.some(({ name }) => name === 'SUBJECT_REPLY'))
  })
  it('is a stretch of a long innocent text, which has the numbers of the whole and is not called tiny', () => {
    const offer = OFFER.replaceAll(' ', ' a ')
    const link = 'https://example.com/minutes'
    const { whole, decided } = worst(`${NOTES} ${NOTES} ${offer} ${NOTES} ${NOTES}\n\n${link}`)
    assert.equal(decided.name, 'stretch')
    assert.ok(whole.spam.probability < 0.5 && decided.spam.probability > 0.8)
    const names = decided.signals.map(({ name }) => name)
    assert.ok(!names.includes('MIME_TINY_WITH_LINK'), `${names}`)
    assert.deepEqual(lengthsIn(decided), lengthsIn(whole))
  })
  it('is the same whatever users agree about, which moves its verdict as far as it reaches and no further', () => {
    for (const delta of [-9, 9]) {
      const models = modelsOf()
      const deltas = new Float32Array(TEXT_FEATURES_SIZE + 1).fill(delta)
      const moved = { ...models, text: { ...models.text, crowd: { deltas, reach: 0.5 } } }
      // Certain spam; spam in one reading; one that is just no spam by any preset.
      for (const text of [
        OFFER,
        `${OFFER}\n\n> ${NOTES} ${NOTES}`,
        `lottery ${UNKNOWN}\n\n> ${NOTES}`,
      ]) {
        const [before, after] = [worst(text), worst(text, undefined, undefined, moved)]
        assert.equal(after.decided.name, before.decided.name)
        assert.equal(after.decided === after.whole, before.decided === before.whole)
        for (const which of ['whole', 'decided'] as const) {
          const by = after[which].spam.logit - before[which].spam.logit
          assert.ok(Math.abs(by - 0.5 * Math.sign(delta)) < 1e-9, `${text}: ${by}`)
        }
      }
    }
  })
  it('has a logit that its words and its margin add up to', () => {
    const { decided } = worst(`${OFFER}\n\n> ${NOTES} ${NOTES}`)
    assert.ok(decided.margin > 0)
    const terms = spamContributions(
      modelsOf(),
      { text: textFeatures(decided.message, true), meta: decided.metaVector },
      decided,
    )
    const sum = terms.reduce((total, { logit }) => total + logit, 0)
    assert.ok(Math.abs(sum - decided.spam.logit) < 1e-6)
  })
})

/**
 * The log-odds of the preset `strict` of these models, 0.8. A
 * bias moves the log-odds of every reading alike, so that one that is known can be put anywhere.
 */
const STRICT = Math.log(4)

/** Which reading of OFFER_BEFORE_QUOTATION counts where all its readings have `bias` more. */
function decidedWith(bias: number): string {
  return worst(OFFER_BEFORE_QUOTATION, undefined, undefined, modelsOf({ bias })).decided.name
}

describe('the log-odds at which a reading counts', () => {
  it('are above those of strict', () => {
    const { logit } = worst(OFFER_BEFORE_QUOTATION).decided.spam
    assert.equal(decidedWith(STRICT + 0.01 - logit), 'own')
    assert.equal(decidedWith(STRICT - 0.01 - logit), 'whole')
  })

  // biome-ignore format: a row each
  const readings = [
    ['whole', 0, OFFER],
    ['first', 0, `${OFFER}${'\r\n'.repeat(42)}${NOTES}`],
    ['certain', 0, `<p>${OFFER}<p style="opacity:var(--a)">${NOTES}`, 'text/html'],
    ['own', 0.4, OFFER_BEFORE_QUOTATION],
    ['stretch', 1, `${NOTES} ${NOTES} ${OFFER.replaceAll(' ', ' a ')} ${NOTES} ${NOTES}`],
    ['alternative', 0.4, `--b\r\n\r\n${OFFER}\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>${NOTES} ${NOTES}\r\n--b--`, 'multipart/alternative; boundary=b'],
    ['elsewhere', 1.5, `<img alt="${OFFER}"><p>${NOTES}`, 'text/html'],
    ['attached', 0.4, `--b\r\n\r\n${NOTES}\r\n--b\r\nContent-Disposition: attachment\r\n\r\n${OFFER}\r\n--b--`, 'multipart/mixed; boundary=b'],
  ] as const
  for (const [name, margin, text, type = 'text/plain'] of readings) {
    it(`are ${margin} less of what is read as '${name}'`, () => {
      const models = modelsOf({ textWeight: 2 })
      const { decided } = worst(text, undefined, `Content-Type: ${type}`, models)
      assert.equal(decided.name, name)
      const fused = fuse(models.fusion, decided.text, decided.meta).logit
      assert.equal(decided.spam.logit, fused - margin)
    })
  }
})
