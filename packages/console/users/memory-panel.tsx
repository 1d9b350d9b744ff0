/** What a user has said of messages: when, and what; of the messages themselves there is no word. */
import { useState } from 'preact/hooks'
import { tamis } from '../api.ts'
import { count, dayTime } from '../format.ts'
import { Badge, Icon, Panel, Table } from '../ui/parts.tsx'
import { LabelBadge } from './rules-panel.tsx'
import { type MemoryItem, matches } from './users-page.tsx'

/** A memory may have 4,000 items; nobody reads so many at once. */
const PAGE = 50

export function MemoryPanel({
  memory,
  sought,
  change,
}: {
  readonly memory: readonly MemoryItem[]
  readonly sought: string
  readonly change: (work: () => Promise<unknown>) => Promise<void>
}) {
  const [shown, setShown] = useState(PAGE)
  const found = memory.filter((item) =>
    matches(sought, [
      item.label === 'ham' ? 'not spam' : item.label,
      item.similarityKey,
      item.feedbackId,
      item.createdAt,
      dayTime(item.createdAt),
    ]),
  )
  return (
    <Panel title="Memory" aside={<Badge>{count(memory.length)} remembered</Badge>}>
      {found.length === 0 ? (
        <p class="quiet">
          {memory.length === 0 ? 'There are no corrections.' : 'No correction matches this search.'}
        </p>
      ) : (
        <Table label="Table of remembered messages">
          <thead>
            <tr>
              <th scope="col">Label</th>
              <th scope="col">When</th>
              <th scope="col">Message</th>
              <th scope="col">
                <span class="for-readers">Withdraw</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {found.slice(0, shown).map((item) => (
              <tr key={`${item.kind} ${item.feedbackId}`}>
                <td>
                  <LabelBadge label={item.label} />
                </td>
                <td class="time">{dayTime(item.createdAt)}</td>
                <td>
                  <code title="The same for all corrections of one message; it reveals nothing about the message">
                    {item.similarityKey.slice(0, 12)}
                  </code>
                </td>
                <td class="right">
                  <button
                    type="button"
                    class="ghost square"
                    aria-label={`Withdraw the correction of ${dayTime(item.createdAt)}`}
                    onClick={() => void change(() => tamis().removeFeedback(item.feedbackId))}
                  >
                    <Icon name="trash" />
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {found.length > shown && (
        <button type="button" class="link" onClick={() => setShown(shown + PAGE)}>
          Show {count(Math.min(PAGE, found.length - shown))} more of {count(found.length)}
        </button>
      )}
    </Panel>
  )
}
