/** In which language the service tells of a verdict. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { eventually } from '../../../../test/eventually.ts'
import { languageOf } from '../../http/language.ts'
import { build, buildOnce, LOTTERY, post } from './service.ts'

const GERMAN = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }

describe('languageOf', () => {
  for (const [accepted, own, language] of [
    [undefined, 'en', 'en'],
    [undefined, 'fr', 'fr'],
    ['*', 'es', 'es'],
    ['', 'fr', 'fr'],
    ['de', 'en', 'de'],
    ['de-AT,de;q=0.9,en;q=0.5', 'en', 'de'],
    ['en;q=0.3, FR;q=0.8', 'en', 'fr'],
    ['nl, es;q=0.2', 'en', 'es'],
    ['nl, *;q=0.2', 'fr', 'fr'],
    ['nl', 'de', 'de'],
    ['de;q=0, fr;q=0.1', 'en', 'fr'],
    [';;;,,q=1', 'en', 'en'],
    [`${'x-y,'.repeat(2_000)}de`, 'en', 'en'],
  ] as const) {
    it(`is ${language} for ${JSON.stringify(accepted?.slice(0, 30))} where the service speaks ${own}`, () => {
      const headers = accepted === undefined ? {} : { 'accept-language': accepted }
      assert.equal(languageOf({ headers }, own), language)
    })
  }
})

describe('an answer about a verdict', () => {
  const app = buildOnce()

  it('is in the language asked for, and says so to caches', async () => {
    const { headers, ...asked } = await post(app(), '/classify-stream/reasons', LOTTERY, GERMAN)
    const { sentence, reasons } = asked.json()
    assert.equal(headers['content-language'], 'de')
    assert.equal(headers['vary'], 'Accept-Language')
    assert.match(sentence, /Spam: [A-ZÄÖÜ]/)
    const words = reasons.find(({ name }: { name: string }) => name === 'TAMIS_TEXT')
    assert.equal(words.description, 'Die Wortwahl.')
  })

  it('differs in its texts alone', async () => {
    const inEnglish = (await post(app(), '/classify-stream/reasons', LOTTERY)).json()
    const inFrench = (
      await post(app(), '/classify-stream/reasons', LOTTERY, { 'accept-language': 'fr' })
    ).json()
    const withoutTexts = ({ sentence: _, reasons, ...rest }: typeof inEnglish) => ({
      ...rest,
      reasons: reasons.map(({ description, ...reason }: { description: string }) => reason),
    })
    assert.deepEqual(withoutTexts(inFrench), withoutTexts(inEnglish))
    assert.notEqual(inFrench.sentence, inEnglish.sentence)
  })

  it('has the sentence in English for log lines in a summary', async () => {
    const headers = { ...GERMAN, 'x-summary': 'true', 'x-user-ids': '["ann"]' }
    const { summary } = (await post(app(), '/classify-stream/recipients', LOTTERY, headers)).json()
    assert.match(summary.sentence, /Spam: [A-ZÄÖÜ]/)
    assert.match(summary.sentenceInEnglish, /spam: (?:a|it|its|the) /)
    const { 'accept-language': _, ...unsaid } = headers
    const english = (await post(app(), '/classify-stream/recipients', LOTTERY, unsaid)).json()
    assert.equal(english.summary.sentence, summary.sentenceInEnglish)
    assert.equal('sentenceInEnglish' in english.summary, false)
  })

  it('is in that language in the diagnostic and under Live', async () => {
    const shown = (await post(app(), '/classify/diagnostic-stream', LOTTERY, GERMAN)).json()
    assert.match(shown.explanation.sentence.verdict, /Spam$/)
    assert.match(shown.explanation.sentence.reasons, /^[A-ZÄÖÜ]/)
    const live = await app().inject({ url: '/stats/recent/messages', headers: GERMAN })
    assert.equal(live.headers['content-language'], 'de')
    assert.match(live.json().messages[0].sentence, /Spam: [A-ZÄÖÜ]/)
  })

  it('is in English where it is an error', async () => {
    const headers = { ...GERMAN, 'x-user-id': 'a'.repeat(300) }
    const refused = await post(app(), '/classify-stream/reasons', LOTTERY, headers)
    assert.equal(refused.statusCode, 400)
    assert.equal(refused.headers['content-language'], undefined)
  })
})

describe('TAMIS_LANGUAGE', () => {
  it('is the language of who asks for none', async (t) => {
    const { app } = await build(t, { config: { language: 'es', historyDays: 30 } })
    const spoken = async (headers: Record<string, string>) => {
      const { headers: answered } = await post(app, '/classify-stream/reasons', LOTTERY, headers)
      return `${answered['content-language']}`
    }
    assert.equal(await spoken({}), 'es')
    assert.equal(await spoken({ 'accept-language': '*' }), 'es')
    assert.equal(await spoken({ 'accept-language': 'en-GB' }), 'en')
  })
})

describe('the history', () => {
  it('is told in the language of who reads it', async (t) => {
    const { app } = await build(t, { config: { historyDays: 30 } })
    await post(app, '/classify-stream', LOTTERY, { 'accept-language': 'es' })
    const read = async (service: FastifyInstance, headers = {}) =>
      (await service.inject({ url: '/history', headers })).json().entries
    await eventually(async () => (await read(app)).length === 1, 'There is no entry', 5_000)
    const [inGerman] = await read(app, GERMAN)
    const [inEnglish] = await read(app)
    assert.match(inGerman.sentence, /Spam: [A-ZÄÖÜ]/)
    assert.match(inEnglish.sentence, /spam: [a-z]/)
    const named = (entry: { reasons: { name: string; points: number }[] }) =>
      entry.reasons.map(({ name, points }) => [name, points])
    assert.deepEqual(named(inGerman), named(inEnglish))
  })
})
