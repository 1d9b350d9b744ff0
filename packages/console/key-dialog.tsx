/** Asks for an API key where the service wants one. */
import { useState } from 'preact/hooks'
import { sessionKey } from './api.ts'
import { Dialog } from './ui/dialog.tsx'
import { Field } from './ui/parts.tsx'

export function KeyDialog({
  onKey,
  onClose,
}: {
  readonly onKey: (key: string) => void
  readonly onClose: () => void
}) {
  const [key, setKey] = useState('')
  return (
    <Dialog
      title="This service requires a key"
      confirm="Use key"
      disabled={key.trim() === ''}
      onConfirm={() => onKey(key.trim())}
      onClose={onClose}
    >
      <p>
        This tab keeps the key until you close it. <code>tamis keys add</code> creates one.
      </p>
      <Field
        label="API key"
        type="password"
        value={key}
        onInput={(event) => setKey(event.currentTarget.value)}
        {...(sessionKey() === undefined ? {} : { hint: 'The service does not know the last key' })}
      />
    </Dialog>
  )
}
