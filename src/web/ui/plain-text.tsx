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

/** `text` with every unseen character spelled out. */
export function PlainText({ text }: { readonly text: string }) {
  return <bdi>{spelledOut(text)}</bdi>
}

/** Strings and, in the place of unseen characters, their numbers. */
export function spelledOut(text: string): ComponentChildren {
  if (!UNSEEN.test(text)) return text
  const shown: ComponentChildren[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (!UNSEEN.test(text[at]!)) continue
    const isLineEnd = text[at] === '\r' && text[at + 1] === '\n'
    shown.push(text.slice(start, at))
    if (!isLineEnd) shown.push(<UnseenCharacter key={at} unit={text.charCodeAt(at)} />)
    start = at + 1
  }
  return [...shown, text.slice(start)]
}

function UnseenCharacter({ unit }: { readonly unit: number }) {
  const number = unit.toString(16).toUpperCase().padStart(4, '0')
  return (
    <span class="unseen" title="A character that is not seen">
      U+{number}
    </span>
  )
}
