/** A user corrects the verdict, sees it change, and may take that back. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { CLASSES, type MessageClass } from '../../mail/models/prediction.ts'
import { Button, Field, Form, Icon } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Correction as Said, saidOf } from './correction.ts'
import type { Judged } from './judged.ts'
import { VerdictInShort } from './verdict-panel.tsx'

/** For whom a correction counts beside the user. */
const OUTCOMES: Readonly<Record<string, string>> = {
  success: 'It also counts towards the models that all users share.',
  personalization_only: 'It counts for this user only.',
  already_recorded: 'This user has already made this correction. Nothing has changed.',
}

export interface CorrectPanelProps {
  readonly judged: Judged
  readonly userId: string
  /** Whether the message is one of the samples, from which nothing is learned. */
  readonly isSample: boolean
  readonly busy: boolean
  readonly onCorrect: (correction: Said) => void
  readonly onUndo: () => void
  /** Hears whose mailbox it is, where that was not known. */
  readonly onMailbox: (userId: string) => void
}

export function CorrectPanel(props: CorrectPanelProps) {
  const { isSample, userId } = props
  if (isSample) {
    return (
      <CorrectFrame title="This is a sample">
        <p class="quiet">
          Tamis does not learn from samples. To correct a verdict, paste or drop a message of your
          own.
        </p>
      </CorrectFrame>
    )
  }
  if (userId === '') return <WhoseMailbox onMailbox={props.onMailbox} />
  return <Correction {...props} />
}

function CorrectFrame({
  title,
  children,
}: {
  readonly title: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <section class="correct" aria-labelledby="correct-title">
      <h2 id="correct-title">{title}</h2>
      {children}
    </section>
  )
}

/** Asked only where it is not known. */
function WhoseMailbox({ onMailbox }: Pick<CorrectPanelProps, 'onMailbox'>) {
  const [draft, setDraft] = useState('')
  return (
    <CorrectFrame title="Is this wrong?">
      <p class="quiet">
        A correction counts for one mailbox at once, and for others only when more users agree.
      </p>
      <Form class="whose" onSubmit={() => onMailbox(draft.trim())}>
        <Field
          label="Whose mailbox?"
          placeholder="ann@example.org"
          hint="A user id, as your mail server gives it"
          value={draft}
          maxLength={256}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
        <button type="submit" class="button primary" disabled={draft.trim() === ''}>
          Correct it
        </button>
      </Form>
    </CorrectFrame>
  )
}

function Correction({ judged, userId, busy, onCorrect, onUndo }: CorrectPanelProps) {
  const { answer, before, corrected, takenBack } = judged
  const [classification, setClassification] = useState<MessageClass>(answer.result.classification)
  return (
    <CorrectFrame title="Is this wrong?">
      <p class="quiet">
        A correction counts for <PlainText text={userId} /> at once. It may also count towards the
        models that all users share.
      </p>
      <div class="actions">
        <Button disabled={busy} onClick={() => onCorrect({ kind: 'spam', isSpam: true })}>
          <Icon name="spam" /> Spam
        </Button>
        <Button disabled={busy} onClick={() => onCorrect({ kind: 'spam', isSpam: false })}>
          <Icon name="ham" /> Not spam
        </Button>
        {!answer.result.isSpam && (
          <span class="class-choice">
            <label for="right-class">Class</label>
            <select
              id="right-class"
              value={classification}
              disabled={busy}
              onChange={(event) => setClassification(event.currentTarget.value as MessageClass)}
            >
              {CLASSES.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
            <Button disabled={busy} onClick={() => onCorrect({ kind: 'class', classification })}>
              Correct class
            </Button>
          </span>
        )}
      </div>
      <div role="status" class="correct-outcome">
        {corrected !== undefined && before !== undefined && (
          <>
            <p>
              {takenBack ? 'Withdrawn' : 'Recorded'} for <PlainText text={userId} />:{' '}
              <strong>{saidOf(corrected.correction)}</strong>.{' '}
              {takenBack
                ? 'Rules, memory and models are as they were before.'
                : (OUTCOMES[corrected.status] ?? corrected.status)}
            </p>
            <p class="change">
              <VerdictInShort answer={before} /> <Icon name="arrow" />{' '}
              <VerdictInShort answer={answer} />
              {!takenBack && (
                <Button disabled={busy} onClick={onUndo}>
                  <Icon name="undo" /> Undo
                </Button>
              )}
            </p>
          </>
        )}
      </div>
    </CorrectFrame>
  )
}
