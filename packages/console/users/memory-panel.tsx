/** What a user has said of messages: what, when, and of whose mail if that is known; there is no word of the messages. */
import { useState } from 'preact/hooks'
import { tamis } from '../api.ts'
import { count, dayTime } from '../format.ts'
import { matches } from '../ui/matches.ts'
import { Badge, Icon, Panel } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { LabelBadge } from './rules-panel.tsx'
import type { Correction, Rule } from './stored.ts'

/** A memory may have 4,000 items; nobody reads so many at once. */
const PAGE = 50

export function MemoryPanel({
  corrections,
  rules,
  more,
  sought,
  change,
}: {
  readonly corrections: readonly Correction[]
  /** A rule made from a correction has its id. */
  readonly rules: readonly Rule[]
  readonly more: boolean
  readonly sought: string
  readonly change: (work: () => Promise<unknown>) => Promise<void>
}) {
  const [shown, setShown] = useState(PAGE)
  const ruleOf = new Map(rules.map(({ id, pattern }) => [id, pattern]))
  const found = corrections.filter((correction) =>
    matches(sought, [
      correction.label === 'ham' ? 'not spam' : correction.label,
      senderText(correction),
      ruleOf.get(correction.feedbackId) ?? '',
      correction.feedbackId,
      correction.createdAt,
      dayTime(correction.createdAt),
    ]),
  )
  return (
    <Panel
      title="Memory"
      aside={<Badge>{count(corrections.length)} remembered</Badge>}
      {...(more && { note: `The newest ${count(corrections.length)} corrections.` })}
    >
      {found.length === 0 ? (
        <p class="quiet">
          {corrections.length === 0
            ? 'There are no corrections.'
            : 'No correction matches this search.'}
        </p>
      ) : (
        <ul class="stored with-label">
          {found.slice(0, shown).map((correction) => {
            const { feedbackId, label, createdAt } = correction
            const rule = ruleOf.get(feedbackId)
            return (
              <li key={feedbackId}>
                <LabelBadge label={label} />
                <span class="stored-what">
                  <PlainText text={senderText(correction)} />
                  {rule !== undefined && (
                    <span class="quiet">
                      {' '}
                      rule <PlainText text={rule} />
                    </span>
                  )}
                </span>
                <span class="time">{dayTime(createdAt)}</span>
                <button
                  type="button"
                  class="ghost square"
                  aria-label={`Withdraw the correction of ${dayTime(createdAt)}`}
                  onClick={() => void change(() => tamis().removeFeedback(feedbackId))}
                >
                  <Icon name="undo" />
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {found.length > shown && (
        <button type="button" class="link" onClick={() => setShown(shown + PAGE)}>
          Show {count(Math.min(PAGE, found.length - shown))} more of {count(found.length)}
        </button>
      )}
    </Panel>
  )
}

/** Of whose mail it was, as far as that is kept. */
function senderText({ authenticatedDomain, claimedDomain }: Correction): string {
  if (authenticatedDomain !== undefined) return `${authenticatedDomain} (authenticated)`
  return claimedDomain === undefined ? 'sender not kept' : `claims ${claimedDomain} (not verified)`
}
