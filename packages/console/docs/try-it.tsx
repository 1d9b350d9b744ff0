/**
 * A form that sends one operation to the running service and shows what it answers. Answers are
 * shown as text, whatever is in them.
 */
import { useEffect, useId, useState } from 'preact/hooks'
import { sessionKey, setSessionKey } from '../api.ts'
import { milliseconds } from '../format.ts'
import { KeyDialog } from '../key-dialog.tsx'
import { SAMPLES } from '../try/samples.ts'
import { ErrorNote, Field, Loading } from '../ui/parts.tsx'
import { spelledOut } from '../ui/plain-text.tsx'
import { type Parameter, type Route, routeOf } from './interface.ts'
import { type Answer, fieldName, send, type Values } from './request.ts'

const MESSAGE_TYPE = 'message/rfc822'

/** The example of a task, in place of the operation's own. */
export interface Filled {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  readonly message?: string
}

interface TryItProps {
  readonly operationId: string
  readonly filled: Filled | undefined
}

export function TryIt({ operationId, filled }: TryItProps) {
  const [route, setRoute] = useState<Route>()
  const [error, setError] = useState<unknown>()
  const load = () => {
    setError(undefined)
    routeOf(operationId).then(setRoute, setError)
  }
  useEffect(load, [operationId])
  if (error !== undefined) return <ErrorNote error={error} retry={load} />
  if (route === undefined) return <Loading what="Loading the form" />
  return <RequestForm route={route} first={valuesOf(route, filled)} />
}

function valuesOf({ parameters, bodyExample }: Route, filled: Filled | undefined): Values {
  const values = { path: filled?.params, query: filled?.query, header: filled?.headers }
  const examples = parameters.map((each) => [
    fieldName(each),
    filled === undefined ? String(each.example ?? '') : (values[each.in]?.[each.name] ?? ''),
  ])
  const json = filled?.body && JSON.stringify(filled.body, null, 2)
  return {
    parameters: Object.fromEntries(examples),
    body: filled?.message ?? json ?? bodyExample,
  }
}

type Sending =
  | { readonly step: 'ready' }
  | { readonly step: 'sending' }
  | { readonly step: 'answered'; readonly answer: Answer }
  | { readonly step: 'failed'; readonly error: unknown }

function RequestForm({ route, first }: { readonly route: Route; readonly first: Values }) {
  const { method, path, parameters, bodyType, changes } = route
  const [values, setValues] = useState(first)
  const [sending, setSending] = useState<Sending>({ step: 'ready' })
  const [asksForKey, setAsksForKey] = useState(false)

  const ask = async () => {
    setSending({ step: 'sending' })
    try {
      const answer = await send(route, values)
      setSending({ step: 'answered', answer })
      setAsksForKey(answer.status === 401)
    } catch (error) {
      setSending({ step: 'failed', error })
    }
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (sending.step !== 'sending') void ask()
  }
  const submitByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
  }
  const setParameter = (name: string, value: string) =>
    setValues({ ...values, parameters: { ...values.parameters, [name]: value } })
  const setBody = (body: string) => setValues({ ...values, body })
  const useKey = (key: string | undefined) => {
    setSessionKey(key)
    setAsksForKey(false)
    if (key === undefined) setSending({ step: 'ready' })
    else void ask()
  }
  return (
    <>
      <form onSubmit={submit} onKeyDown={submitByKey}>
        {parameters.length > 0 && (
          <div class="try-fields">
            {parameters.map((each) => (
              <ParameterField
                key={fieldName(each)}
                parameter={each}
                value={values.parameters[fieldName(each)] ?? ''}
                onValue={(value) => setParameter(fieldName(each), value)}
              />
            ))}
          </div>
        )}
        {bodyType !== undefined && (
          <BodyField type={bodyType} first={first.body} value={values.body} onValue={setBody} />
        )}
        <div class="actions">
          <button type="submit" class="button primary" disabled={sending.step === 'sending'}>
            Send {method} {path}
          </button>
          {sessionKey() !== undefined && (
            <button type="button" class="ghost" onClick={() => useKey(undefined)}>
              Forget key
            </button>
          )}
          {changes && <small>This changes what the service stores.</small>}
        </div>
      </form>
      <div class="try-answer" aria-live="polite">
        <AnswerShown sending={sending} />
      </div>
      {asksForKey && <KeyDialog onKey={useKey} onClose={() => setAsksForKey(false)} />}
    </>
  )
}

function ParameterField({
  parameter,
  value,
  onValue,
}: {
  readonly parameter: Parameter
  readonly value: string
  readonly onValue: (value: string) => void
}) {
  const { name, required, schema } = parameter
  const id = useId()
  const label = required ? name : `${name} (optional)`
  if (schema.enum === undefined) {
    return (
      <Field
        label={label}
        value={value}
        required={required}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    )
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onValue(event.currentTarget.value)}>
        {!required && <option value="">not sent</option>}
        {schema.enum.map((each) => (
          <option key={each} value={String(each)}>
            {each}
          </option>
        ))}
      </select>
    </div>
  )
}

function BodyField({
  type,
  first,
  value,
  onValue,
}: {
  readonly type: string
  readonly first: string
  readonly value: string
  readonly onValue: (value: string) => void
}) {
  const id = useId()
  const isMessage = type === MESSAGE_TYPE
  return (
    <>
      {isMessage && <SampleChoice first={first} onMessage={onValue} />}
      <div class="field">
        <label for={id}>{isMessage ? 'Message source, header fields first' : 'JSON'}</label>
        <textarea
          id={id}
          rows={isMessage ? 9 : 7}
          spellcheck={false}
          autocomplete="off"
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      </div>
    </>
  )
}

/** Fills in the message of the example or one that comes with the console. */
function SampleChoice({
  first,
  onMessage,
}: {
  readonly first: string
  readonly onMessage: (text: string) => void
}) {
  const id = useId()
  const choose = (event: { currentTarget: HTMLSelectElement }) => {
    const sample = SAMPLES.find(({ name }) => name === event.currentTarget.value)
    onMessage(sample?.text ?? first)
  }
  return (
    <div class="field">
      <label for={id}>Start with</label>
      <select id={id} onChange={choose}>
        <option value="">the message of the example</option>
        {SAMPLES.map(({ name, about }) => (
          <option key={name} value={name}>
            {name}: {about}
          </option>
        ))}
      </select>
    </div>
  )
}

function AnswerShown({ sending }: { readonly sending: Sending }) {
  if (sending.step === 'ready') return null
  if (sending.step === 'sending') return <Loading what="Waiting for the answer" />
  if (sending.step === 'failed') return <ErrorNote error={sending.error} />
  const { status, statusText, ms, text, left } = sending.answer
  return (
    <>
      <p>
        <strong class={status < 300 ? 'good' : 'bad'}>
          {status} {statusText}
        </strong>{' '}
        <span class="quiet">after {milliseconds(ms)}</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled must be within reach of the keyboard */}
      <pre tabIndex={0}>
        <code>{spelledOut(text)}</code>
      </pre>
      {left > 0 && <p class="quiet">{left} more characters are not shown.</p>}
    </>
  )
}
