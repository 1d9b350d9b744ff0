/** The message as its reader sees it, its words marked by what they say for and against spam. */

import { useId, useState } from 'preact/hooks'
import type { Mark, MarkedText } from '../../mail/verdict/marked-message.ts'
import type { DiagnosticAnswer } from '../api.ts'
import { signalClause } from '../clauses.ts'
import { bytes, counted, dayTime, signed } from '../format.ts'
import { Badge, Button, Fact, Icon, Panel } from '../ui/parts.tsx'
import { PlainText, spelledOut } from '../ui/plain-text.tsx'
import { MARKED_WORDS, strongestMarked } from './strongest-marked.ts'

/** Log-odds from which a mark has its full strength. */
const STRONG = 0.5

/** Four strengths, so that the style sheet needs no style of its own for each word. */
const STRENGTHS = 4

/** Characters shown at first; a long message is shown whole on request. */
const SHOWN_AT_FIRST = 2_400

export function MessagePanel({
  email,
  expert,
}: {
  readonly email: DiagnosticAnswer['email']
  readonly expert: boolean
}) {
  const [marked, setMarked] = useState(true)
  const [whole, setWhole] = useState(false)
  const toggle = useId()
  const { subject, body } = expert ? email.reading : strongestMarked(email.reading)
  const isLong = body.text.length > SHOWN_AT_FIRST
  const end = whole || !isLong ? body.text.length : SHOWN_AT_FIRST
  return (
    <Panel
      title="What the reader sees"
      class="message"
      aside={
        <span class="switch">
          <input
            id={toggle}
            type="checkbox"
            checked={marked}
            onChange={(event) => setMarked(event.currentTarget.checked)}
          />
          <label for={toggle}>Mark words</label>
        </span>
      }
    >
      <dl class="envelope">
        <Fact name="From">
          <PlainText text={email.from || '(none)'} />
        </Fact>
        <Fact name="Date">
          <PlainText text={email.date || '(none)'} />
        </Fact>
        <Fact name="Arrived">{dayTime(email.receivedAt)}</Fact>
        <Fact name="Subject" class="subject">
          <Marked {...subject} marks={marked ? subject.marks : []} end={subject.text.length} />
        </Fact>
      </dl>
      {body.text === '' ? (
        <p class="quiet">The message has no visible text.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be within reach of the keyboard
        <section class="body-text" tabIndex={0} aria-label="Text of the message">
          <Marked {...body} marks={marked ? body.marks : []} end={end} />
        </section>
      )}
      {isLong && (
        <Button class="link" onClick={() => setWhole(!whole)}>
          {whole ? 'Show only the beginning' : `Show all ${body.text.length} characters`}
        </Button>
      )}
      {marked && (
        <p class="key">
          <mark class="for s3">for spam</mark> <mark class="against s3">against spam</mark>
          <span class="quiet">
            {expert
              ? 'A stronger colour means more weight.'
              : `At most ${MARKED_WORDS} words are marked: the strongest.`}
            {body.unread !== null && ' The middle of a long text is not used.'}
          </span>
        </p>
      )}
      {email.attachments.length > 0 && (
        <ul class="attachments" aria-label="Attachments">
          {email.attachments.map((attachment, i) => (
            <li key={i}>
              <Icon name="clip" />
              <PlainText text={attachment.fileName || '(no name)'} />
              <span class="quiet">
                {expert && `${attachment.type}, `}
                {bytes(attachment.bytes)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <p class="badges">
        {expert && <Badge>{bytes(email.bytes)}</Badge>}
        {expert && <Badge>{counted(email.parts.length, 'part')}</Badge>}
        {isKnownLanguage(email.language) && <Badge>{languageName(email.language)}</Badge>}
        {email.oddities.map((oddity) => (
          <Badge key={oddity} tone="warn" {...(expert && { title: oddity })}>
            {signalClause(`MIME_${oddity}`) ?? oddity}
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
  const strength = Math.ceil(STRENGTHS * Math.min(1, Math.abs(mark.logit) / STRONG))
  return (
    <mark
      class={`${mark.logit > 0 ? 'for' : 'against'} s${strength}`}
      title={`${signed(mark.logit, 3)} log-odds`}
    >
      {spelledOut(text.slice(mark.start, mark.end))}
    </mark>
  )
}
