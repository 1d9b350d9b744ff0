/** Asks for an API key where the service wants one. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { sessionKey } from './api.ts'
import { Field } from './ui/parts.tsx'

export function KeyDialog({
  onKey,
  onClose,
}: {
  readonly onKey: (key: string) => void
  readonly onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [key, setKey] = useState('')
  useEffect(() => dialog.current?.showModal(), [])
  const submit = (event: Event) => {
    event.preventDefault()
    if (key.trim() !== '') onKey(key.trim())
  }
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="key-title" onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id="key-title">This service asks for a key</h2>
        <p>
          It stays in this tab and is gone when the tab is closed. <code>tamis keys add</code> makes
          one.
        </p>
        <Field
          label="API key"
          type="password"
          value={key}
          onInput={(event) => setKey(event.currentTarget.value)}
          {...(sessionKey() === undefined ? {} : { hint: 'The last one is not known here' })}
        />
        <div class="actions">
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Not now
          </button>
          <button type="submit" class="button primary" disabled={key.trim() === ''}>
            Use it
          </button>
        </div>
      </form>
    </dialog>
  )
}
