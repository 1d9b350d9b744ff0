/** For whom a message is judged, and what the delivering server knew of it. */
import { useState } from 'preact/hooks'
import type { DeliveryFields } from '../api.ts'
import { Field, Form } from '../ui/parts.tsx'

/** Somebody to correct for, so that a newcomer can correct a verdict at once. */
export const DEMO_USER = 'demo'

export function FactFields({
  facts,
  onFacts,
}: {
  readonly facts: DeliveryFields
  readonly onFacts: (facts: DeliveryFields) => void
}) {
  const [draft, setDraft] = useState(facts)
  const set = (name: keyof DeliveryFields) => (event: { currentTarget: HTMLInputElement }) =>
    setDraft({ ...draft, [name]: event.currentTarget.value })
  return (
    <details class="facts">
      <summary>
        for <strong>{facts.userId === '' ? 'no particular user' : facts.userId}</strong>
      </summary>
      <Form onSubmit={() => onFacts(draft)}>
        <Field
          label="User"
          hint="Whose rules and memory count"
          value={draft.userId}
          maxLength={256}
          onInput={set('userId')}
        />
        <Field
          label="Sending client"
          hint="IP address, if known"
          placeholder="192.0.2.25"
          value={draft.senderIp}
          onInput={set('senderIp')}
        />
        <Field
          label="Envelope sender"
          hint="MAIL FROM, if known"
          placeholder="bounce@example.com"
          value={draft.senderEmail}
          onInput={set('senderEmail')}
        />
        <button type="submit" class="button primary">
          Judge again
        </button>
      </Form>
    </details>
  )
}
