/** The small parts that pages are made of. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { count } from '../format.ts'
import type { Answer } from './use-answer.ts'

/** A panel with a heading of its own. */
export function Panel({
  title,
  note,
  aside,
  children,
  class: className = '',
}: {
  readonly title: string
  readonly note?: ComponentChildren
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
  readonly class?: string
}) {
  const id = useId()
  return (
    <section class={`panel ${className}`} aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {note !== undefined && <p class="note">{note}</p>}
      {children}
    </section>
  )
}

/** The frame of a page: its name, what it is about, and its parts. */
export function Page({
  title,
  about,
  action,
  children,
}: {
  readonly title: string
  readonly about: ComponentChildren
  readonly action?: ComponentChildren
  readonly children: ComponentChildren
}) {
  return (
    <div class="page">
      <div class="page-head">
        <h1>{title}</h1>
        <p class="quiet">{about}</p>
        {action}
      </div>
      {children}
    </div>
  )
}

/** What was asked for, once it is there; until then that it is loading, or why it is not there. */
export function Asked<Value>({
  answer,
  again,
  children,
}: {
  readonly answer: Answer<Value>
  readonly again: () => void
  readonly children: (value: Value) => ComponentChildren
}) {
  return (
    <>
      {answer.step === 'failed' && <ErrorNote error={answer.error} retry={again} />}
      {answer.step === 'asking' && answer.value === undefined && <Loading what="Loading" />}
      {answer.value !== undefined && children(answer.value)}
    </>
  )
}

/** Tells apart by its sign and its word, never by colour alone. */
export function Badge({
  tone = 'plain',
  ...span
}: {
  readonly tone?: 'plain' | 'spam' | 'ham' | 'warn' | 'accent'
} & JSX.IntrinsicElements['span']) {
  return <span class={`badge ${tone}`} {...span} />
}

/** A button that does something at once, and not with a form. */
export function Button({
  class: className = 'button',
  ...button
}: { readonly class?: string } & JSX.IntrinsicElements['button']) {
  return <button type="button" class={className} {...button} />
}

export function ErrorNote({
  error,
  retry,
}: {
  readonly error: unknown
  readonly retry?: () => void
}) {
  const { message, code } = error as { message?: string; code?: string }
  return (
    <div class="row error-note" role="alert">
      <Icon name="warning" />
      <div>
        {(code === undefined || code === 'INTERNAL') && <strong>Something went wrong. </strong>}
        {message ?? String(error)}
        {code !== undefined && <code> {code}</code>}
      </div>
      {retry !== undefined && <Button onClick={retry}>Try again</Button>}
    </div>
  )
}

export function Empty({
  title,
  children,
}: {
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <h3>{title}</h3>
      {children}
    </div>
  )
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="quiet" role="status">
      {what} …
    </p>
  )
}

/** A line of a list of facts, a `dl`. */
export function Fact({
  name,
  class: className,
  children,
}: {
  readonly name: string
  readonly class?: string
  readonly children: ComponentChildren
}) {
  return (
    <>
      <dt>{name}</dt>
      <dd class={className}>{children}</dd>
    </>
  )
}

/** A form that the page answers itself. */
export function Form({
  onSubmit,
  ...form
}: { readonly onSubmit: () => unknown } & Omit<JSX.IntrinsicElements['form'], 'onSubmit'>) {
  const submit = (event: Event) => {
    event.preventDefault()
    onSubmit()
  }
  return <form {...form} onSubmit={submit} />
}

/** A labelled text field. */
export function Field({
  label,
  hint,
  onText,
  ...input
}: {
  readonly label: string
  readonly hint?: string
  readonly onText: (text: string) => void
} & JSX.IntrinsicElements['input']) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => onText(event.currentTarget.value)}
        {...input}
      />
      {hint !== undefined && <small>{hint}</small>}
    </div>
  )
}

/** A labelled choice among `options`, each a value, with its words where they differ. */
export function Choice<Value extends string>({
  label,
  value,
  options,
  disabled = false,
  onChoice,
}: {
  readonly label: string
  readonly value: Value
  readonly options: readonly (Value | readonly [value: Value, words: string])[]
  readonly disabled?: boolean
  readonly onChoice: (value: Value) => void
}) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={disabled}
        onChange={(event) => onChoice(event.currentTarget.value as Value)}
      >
        {options.map((option) => {
          const [name, words] = typeof option === 'string' ? [option, option] : option
          return (
            <option key={name} value={name}>
              {words}
            </option>
          )
        })}
      </select>
    </div>
  )
}

/** A question that has to be answered before anything else; Escape answers it with no. */
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
  return (
    <dialog ref={dialog} class="panel dialog" aria-labelledby={id} onClose={onClose}>
      <Form onSubmit={() => !disabled && onConfirm()}>
        <h2 id={id}>{title}</h2>
        {children}
        <div class="row">
          <Button onClick={() => dialog.current?.close()}>Cancel</Button>
          <button
            type="submit"
            class={danger ? 'button danger' : 'button primary'}
            disabled={disabled}
          >
            {confirm}
          </button>
        </div>
      </Form>
    </dialog>
  )
}

/** Entries shown at first, and added on request: a user's memory may have 4,000. */
const ENTRIES_AT_ONCE = 50

/** A list, beginning with its first entries; `none` is said where there are none. */
export function Entries<Entry>({
  entries,
  none,
  children,
}: {
  readonly entries: readonly Entry[]
  readonly none: string
  readonly children: (entry: Entry) => ComponentChildren
}) {
  const [shown, setShown] = useState(ENTRIES_AT_ONCE)
  if (entries.length === 0) return <p class="quiet">{none}</p>
  return (
    <>
      <ul class="rows">{entries.slice(0, shown).map(children)}</ul>
      {entries.length > shown && (
        <Button class="link" onClick={() => setShown(shown + ENTRIES_AT_ONCE)}>
          Show {count(Math.min(ENTRIES_AT_ONCE, entries.length - shown))} more of{' '}
          {count(entries.length)}
        </Button>
      )}
    </>
  )
}

/** How mail comes to the service: for who has just installed it. */
export function Connect() {
  return (
    <section class="stack" aria-labelledby="connect-title">
      <h3 id="connect-title">Connect a mail server</h3>
      <p>
        <code>docs/integrations</code> has the steps for Postfix, Sendmail, Exim, Haraka, Stalwart,
        Dovecot, mailcow, and the clients of SpamAssassin and Rspamd. A single message, by the API:
      </p>
      <pre>
        <code>
          {`curl -H 'Content-Type: message/rfc822' --data-binary @message.eml \\
  ${location.origin + location.pathname}classify-stream`}
        </code>
      </pre>
    </section>
  )
}

/** Whether every word of `sought` stands in one of `fields`. */
export function matches(sought: string, fields: readonly string[]): boolean {
  const text = fields.join(' ').toLowerCase()
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** A bar over a share of its row; the number beside it says the same. */
export function Bar({ share }: { readonly share: number }) {
  const width = Math.max(0.5, Math.min(100, share * 100))
  return (
    <svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect width={width} height="8" />
    </svg>
  )
}

const ICONS = {
  warning: 'M8 2.2 14.6 13.6H1.4Z M8 6.4v3.4 M8 11.6v.3',
  spam: 'M5.3 1.8h5.4l3.5 3.5v5.4l-3.5 3.5H5.3l-3.5-3.5V5.3Z M5.6 5.6l4.8 4.8 M10.4 5.6l-4.8 4.8',
  ham: 'M8 1.6a6.4 6.4 0 1 1 0 12.8A6.4 6.4 0 0 1 8 1.6Z M5.1 8.2l2 2 3.8-4.2',
  look: 'M1.4 8s2.4-4.4 6.6-4.4S14.6 8 14.6 8s-2.4 4.4-6.6 4.4S1.4 8 1.4 8Z M8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6Z',
  arrow: 'M2.5 8h10.5 M9 4l4 4-4 4',
  file: 'M4 1.6h5l3.4 3.4v9.4H4Z M8.8 1.8v3.4h3.4',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6Z M8 1v1.6 M8 13.4V15 M1 8h1.6 M13.4 8H15 M3 3l1.2 1.2 M11.8 11.8 13 13 M13 3l-1.2 1.2 M4.2 11.8 3 13',
  moon: 'M13.4 9.8A5.8 5.8 0 0 1 6.2 2.6 5.8 5.8 0 1 0 13.4 9.8Z',
  undo: 'M3 6.5h6.2a3.6 3.6 0 0 1 0 7.2H6 M5.6 3.6 2.7 6.5l2.9 2.9',
  key: 'M5.4 6.2a3.2 3.2 0 1 1 0 6.4 3.2 3.2 0 0 1 0-6.4Z M7.6 7.2l6-5.2 M11.4 3.9l1.8 2',
  trash: 'M2.6 4.4h10.8 M6 4.4V2.6h4v1.8 M4 4.4l.7 9h6.6l.7-9',
  plus: 'M8 3v10 M3 8h10',
  clip: 'M10.6 5 6.2 9.4a1.3 1.3 0 0 0 1.9 1.9l4.7-4.7A2.9 2.9 0 0 0 8.7 2.5L3.8 7.4a4.4 4.4 0 0 0 6.2 6.2l3.4-3.4',
} as const

export type IconName = keyof typeof ICONS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      {ICONS[name].split(/ (?=M)/).map((path) => (
        <path key={path} d={path} />
      ))}
    </svg>
  )
}
