/** The sentences of a text, each with what is left of the text without it. */

export interface LeftOut {
  readonly sentence: string
  readonly rest: string
}

/** Sentences that are left out in turn, from the first: each costs a reading, and a person wants the strongest few. */
const SENTENCES_MAX = 8

/** Characters of a sentence that are shown; a text without a full stop is one sentence. */
const SHOWN_LENGTH_MAX = 200

/** Where sentences end by the rules of Unicode (UAX #29), which need no language. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'sentence' })

/** @param text of bounded length. */
export function leavingOutEach(text: string): LeftOut[] {
  const sentences: LeftOut[] = []
  for (const { segment, index } of SEGMENTER.segment(text)) {
    const sentence = segment.trim()
    if (sentence === '') continue
    sentences.push({
      sentence: sentence.slice(0, SHOWN_LENGTH_MAX).toWellFormed(),
      rest: text.slice(0, index) + text.slice(index + segment.length),
    })
    if (sentences.length === SENTENCES_MAX) break
  }
  return sentences
}
