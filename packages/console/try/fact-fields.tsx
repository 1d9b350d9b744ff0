/** For whom a message is judged, and what the delivering server knew of it. */
import { useState } from 'preact/hooks'
import type { DeliveryFields } from '../api.ts'
import { Field, Form } from '../ui/parts.tsx'

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
        {facts.userId === '' ? (
          'without a user'
        ) : (
          <>
            in the mailbox of <strong>{facts.userId}</strong>
          </>
        )}
      </summary>
      <Form onSubmit={() => onFacts({ ...draft, userId: draft.userId.trim() })}>
        <Field
          label="Whose mailbox?"
          hint="The user id, whose rules and corrections count"
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
