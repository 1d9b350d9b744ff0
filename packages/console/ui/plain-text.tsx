/**
 * Text out of messages, shown and never interpreted. Preact makes text nodes of strings, so markup
 * stays text; characters that hide, or turn round what stands beside them, are shown by their number.
 */
import type { ComponentChildren } from 'preact'

/**
 * C0 and C1 controls but for tab and line feed, zero-width characters but for joiners within
 * words and emoji, and directional controls (UAX #9), with which a name like 'gnp.exe' is shown
 * turned round.
 */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/

/** Characters of one text that are shown: a header field may have a hundred thousand. */
const SHOWN_MAX = 2_000

/** Numbers told of a run of unseen characters. */
const TOLD_MAX = 3

/** `text` with unseen characters spelled out. */
export function PlainText({ text }: { readonly text: string }) {
  const isLong = text.length > SHOWN_MAX
  return <bdi>{isLong ? [spelledOut(text.slice(0, SHOWN_MAX)), ' …'] : spelledOut(text)}</bdi>
}

/** Strings and, in the place of unseen characters, their numbers. */
export function spelledOut(text: string): ComponentChildren {
  if (!UNSEEN.test(text)) return text
  const shown: ComponentChildren[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (!isUnseen(text, at)) continue
    let end = at + 1
    while (end < text.length && isUnseen(text, end)) end++
    shown.push(text.slice(start, at), <UnseenRun key={at} run={text.slice(at, end)} />)
    start = end
    at = end
  }
  return [...shown, text.slice(start)]
}

/** The CR before a line feed ends a line and hides nothing. */
function isUnseen(text: string, at: number): boolean {
  return UNSEEN.test(text[at]!) && !(text[at] === '\r' && text[at + 1] === '\n')
}

/** However many they are, they are one mark: a page of them would be of no use to anybody. */
function UnseenRun({ run }: { readonly run: string }) {
  const numbers = Array.from(run.slice(0, TOLD_MAX), (character) => {
    return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
  })
  const more = run.length > TOLD_MAX ? ` … ${run.length} in all` : ''
  return (
    <code class="badge spam unseen" title="Invisible characters">
      {numbers.join(' ')}
      {more}
    </code>
  )
}
