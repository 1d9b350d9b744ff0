/** The rules of a user: those they made, those that corrections made, and a new one. */
import { useState } from 'preact/hooks'
import type { RemoveRuleBody } from '../../client/client.ts'
import { CLASSES } from '../../mail/models/prediction.ts'
import { RULE_TYPES } from '../../mail/personalization/kinds.ts'
import { tamis } from '../api.ts'
import { counted, dayTime } from '../format.ts'
import { matches } from '../ui/matches.ts'
import { Badge, Button, Choice, Field, Form, Icon, Panel } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import type { Rule } from './stored.ts'

type Change = (work: () => Promise<unknown>) => Promise<void>

export function RulesPanel({
  userId,
  rules,
  sought,
  change,
}: {
  readonly userId: string
  readonly rules: readonly Rule[]
  readonly sought: string
  readonly change: Change
}) {
  const found = rules.filter((rule) =>
    matches(sought, [labelOf(rule), rule.ruleType, rule.pattern, rule.source]),
  )
  const remove = (rule: Rule) => {
    const { ruleType, pattern } = rule
    const name = { userId, ruleType, pattern }
    return rule.kind === 'spam'
      ? tamis().delete('/personalization/rules/remove', { body: name })
      : tamis().delete('/personalization/tabs/rules/remove', { body: name })
  }
  return (
    <Panel title="Rules" aside={<Badge>{counted(rules.length, 'rule')}</Badge>}>
      {found.length === 0 ? (
        <p class="quiet">
          {rules.length === 0 ? 'There are no rules.' : 'No rule matches this search.'}
        </p>
      ) : (
        <ul class="stored with-label">
          {found.map((rule) => (
            <li key={`${rule.kind} ${rule.id}`}>
              <LabelBadge label={labelOf(rule)} />
              <span>
                {rule.ruleType}{' '}
                <span class="pattern">
                  <PlainText text={rule.pattern} />
                </span>{' '}
                <span class="quiet">
                  {rule.source === 'correction' ? 'from a correction' : 'made by hand'}
                </span>{' '}
                {rule.unverified && (
                  <Badge title="Not made from an authenticated message">unverified</Badge>
                )}
              </span>
              <span class="time">{dayTime(rule.createdAt)}</span>
              <Button
                class="ghost square"
                aria-label={`Remove the rule about ${rule.pattern}`}
                onClick={() => void change(() => remove(rule))}
              >
                <Icon name="trash" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <NewRule userId={userId} change={change} />
    </Panel>
  )
}

function labelOf(rule: Rule): string {
  return rule.kind === 'spam' ? rule.label : rule.classification
}

export function LabelBadge({ label }: { readonly label: string }) {
  if (label === 'spam') return <Badge tone="spam">spam</Badge>
  if (label === 'ham') return <Badge tone="ham">not spam</Badge>
  return <Badge tone="accent">{label}</Badge>
}

const PATTERN_HINTS: Readonly<Record<RemoveRuleBody['ruleType'], string>> = {
  Sender: 'ann@example.com, example.com, *.example.com',
  List: 'a List-Id, address or host',
  Thread: 'a Message-ID',
  Template: 'the pattern of a rule made from a message',
}

const LABELS = [
  ['ham', 'not spam'],
  ['spam', 'spam'],
  ...CLASSES.map((name) => [name, name] as const),
] as const

function NewRule({ userId, change }: { readonly userId: string; readonly change: Change }) {
  const [ruleType, setRuleType] = useState<RemoveRuleBody['ruleType']>('Sender')
  const [label, setLabel] = useState<(typeof LABELS)[number][0]>('ham')
  const [pattern, setPattern] = useState('')
  const add = async () => {
    const rule = { userId, ruleType, pattern: pattern.trim() }
    if (label === 'spam' || label === 'ham')
      await tamis().post('/personalization/rules', { body: { ...rule, label } })
    else
      await tamis().post('/personalization/tabs/rules', {
        body: { ...rule, classification: label },
      })
    setPattern('')
  }
  return (
    <Form class="new-rule" onSubmit={() => change(add)} aria-label="New rule">
      <Choice label="Treat as" value={label} options={LABELS} onChoice={setLabel} />
      <Choice
        label="Match by"
        value={ruleType}
        options={RULE_TYPES.map((name) => [name, name] as const)}
        onChoice={setRuleType}
      />
      <Field
        label="Pattern"
        value={pattern}
        maxLength={1_024}
        placeholder={PATTERN_HINTS[ruleType]}
        onInput={(event) => setPattern(event.currentTarget.value)}
      />
      <button type="submit" class="button" disabled={pattern.trim() === ''}>
        <Icon name="plus" /> Add rule
      </button>
    </Form>
  )
}
