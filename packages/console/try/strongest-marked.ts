/** A message with only its strongest words marked: with every word marked, none stands out. */
import type { Mark, MarkedMessage, MarkedText } from '../../mail/verdict/marked-message.ts'

/** Different words that are marked, those of the subject included. */
export const MARKED_WORDS = 10

/** `message` with the marks of its strongest words alone, at each place where they have the same sign. */
export function strongestMarked({ subject, body }: MarkedMessage): MarkedMessage {
  const strongest = new Map<string, number>()
  const all = [subject, body].flatMap((text) => text.marks.map((mark) => ({ mark, text })))
  for (const { mark, text } of all.toSorted((a, b) => strength(b.mark) - strength(a.mark))) {
    if (strongest.size === MARKED_WORDS) break
    const word = wordOf(text, mark)
    if (!strongest.has(word)) strongest.set(word, Math.sign(mark.logit))
  }
  const isStrong = (text: MarkedText) => (mark: Mark) =>
    strongest.get(wordOf(text, mark)) === Math.sign(mark.logit)
  return {
    subject: { ...subject, marks: subject.marks.filter(isStrong(subject)) },
    body: { ...body, marks: body.marks.filter(isStrong(body)) },
  }
}

function strength({ logit }: Mark): number {
  return Math.abs(logit)
}

function wordOf({ text }: MarkedText, { start, end }: Mark): string {
  return text.slice(start, end).toLowerCase()
}
