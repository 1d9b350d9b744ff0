/** Thresholds and learning that the tenant has set for users and for the recipients of domains. */
import { useState } from 'preact/hooks'
import type { RecipientSetting } from '../../client/types.ts'
import { tamis } from '../api.ts'
import { count, dayTime } from '../format.ts'
import { Entries } from '../ui/entries.tsx'
import { matches } from '../ui/matches.ts'
import { Badge, Button, Choice, ErrorNote, Field, Form, Icon, Panel } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { useAttempt } from '../ui/use-answer.ts'
import { faultOf, fieldOf } from './form-failure.ts'

const THRESHOLDS = [
  ['', 'default'],
  ['cautious', 'cautious'],
  ['balanced', 'balanced'],
  ['strict', 'strict'],
  ['number', 'a probability'],
] as const

type ThresholdChoice = (typeof THRESHOLDS)[number][0]

const LEARNING = [
  ['', 'default'],
  ['on', 'on'],
  ['off', 'off'],
] as const

/** The fields of the form, by which the service names what is wrong. */
const FIELDS: readonly (string | undefined)[] = ['kind', 'name', 'threshold', 'learning']

export function RecipientsPanel({
  recipients,
  sought,
  changed,
}: {
  readonly recipients: readonly RecipientSetting[]
  readonly sought: string
  readonly changed: () => void
}) {
  const [failure, attempt] = useAttempt()
  const found = recipients.filter((setting) =>
    matches(sought, [setting.kind, setting.name, sentenceOf(setting)]),
  )
  const remove = ({ kind, name }: RecipientSetting) =>
    attempt(async () => {
      await tamis().removeRecipient({ kind, name })
      changed()
    })
  return (
    <Panel
      title="Recipients"
      note="When mail is spam, and whether Tamis learns from corrections. A user's setting takes precedence over the domain's."
      aside={<Badge>{count(recipients.length)} set</Badge>}
    >
      {failure !== undefined && <ErrorNote error={failure} />}
      {found.length === 0 ? (
        <p class="quiet">
          {recipients.length === 0
            ? 'No user or domain has settings of its own.'
            : 'No recipient matches this search.'}
        </p>
      ) : (
        <Entries entries={found} label="Recipients">
          {(setting) => (
            <li class="entry" key={`${setting.kind} ${setting.name}`}>
              <Badge>{setting.kind}</Badge>
              <div class="entry-what">
                <span class="pattern">
                  <PlainText text={setting.name} />
                </span>{' '}
                <span class="quiet">{sentenceOf(setting)}</span>
              </div>
              <span class="entry-when time">{dayTime(setting.updatedAt!)}</span>
              <Button
                class="ghost square"
                aria-label={`Remove the settings for ${setting.name}`}
                onClick={() => void remove(setting)}
              >
                <Icon name="trash" />
              </Button>
            </li>
          )}
        </Entries>
      )}
      <NewSetting changed={changed} />
    </Panel>
  )
}

/** 'threshold strict, learning off'. */
function sentenceOf({ threshold, learning }: RecipientSetting): string {
  return [
    ...(threshold === null ? [] : [`threshold ${threshold}`]),
    ...(learning === null ? [] : [`learning ${learning}`]),
  ].join(', ')
}

function NewSetting({ changed }: { readonly changed: () => void }) {
  const [kind, setKind] = useState<RecipientSetting['kind']>('domain')
  const [name, setName] = useState('')
  const [threshold, setThreshold] = useState<ThresholdChoice>('')
  const [number, setNumber] = useState('')
  const [learning, setLearning] = useState<(typeof LEARNING)[number][0]>('')
  const [failure, attempt] = useAttempt()
  const set = () =>
    attempt(async () => {
      await tamis().setRecipient({
        kind,
        name: name.trim(),
        threshold: threshold === 'number' ? Number(number) : threshold || null,
        learning: learning || null,
      })
      setName('')
      changed()
    })
  const isWhole = name.trim() !== '' && threshold + learning !== ''
  return (
    <>
      <Form class="new-entry" onSubmit={set} aria-label="New recipient setting">
        <Choice
          label="For a"
          value={kind}
          options={[
            ['domain', 'domain'],
            ['user', 'user'],
          ]}
          error={faultOf(failure, 'kind')}
          onChoice={setKind}
        />
        <Field
          label="Name"
          value={name}
          maxLength={256}
          placeholder={kind === 'domain' ? 'example.org' : 'user id, for example ann@example.org'}
          error={faultOf(failure, 'name')}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <Choice
          label="Threshold"
          value={threshold}
          options={THRESHOLDS}
          error={threshold === 'number' ? undefined : faultOf(failure, 'threshold')}
          onChoice={setThreshold}
        />
        {threshold === 'number' && (
          <Field
            label="Spam above"
            value={number}
            inputMode="decimal"
            placeholder="0.95"
            error={faultOf(failure, 'threshold')}
            onInput={(event) => setNumber(event.currentTarget.value)}
          />
        )}
        <Choice
          label="Learning"
          value={learning}
          options={LEARNING}
          error={faultOf(failure, 'learning')}
          onChoice={setLearning}
        />
        <button type="submit" class="button" disabled={!isWhole}>
          Set
        </button>
      </Form>
      {failure !== undefined && !FIELDS.includes(fieldOf(failure)) && <ErrorNote error={failure} />}
    </>
  )
}
