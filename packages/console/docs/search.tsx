/** Search over tasks, routes, fields and error codes: opened by a button, / or Ctrl+K. */
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Icon } from '../ui/parts.tsx'
import { type Entry, entriesOf, found } from './search-index.ts'

export function Search() {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const openByKey = (event: KeyboardEvent) => {
      if (!opensSearch(event)) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', openByKey)
    return () => removeEventListener('keydown', openByKey)
  }, [])
  return (
    <>
      <button
        type="button"
        class="ghost"
        aria-keyshortcuts="/ Control+K"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" /> Search <kbd>/</kbd>
      </button>
      {open && <SearchDialog onClose={() => setOpen(false)} />}
    </>
  )
}

/** `/` outside of fields, and Ctrl+K (⌘K on a Mac) everywhere. */
function opensSearch({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (key.toLowerCase() === 'k') return ctrlKey || metaKey
  if (key !== '/' || ctrlKey || metaKey || altKey) return false
  return !(
    target instanceof Element && target.matches('input:not([type="radio"]), select, textarea')
  )
}

function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [entries] = useState(() => entriesOf(document))
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, active])

  const matches = found(query, entries)
  const choose = (entry: Entry | undefined) => {
    if (entry === undefined) return
    dialog.current?.close()
    reveal(entry.id)
  }
  const write = (event: { currentTarget: HTMLInputElement }) => {
    setQuery(event.currentTarget.value)
    setActive(0)
  }
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') choose(matches[active])
    if (step === undefined || matches.length === 0) return
    event.preventDefault()
    setActive((active + step + matches.length) % matches.length)
  }
  return (
    <dialog ref={dialog} class="dialog search" aria-label="Search" onClose={onClose}>
      <input
        // Not "search", whose Escape empties the field and leaves the dialog open.
        type="text"
        // biome-ignore lint/a11y/noRedundantRoles: without a `list` the element has another role
        role="combobox"
        list={undefined}
        aria-label="Search tasks, routes, fields and errors"
        aria-expanded={matches.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        {...(matches.length > 0 && { 'aria-activedescendant': `${id}-${active}` })}
        placeholder="A task, route, field or error"
        autocomplete="off"
        spellcheck={false}
        value={query}
        onInput={write}
        onKeyDown={move}
      />
      <div id={id} class="matches" role="listbox" aria-label="Matches">
        {matches.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          <div
            key={`${entry.kind} ${entry.id}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            tabIndex={-1}
            onClick={() => choose(entry)}
          >
            <span class="kind">{entry.kind}</span> <strong>{entry.title}</strong>
            <span class="about">{entry.about}</span>
          </div>
        ))}
      </div>
      <p class="small" role="status">
        {query.trim() !== '' && matches.length === 0 ? 'Nothing matches.' : KEYS}
      </p>
    </dialog>
  )
}

const KEYS = '↑ ↓ to choose, Enter to go there, Esc to close'

/** Shows the element with this id, also inside of what is folded, and moves the focus to it. */
function reveal(id: string): void {
  const element = document.getElementById(id)
  if (element === null) return
  for (let at = element.closest('details'); at; at = at.parentElement?.closest('details') ?? null) {
    at.open = true
  }
  location.hash = encodeURIComponent(id)
  element.scrollIntoView()
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}
