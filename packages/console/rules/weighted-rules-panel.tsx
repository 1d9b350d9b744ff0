/** The weighted rules that the tenant has made, those of files, and a new one. */
import { useState } from 'preact/hooks'
import type { WeightedCondition, WeightedRule } from '../../client/types.ts'
import {
  CONDITION_PARTS,
  CONDITIONS_MAX,
  type ConditionPart,
  PATTERN_LENGTH_MAX,
  WEIGHT_MAX,
} from '../../mail/personalization/weighted-rule.ts'
import { ATTACHMENT_KINDS } from '../../mail/signals/attachment-kind.ts'
import { tamis } from '../api.ts'
import { counted, dayTime } from '../format.ts'
import { Entries } from '../ui/entries.tsx'
import { matches } from '../ui/matches.ts'
import { Badge, Button, Choice, ErrorNote, Field, Form, Icon, Panel } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { useAttempt } from '../ui/use-answer.ts'
import { faultOf, fieldOf } from './form-failure.ts'

export function WeightedRulesPanel({
  rules,
  inFiles,
  sought,
  changed,
}: {
  readonly rules: readonly WeightedRule[]
  /** Those of the operator's files, which no page changes. */
  readonly inFiles: readonly WeightedRule[]
  readonly sought: string
  readonly changed: () => void
}) {
  const [failure, attempt] = useAttempt()
  const all = [...rules, ...inFiles]
  const found = all.filter((rule) => matches(sought, [rule.name, rule.id, conditionsOf(rule)]))
  const remove = ({ id }: WeightedRule) =>
    attempt(async () => {
      await tamis().removeWeightedRule(id)
      changed()
    })
  return (
    <Panel
      title="Weighted rules"
      note="Each adds its weight to the log-odds of spam if it holds; one below 0 speaks against spam. Try rules on a folder before you add them: tamis weighted-rules try."
      aside={<Badge>{counted(all.length, 'rule')}</Badge>}
    >
      {failure !== undefined && <ErrorNote error={failure} />}
      {found.length === 0 ? (
        <p class="quiet">
          {all.length === 0 ? 'There are no weighted rules.' : 'No rule matches this search.'}
        </p>
      ) : (
        <Entries entries={found} label="Weighted rules">
          {(rule) => (
            <li class="entry" key={rule.id}>
              <Badge tone={rule.weight > 0 ? 'spam' : 'ham'}>{signed(rule.weight)}</Badge>
              <div class="entry-what">
                <span class="pattern">{rule.name}</span>{' '}
                <span class="quiet">
                  <PlainText text={conditionsOf(rule)} />
                </span>
              </div>
              {rule.createdAt === null ? (
                <code class="entry-when">{rule.id}</code>
              ) : (
                <>
                  <span class="entry-when time">{dayTime(rule.createdAt)}</span>
                  <Button
                    class="ghost square"
                    aria-label={`Remove: ${rule.name}`}
                    onClick={() => void remove(rule)}
                  >
                    <Icon name="trash" />
                  </Button>
                </>
              )}
            </li>
          )}
        </Entries>
      )}
      <NewRule changed={changed} />
    </Panel>
  )
}

function signed(weight: number): string {
  return weight > 0 ? `+${weight}` : `−${-weight}`
}

function conditionsOf({ conditions }: WeightedRule): string {
  return conditions.map(conditionWords).join(' and ')
}

function conditionWords({ part, field, contains, matches: pattern, kind }: WeightedCondition) {
  const verb = contains === undefined ? pattern && 'matches' : 'contains'
  const words = [part, field, verb, contains ?? pattern ?? kind]
  return words.filter((word) => word !== undefined).join(' ')
}

/** A condition as the form has it. */
interface Draft {
  readonly part: ConditionPart
  readonly field: string
  readonly verb: 'contains' | 'matches'
  readonly value: string
}

const EMPTY: Draft = { part: 'subject', field: '', verb: 'contains', value: '' }

/** What is sent; the service says what is wrong with it. */
function conditionOf({ part, field, verb, value }: Draft): WeightedCondition {
  if (part === 'attachment') return { part, kind: value as NonNullable<WeightedCondition['kind']> }
  return { part, ...(part === 'header' && { field: field.trim() }), [verb]: value.trim() }
}

/** The fields of the form, by which the service names what is wrong. */
const FIELDS: readonly (string | undefined)[] = ['name', 'weight']

function NewRule({ changed }: { readonly changed: () => void }) {
  const [name, setName] = useState('')
  const [weight, setWeight] = useState('')
  const [drafts, setDrafts] = useState<readonly Draft[]>([EMPTY])
  const [failure, attempt] = useAttempt()
  const isComplete =
    name.trim() !== '' && weight.trim() !== '' && drafts.every(({ value }) => value)
  const add = () =>
    attempt(async () => {
      const conditions = drafts.map(conditionOf)
      await tamis().createWeightedRule({ name: name.trim(), weight: Number(weight), conditions })
      setName('')
      setWeight('')
      setDrafts([EMPTY])
      changed()
    })
  const change = (at: number, draft: Draft) => setDrafts(drafts.with(at, draft))
  return (
    <>
      <Form class="new-entry" onSubmit={add} aria-label="New weighted rule">
        <Field
          label="Name"
          value={name}
          maxLength={40}
          placeholder="ACME_FAX_SPAM"
          error={faultOf(failure, 'name')}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <Field
          label={`Weight (-${WEIGHT_MAX} to ${WEIGHT_MAX})`}
          value={weight}
          inputMode="decimal"
          placeholder="2.5"
          error={faultOf(failure, 'weight')}
          onInput={(event) => setWeight(event.currentTarget.value)}
        />
        {drafts.map((draft, at) => (
          <ConditionFields
            key={at}
            number={at + 1}
            draft={draft}
            onChange={(next) => change(at, next)}
          />
        ))}
        {drafts.length < CONDITIONS_MAX && (
          <Button class="ghost" onClick={() => setDrafts([...drafts, EMPTY])}>
            Add condition
          </Button>
        )}
        <button type="submit" class="button" disabled={!isComplete}>
          <Icon name="plus" /> Add weighted rule
        </button>
      </Form>
      {failure !== undefined && !FIELDS.includes(fieldOf(failure)) && <ErrorNote error={failure} />}
    </>
  )
}

function ConditionFields({
  number,
  draft,
  onChange,
}: {
  readonly number: number
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
}) {
  const { part, field, verb, value } = draft
  const [firstKind] = ATTACHMENT_KINDS
  return (
    <>
      <Choice
        label={`Condition ${number}`}
        value={part}
        options={CONDITION_PARTS.map((each) => [each, each] as const)}
        onChoice={(next) =>
          onChange({ ...EMPTY, part: next, value: next === 'attachment' ? firstKind : '' })
        }
      />
      {part === 'header' && (
        <Field
          label={`Field ${number}`}
          value={field}
          maxLength={77}
          placeholder="X-Mailer"
          onInput={(event) => onChange({ ...draft, field: event.currentTarget.value })}
        />
      )}
      {part === 'attachment' ? (
        <Choice
          label={`Kind ${number}`}
          value={value}
          options={ATTACHMENT_KINDS.map((each) => [each, each] as const)}
          onChoice={(kind) => onChange({ ...draft, value: kind })}
        />
      ) : (
        <>
          <Choice
            label={`How ${number}`}
            value={verb}
            options={[
              ['contains', 'contains words'],
              ['matches', 'matches pattern'],
            ]}
            onChoice={(next) => onChange({ ...draft, verb: next })}
          />
          <Field
            label={`Words or pattern ${number}`}
            value={value}
            maxLength={PATTERN_LENGTH_MAX}
            placeholder={verb === 'contains' ? 'fax received' : 'fax (no|number) [0-9]+'}
            onInput={(event) => onChange({ ...draft, value: event.currentTarget.value })}
          />
        </>
      )}
    </>
  )
}
