/** A list of which some entries are shown at first: a user's memory may have 4,000, and nobody reads so many at once. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { count } from '../format.ts'
import { Button } from './parts.tsx'

/** Entries shown at first, and added on request. */
const PAGE = 50

export function Entries<Entry>({
  entries,
  label,
  class: className = 'entries',
  children,
}: {
  readonly entries: readonly Entry[]
  readonly label?: string
  readonly class?: string
  readonly children: (entry: Entry) => ComponentChildren
}) {
  const [shown, setShown] = useState(PAGE)
  return (
    <>
      <ul class={className} aria-label={label}>
        {entries.slice(0, shown).map(children)}
      </ul>
      {entries.length > shown && (
        <Button class="link" onClick={() => setShown(shown + PAGE)}>
          Show {count(Math.min(PAGE, entries.length - shown))} more of {count(entries.length)}
        </Button>
      )}
    </>
  )
}
