/** What a user has said of messages: what, when, of whose mail if that is known, and what is kept of the subject. */
import { tamis } from '../api.ts'
import { counted, dayTime } from '../format.ts'
import { Entries } from '../ui/entries.tsx'
import { matches } from '../ui/matches.ts'
import { Badge, Button, Icon, Panel } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { senderText } from '../ui/withdraw-correction.tsx'
import { LabelBadge } from './rules-panel.tsx'
import type { Correction, Rule } from './stored.ts'

export function MemoryPanel({
  corrections,
  rules,
  sought,
  change,
}: {
  readonly corrections: readonly Correction[]
  /** A rule made from a correction has its id. */
  readonly rules: readonly Rule[]
  readonly sought: string
  readonly change: (work: () => Promise<unknown>) => Promise<void>
}) {
  const ruleOf = new Map(rules.map(({ id, pattern }) => [id, pattern]))
  const found = corrections.filter((correction) =>
    matches(sought, [
      correction.label === 'ham' ? 'not spam' : correction.label,
      senderText(correction),
      correction.subjectWords ?? '',
      ruleOf.get(correction.feedbackId) ?? '',
      correction.feedbackId,
      correction.createdAt,
      dayTime(correction.createdAt),
    ]),
  )
  return (
    <Panel title="Memory" aside={<Badge>{counted(corrections.length, 'correction')}</Badge>}>
      {found.length === 0 ? (
        <p class="quiet">
          {corrections.length === 0
            ? 'There are no corrections.'
            : 'No correction matches this search.'}
        </p>
      ) : (
        <Entries entries={found} class="stored with-label">
          {(correction) => {
            const { feedbackId, label, createdAt } = correction
            const rule = ruleOf.get(feedbackId)
            return (
              <li key={feedbackId}>
                <LabelBadge label={label} />
                <span>
                  <PlainText text={senderText(correction)} />
                  {correction.subjectWords !== undefined && (
                    <span class="quiet">
                      {' '}
                      <q>
                        <PlainText text={correction.subjectWords} />
                      </q>
                    </span>
                  )}
                  {rule !== undefined && (
                    <span class="quiet">
                      {' '}
                      rule <PlainText text={rule} />
                    </span>
                  )}
                </span>
                <span class="time">{dayTime(createdAt)}</span>
                <Button
                  class="ghost square"
                  aria-label={`Withdraw the correction of ${dayTime(createdAt)}`}
                  onClick={() =>
                    void change(() =>
                      tamis().delete('/feedback/{feedbackId}', {
                        params: { path: { feedbackId } },
                      }),
                    )
                  }
                >
                  <Icon name="undo" />
                </Button>
              </li>
            )
          }}
        </Entries>
      )}
    </Panel>
  )
}
