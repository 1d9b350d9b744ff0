/** The operator's rules: those of the file, those stored here, and how often each has applied. */
import { useState } from 'preact/hooks'
import type { OperatorRules } from '../../client/client.ts'
import { tamis } from '../api.ts'
import { count, counted } from '../format.ts'
import {
  Asked,
  Badge,
  Entries,
  ErrorNote,
  Field,
  Form,
  matches,
  Page,
  Panel,
} from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { useAnswer, useAttempt } from '../ui/use-answer.ts'

export function RulesPage() {
  const [answer, again] = useAnswer('rules', () => tamis().get('/rules'))
  const [sought, setSought] = useState('')
  return (
    <Page
      title="Rules"
      about={
        <>
          What the operator allows, blocks, scores and sets for recipients, one rule a line. A
          user's own rules take precedence; they are under <a href="#/users">Users</a>.
        </>
      }
    >
      <Asked answer={answer} again={again}>
        {({ rules, file, stored }) => (
          <>
            <RulesInUse rules={rules} sought={sought} seek={setSought} />
            {file && (
              <Panel
                title="Rules in the file"
                note="The file on the machine of the service (TAMIS_RULES)."
              >
                <Faults faults={file.faults} />
                <pre>
                  <code>{file.text}</code>
                </pre>
              </Panel>
            )}
            <StoredRules key={stored.text} stored={stored} changed={again} />
          </>
        )}
      </Asked>
    </Page>
  )
}

function RulesInUse({
  rules,
  sought,
  seek,
}: {
  readonly rules: OperatorRules['rules']
  readonly sought: string
  readonly seek: (sought: string) => void
}) {
  const found = rules.filter(({ id, text }) => matches(sought, [id, text]))
  return (
    <Panel
      title="Rules in use"
      note="In their order, with the verdicts in which each had a part since the start."
      aside={<Badge>{counted(rules.length, 'rule')}</Badge>}
    >
      <Field label="Search rules" type="search" value={sought} onText={seek} />
      <Entries
        entries={found}
        none={rules.length === 0 ? 'There are no rules.' : 'No rule matches this search.'}
      >
        {({ id, text, hits }) => (
          <li key={id}>
            <Badge>{count(hits)}</Badge>
            <code>
              <PlainText text={text} />
            </code>
            <code class="time">{id}</code>
          </li>
        )}
      </Entries>
    </Panel>
  )
}

function StoredRules({
  stored,
  changed,
}: {
  readonly stored: OperatorRules['stored']
  readonly changed: () => void
}) {
  const [text, setText] = useState(stored.text)
  const [failure, attempt] = useAttempt()
  const save = () =>
    attempt(async () => {
      await tamis().put('/rules', { body: { text } })
      changed()
    })
  return (
    <Panel
      title="Stored rules"
      note="They come after those of the file, and apply as soon as they are saved."
    >
      <Faults faults={stored.faults} />
      <Form onSubmit={save} aria-label="Stored rules">
        <textarea
          aria-label="Rules, one a line"
          rows={12}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {failure !== undefined && <ErrorNote error={failure} />}
        <button type="submit" class="button" disabled={text === stored.text}>
          Save
        </button>
      </Form>
    </Panel>
  )
}

function Faults({ faults }: { readonly faults: OperatorRules['stored']['faults'] }) {
  if (faults.length === 0) return null
  return (
    <ul class="error-note" aria-label="Faults">
      {faults.map(({ line, column, message }) => (
        <li key={`${line} ${column}`}>
          Line {line}, column {column}: <PlainText text={message} />
        </li>
      ))}
    </ul>
  )
}
