/** A question that has to be answered before anything else; Escape answers it with no. */
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from './parts.tsx'

export function Dialog({
  title,
  children,
  confirm,
  danger = false,
  disabled = false,
  onConfirm,
  onClose,
}: {
  readonly title: string
  readonly children: ComponentChildren
  /** What the button says that does it. */
  readonly confirm: string
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => dialog.current?.showModal(), [])
  const submit = (event: Event) => {
    event.preventDefault()
    if (!disabled) onConfirm()
  }
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onClose={onClose}>
      <form onSubmit={submit}>
        <h2 id={id}>{title}</h2>
        {children}
        <div class="actions">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <button
            type="submit"
            class={danger ? 'button danger' : 'button primary'}
            disabled={disabled}
          >
            {confirm}
          </button>
        </div>
      </form>
    </dialog>
  )
}
