/** A user corrects the verdict, sees it change, and may withdraw the correction. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { CLASSES, type MessageClass } from '../../mail/models/prediction.ts'
import { Button, Choice, Field, Form, Icon } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import type { Correction, Judged } from './judged.ts'
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
  readonly onCorrect: (correction: Correction) => void
  readonly onUndo: () => void
  /** Hears whose mailbox it is, where that was not known. */
  readonly onMailbox: (userId: string) => void
}

export function CorrectPanel(props: CorrectPanelProps) {
  const { isSample, userId } = props
  if (isSample) {
    return (
      <Frame title="This is a sample">
        <p class="quiet">
          Tamis does not learn from samples. To correct a verdict, paste or drop a message of your
          own.
        </p>
      </Frame>
    )
  }
  return (
    <Frame title="Is this wrong?">
      {userId === '' ? <WhoseMailbox onMailbox={props.onMailbox} /> : <Correct {...props} />}
    </Frame>
  )
}

function Frame({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}) {
  return (
    <section class="panel" aria-labelledby="correct-title">
      <h2 id="correct-title">{title}</h2>
      {children}
    </section>
  )
}

/** Asked only where it is not known. */
function WhoseMailbox({ onMailbox }: Pick<CorrectPanelProps, 'onMailbox'>) {
  const [draft, setDraft] = useState('')
  return (
    <>
      <p class="quiet">
        A correction counts for one mailbox at once, and for others only when more users agree.
      </p>
      <Form class="row fields" onSubmit={() => onMailbox(draft.trim())}>
        <Field
          label="Whose mailbox?"
          placeholder="ann@example.org, a user id"
          value={draft}
          maxLength={256}
          onText={setDraft}
        />
        <button type="submit" class="button primary" disabled={draft.trim() === ''}>
          Correct it
        </button>
      </Form>
    </>
  )
}

function Correct({ judged, userId, busy, onCorrect, onUndo }: CorrectPanelProps) {
  const { result } = judged.answer
  const [classification, setClassification] = useState<MessageClass>(result.classification)
  return (
    <>
      <p class="quiet">
        A correction counts for <PlainText text={userId} /> at once. It may also count towards the
        models that all users share.
      </p>
      <div class="row">
        <Button disabled={busy} onClick={() => onCorrect({ kind: 'spam', isSpam: true })}>
          <Icon name="spam" /> Spam
        </Button>
        <Button disabled={busy} onClick={() => onCorrect({ kind: 'spam', isSpam: false })}>
          <Icon name="ham" /> Not spam
        </Button>
        {!result.isSpam && (
          <>
            <Choice
              label="Class"
              value={classification}
              options={CLASSES}
              disabled={busy}
              onChoice={setClassification}
            />
            <Button disabled={busy} onClick={() => onCorrect({ kind: 'class', classification })}>
              Correct class
            </Button>
          </>
        )}
      </div>
      <div role="status">
        <Outcome judged={judged} userId={userId} busy={busy} onUndo={onUndo} />
      </div>
    </>
  )
}

function Outcome({
  judged: { answer, before, corrected, isWithdrawn },
  userId,
  busy,
  onUndo,
}: Pick<CorrectPanelProps, 'judged' | 'userId' | 'busy' | 'onUndo'>) {
  if (corrected === undefined || before === undefined) return null
  return (
    <>
      <p>
        {isWithdrawn ? 'Withdrawn' : 'Recorded'} for <PlainText text={userId} />:{' '}
        <strong>{correctionInWords(corrected.correction)}</strong>.{' '}
        {isWithdrawn
          ? 'Rules, memory and models are as they were before.'
          : (OUTCOMES[corrected.status] ?? corrected.status)}
      </p>
      <p class="row">
        <VerdictInShort answer={before} /> <Icon name="arrow" /> <VerdictInShort answer={answer} />
        {!isWithdrawn && (
          <Button disabled={busy} onClick={onUndo}>
            <Icon name="undo" /> Undo
          </Button>
        )}
      </p>
    </>
  )
}

function correctionInWords(correction: Correction): string {
  if (correction.kind === 'class') return correction.classification
  return correction.isSpam ? 'spam' : 'not spam'
}
