/** The message as its reader sees it, its words marked by what they say for and against spam. */

import { useState } from 'preact/hooks'
import type { Mark, MarkedMessage, MarkedText } from '../../mail/verdict/marked-message.ts'
import type { DiagnosticAnswer } from '../api.ts'
import { bytes, dayTime, milliseconds, signed } from '../format.ts'
import { Badge, Button, Fact, Icon, Panel } from '../ui/parts.tsx'
import { PlainText, spelledOut } from '../ui/plain-text.tsx'

/** Log-odds from which a mark has its full strength. */
const STRONG = 0.5

/** Different words that are marked, those of the subject included. */
const MARKED_WORDS = 10

/** Characters shown at first; a long message is shown whole on request. */
const SHOWN_AT_FIRST = 2_400

export function MessagePanel({ answer }: { readonly answer: DiagnosticAnswer }) {
  const { email, timing } = answer
  const [whole, setWhole] = useState(false)
  const { subject, body } = strongestMarked(email.reading)
  const isLong = body.text.length > SHOWN_AT_FIRST
  const end = whole || !isLong ? body.text.length : SHOWN_AT_FIRST
  return (
    <Panel title="What the reader sees">
      <dl class="facts-list">
        <Fact name="From">
          <PlainText text={email.from || '(none)'} />
        </Fact>
        <Fact name="Date">
          <PlainText text={email.date || '(none)'} />
        </Fact>
        <Fact name="Arrived">{dayTime(email.receivedAt)}</Fact>
        <Fact name="Subject">
          <strong>
            <Marked {...subject} end={subject.text.length} />
          </strong>
        </Fact>
      </dl>
      {body.text === '' ? (
        <p class="quiet">The message has no visible text.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be within reach of the keyboard
        <section class="body-text" tabIndex={0} aria-label="Text of the message">
          <Marked {...body} end={end} />
        </section>
      )}
      {isLong && (
        <Button class="link" onClick={() => setWhole(!whole)}>
          {whole ? 'Show only the beginning' : `Show all ${body.text.length} characters`}
        </Button>
      )}
      <p class="note">
        <mark class="for">for spam</mark> <mark class="against">against spam</mark> At most{' '}
        {MARKED_WORDS} words are marked: the strongest.
        {body.unread !== null && ' The middle of a long text is not used.'}
      </p>
      {email.attachments.length > 0 && (
        <ul aria-label="Attachments">
          {email.attachments.map(({ fileName, type, bytes: size }, i) => (
            <li key={i} title={type}>
              <Icon name="clip" /> <PlainText text={fileName || '(no name)'} />{' '}
              <span class="quiet">{bytes(size)}</span>
            </li>
          ))}
        </ul>
      )}
      <p class="row">
        <Badge>{milliseconds(timing.total)}</Badge>
        {isKnownLanguage(email.language) && <Badge>{languageName(email.language)}</Badge>}
        {email.oddities.map((oddity) => (
          <Badge key={oddity} tone="warn">
            {oddity.toLowerCase().replaceAll('_', ' ')}
          </Badge>
        ))}
      </p>
    </Panel>
  )
}

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language' })

/** 'und' is a text of which it cannot be told (ISO 639-2). */
function isKnownLanguage(code: string): boolean {
  return code !== '' && code !== 'und'
}

function languageName(code: string): string {
  try {
    return LANGUAGES.of(code) ?? code
  } catch {
    return code
  }
}

/** The first `end` characters of `text` with its marks. */
function Marked({ text, marks, end }: MarkedText & { readonly end: number }) {
  const shown = marks.filter((mark) => mark.end <= end)
  return (
    <bdi>
      {shown.map((mark, i) => (
        <>
          {spelledOut(text.slice(shown[i - 1]?.end ?? 0, mark.start))}
          <MarkedWord key={mark.start} mark={mark} text={text} />
        </>
      ))}
      {spelledOut(text.slice(shown.at(-1)?.end ?? 0, end))}
      {end < text.length && ' …'}
    </bdi>
  )
}

function MarkedWord({ mark, text }: { readonly mark: Mark; readonly text: string }) {
  return (
    <mark
      class={mark.logit > 0 ? 'for' : 'against'}
      style={{ '--strength': Math.min(1, Math.abs(mark.logit) / STRONG) }}
      title={`${signed(mark.logit, 3)} log-odds`}
    >
      {spelledOut(text.slice(mark.start, mark.end))}
    </mark>
  )
}

/**
 * `message` with the marks of its strongest words alone, at each place where they have the same sign: with every word
 * marked, none stands out.
 */
function strongestMarked({ subject, body }: MarkedMessage): MarkedMessage {
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
