/** The files of texts: what a translator has to keep, and sentences in each language. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SIGNAL_NAMES } from '../../signals/signals.ts'
import { isClaim } from '../../verdict/clauses.ts'
import german from '../../verdict/languages/de.json' with { type: 'json' }
import english from '../../verdict/languages/en.json' with { type: 'json' }
import spanish from '../../verdict/languages/es.json' with { type: 'json' }
import french from '../../verdict/languages/fr.json' with { type: 'json' }
import { ENGLISH, textsIn } from '../../verdict/languages/languages.ts'
import { reasonDescription } from '../../verdict/reason-descriptions.ts'
import { sentenceOf, sentenceText } from '../../verdict/sentence.ts'
import { completed, LANGUAGES, type Language, say, type Texts } from '../../verdict/texts.ts'

type TextsFile = Readonly<Record<string, string>>

const FILES: Readonly<Record<Language, TextsFile>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
}

/** Texts that are told in English in another language: none so far. A translator may add some here. */
const FALLEN_BACK: Readonly<Record<Language, readonly string[]>> = {
  en: [],
  de: [],
  fr: [],
  es: [],
}

function placeholders(text: string | undefined): string[] {
  return [...(text ?? '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name!.toLowerCase()).toSorted()
}

/** The sentence for a verdict with a threshold of 95 %, on mail of shop.example.com. */
function said(language: Language, spamProbability: number, ...names: readonly string[]): string {
  const texts = textsIn(language)
  const isSpam = spamProbability > 0.95
  const judged = { isSpam, spamProbability, threshold: 0.95, bypassReason: null }
  const points = spamProbability > 0.5 ? 2 : -2
  const reasons = names.map((name) => ({ name, points }))
  return sentenceText(texts, sentenceOf(texts, judged, reasons, 'shop.example.com'))
}

describe('the English texts', () => {
  it('have one for every signal', () => {
    const missing = SIGNAL_NAMES.filter((name) => !(`signal.${name}` in english || isClaim(name)))
    assert.deepEqual(missing, [])
  })

  it('have none for a signal that there is not', () => {
    const names: readonly string[] = SIGNAL_NAMES
    const signals = Object.keys(english).filter((key) => key.startsWith('signal.'))
    assert.deepEqual(
      signals.filter((key) => !names.includes(key.slice('signal.'.length))),
      [],
    )
  })
})

for (const language of LANGUAGES) {
  describe(`the texts in ${language}`, () => {
    const texts = FILES[language]

    it('have no key that English lacks, and fall back to it only where that is known', () => {
      assert.deepEqual(
        Object.keys(texts).filter((key) => !(key in english)),
        [],
      )
      assert.deepEqual(
        Object.keys(english).filter((key) => !(key in texts)),
        FALLEN_BACK[language],
      )
    })

    it('have the placeholders of the English ones', () => {
      for (const [key, text] of Object.entries(texts)) {
        assert.deepEqual(placeholders(text), placeholders((english as TextsFile)[key]), key)
      }
    })

    it('have no semicolon and no quotation mark, by which header fields tell reasons apart', () => {
      assert.deepEqual(
        Object.entries(texts).filter(([, text]) => /[;"„“”«»]/.test(text)),
        [],
      )
    })

    it('have clauses without a stop and sentences with one', () => {
      const isClause = (key: string) => /^(?:signal|spam|ham|sides|sender|small)\./.test(key)
      const isSentence = (key: string) => /^(?:reason|tie|checks)\./.test(key)
      for (const [key, text] of Object.entries(texts)) {
        if (isClause(key)) assert.doesNotMatch(text, /[.:]$|^\s|\s$/, key)
        if (isSentence(key)) assert.match(text, /^\p{Lu}.*\.$/u, key)
      }
    })
  })
}

describe('a text that a language lacks', () => {
  it('is told in English', () => {
    const { 'signal.LINK_IP_HOST': _, ...others } = german
    const texts: Texts = completed(ENGLISH, others)
    const described = (name: string) => reasonDescription(texts, { name })
    assert.equal(described('LINK_IP_HOST'), 'A link leads to a bare IP address.')
    assert.equal(described('SUBJECT_EMPTY'), 'Der Betreff ist leer.')
  })
})

describe('a sentence', () => {
  it('is grammatical in German', () => {
    assert.equal(
      said('de', 0.99, 'LINK_IP_HOST', 'RECIPIENTS_UNDISCLOSED'),
      'Wahrscheinlich Spam: Ein Link führt zu einer bloßen IP-Adresse, und die Empfänger sind verborgen.',
    )
    assert.equal(
      said('de', 0.9, 'RECIPIENTS_UNDISCLOSED'),
      'Verdächtig, knapp unter Ihrem Grenzwert von 95,0\u00a0%: zugestellt, aber die Empfänger sind verborgen.',
    )
    assert.equal(
      said('de', 0.01, 'KNOWN_FROM_SIGNED'),
      'Mit großer Sicherheit kein Spam: Die Nachricht kommt angeblich von shop.example.com (nicht geprüft).',
    )
  })

  it('is grammatical in French', () => {
    assert.equal(
      said('fr', 0.99, 'LINK_IP_HOST', 'RECIPIENTS_UNDISCLOSED'),
      'Probablement du spam\u00a0: un lien mène à une simple adresse IP, et les destinataires sont cachés.',
    )
    assert.equal(
      said('fr', 0.9, 'RECIPIENTS_UNDISCLOSED'),
      'Suspect, juste sous votre limite de 95,0\u202f%\u00a0: remis, mais les destinataires sont cachés.',
    )
    assert.equal(
      said('fr', 0.01, 'KNOWN_FROM_SIGNED'),
      'Presque certainement pas du spam\u00a0: le message prétend venir du domaine shop.example.com (non vérifié).',
    )
  })

  it('is grammatical in Spanish', () => {
    assert.equal(
      said('es', 0.99, 'LINK_IP_HOST', 'RECIPIENTS_UNDISCLOSED'),
      'Probablemente es spam: un enlace lleva a una simple dirección IP, y los destinatarios están ocultos.',
    )
    assert.equal(
      said('es', 0.9),
      'Sospechoso, justo por debajo de su límite del 95,0\u00a0%: entregado, pero muchas razones pequeñas juntas apuntan a spam.',
    )
    assert.equal(
      said('es', 0.01, 'KNOWN_FROM_SIGNED'),
      'Casi con seguridad no es spam: el mensaje dice proceder de shop.example.com (sin comprobar).',
    )
  })

  it('has a value as it is, whatever is in it', () => {
    const text = say(ENGLISH, 'reason.list', { list: '$&', meaning: '{list}' })
    assert.equal(text, 'The DNS list $& names a domain or IP address of the message: {list}.')
  })
})
