/** A user corrects the verdict, sees it change, and may take that back. */
import { useState } from 'preact/hooks'
import { CLASSES, type MessageClass } from '../../mail/models/prediction.ts'
import type { DiagnosticAnswer } from '../api.ts'
import { percent } from '../format.ts'
import { Icon } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Correction, saidOf } from './correction.ts'
import type { Judged } from './try-page.tsx'

const OUTCOMES: Readonly<Record<string, string>> = {
  success: 'It counts for this user and for the models that all users share.',
  personalization_only: 'It counts only for this user, not for the models that all users share.',
  already_recorded: 'The user had made this correction before. Nothing has changed.',
}

export interface CorrectPanelProps {
  readonly judged: Judged
  readonly userId: string
  readonly busy: boolean
  readonly onCorrect: (correction: Correction) => void
  readonly onUndo: () => void
}

export function CorrectPanel({ judged, userId, busy, onCorrect, onUndo }: CorrectPanelProps) {
  const { answer, before, taught, takenBack } = judged
  const [classification, setClassification] = useState<MessageClass>(answer.result.classification)
  const off = busy || userId.trim() === ''
  return (
    <section class="correct" aria-labelledby="correct-title">
      <div class="correct-ask">
        <h2 id="correct-title">
          {userId.trim() === '' ? (
            'Name a user to make a correction'
          ) : (
            <>
              Correct it as <PlainText text={userId} />
            </>
          )}
        </h2>
        <div class="actions">
          <button
            type="button"
            class="button"
            disabled={off}
            onClick={() => onCorrect({ kind: 'spam', isSpam: true })}
          >
            <Icon name="spam" /> Spam
          </button>
          <button
            type="button"
            class="button"
            disabled={off}
            onClick={() => onCorrect({ kind: 'spam', isSpam: false })}
          >
            <Icon name="ham" /> Not spam
          </button>
          <span class="class-choice">
            <label for="right-class">Class</label>
            <select
              id="right-class"
              value={classification}
              disabled={off}
              onChange={(event) => setClassification(event.currentTarget.value as MessageClass)}
            >
              {CLASSES.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
            <button
              type="button"
              class="button"
              disabled={off}
              onClick={() => onCorrect({ kind: 'class', classification })}
            >
              Correct class
            </button>
          </span>
        </div>
      </div>
      <div role="status" class="correct-outcome">
        {taught !== undefined && before !== undefined && (
          <>
            <p>
              {takenBack ? 'Withdrawn' : 'Recorded'}: <strong>{saidOf(taught.correction)}</strong>.{' '}
              {takenBack
                ? 'Rules, memory and models are as they were before.'
                : (OUTCOMES[taught.status] ?? taught.status)}
            </p>
            <p class="change">
              <Standing answer={before} /> <Icon name="arrow" /> <Standing answer={answer} />
              {!takenBack && (
                <button type="button" class="button" disabled={busy} onClick={onUndo}>
                  <Icon name="undo" /> Undo
                </button>
              )}
            </p>
          </>
        )}
      </div>
    </section>
  )
}

function Standing({ answer: { result } }: { readonly answer: DiagnosticAnswer }) {
  return (
    <span class={result.isSpam ? 'standing spam' : 'standing ham'}>
      <Icon name={result.isSpam ? 'spam' : 'ham'} />
      {result.isSpam ? 'Spam' : 'Not spam'} <b>{percent(result.spamProbability)}</b>,{' '}
      {result.classification}
    </span>
  )
}
