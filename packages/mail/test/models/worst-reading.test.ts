/** Which reading counts, with models that know a few words. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { META_FEATURE_NAMES, META_NUMBERING } from '../../features/meta-features.ts'
import { TEXT_FEATURES_SIZE, textFeatures } from '../../features/text-features.ts'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'
import { spamContributions } from '../../models/contributions.ts'
import type { LogisticModel } from '../../models/logistic.ts'
import type { Models } from '../../models/models.ts'
import { type ScoredReading, worstReading } from '../../models/worst-reading.ts'
import { signals } from '../../signals/signals.ts'

const OFFER =
  'winner lottery million transfer agent prize claim fee urgent beneficiary fund bank ' +
  'winner lottery million transfer agent prize claim fee urgent beneficiary fund bank'
const NOTES =
  'committee roof library tiles autumn meeting minutes agenda chairman garden school paint ' +
  'committee roof library tiles autumn meeting minutes agenda chairman garden school paint'
/** Words that the models do not know. */
const UNKNOWN =
  'window table harbour yellow basket engine morning ribbon copper island ladder pencil ' +
  'saddle turnip violin walnut anchor button candle donkey feather'

function parsed(text: string, subject = 'Hello', fields = 'X-Mailer: test') {
  const source = `Subject: ${subject}\r\n${fields}\r\n\r\n${text}\r\n`
  return parseMessage(memoryOctets(Buffer.from(source)))
}

/** What marks an answer speaks for innocence; a few words beside a link, for spam. */
const META_WEIGHTS: Readonly<Record<string, number>> = {
  SUBJECT_REPLY: -100,
  REPLY_REFERENCED: -100,
  MIME_TINY_WITH_LINK: 100,
  'words 32-63': 100,
}

/** For the words of the offer, against those of the notes three times as much. */
function modelsOf(): Models {
  const integers = new Int16Array(TEXT_FEATURES_SIZE)
  for (const index of textFeatures(parsed(NOTES)).vector.indices) integers[index] = -300
  for (const index of textFeatures(parsed(OFFER)).vector.indices) integers[index] = 100
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
  it('is the whole where there is no other', () => {
    const { whole, decided } = worst(OFFER)
    assert.equal(decided, whole)
  })
  it('is the worst where innocent text stands beside the spam', () => {
    const { whole, decided } = worst(`${OFFER}\n\n> ${NOTES} ${NOTES}`)
    assert.equal(decided.name, 'own')
    assert.ok(whole.spam.probability < 0.5 && decided.spam.probability > 0.9)
  })
  it('is the whole where all readings are innocent', () => {
    const { decided } = worst(`${NOTES}\n\n> ${NOTES} ${NOTES}`)
    assert.equal(decided.name, 'whole')
  })
  it('gives no credit to what marks an answer, in the words above its quotation', () => {
    const { decided } = worst(
      `${OFFER}\n\n> ${NOTES} ${NOTES}`,
      'Re: Hello',
      'In-Reply-To: <1@example.com>',
    )
    assert.equal(decided.name, 'own')
    const names = decided.signals.map(({ name }) => name)
    assert.ok(!names.includes('SUBJECT_REPLY') && !names.includes('REPLY_REFERENCED'), `${names}`)
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
  it('is the whole where the worst is no spam by any preset', () => {
    const { whole, decided } = worst(`lottery ${UNKNOWN}\n\n> ${NOTES} ${NOTES}`)
    assert.equal(decided, whole)
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
      decided.margin,
    )
    const sum = terms.reduce((total, { logit }) => total + logit, 0)
    assert.ok(Math.abs(sum - decided.spam.logit) < 1e-6)
  })
})
