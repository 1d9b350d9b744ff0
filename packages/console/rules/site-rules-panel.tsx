/** The site rules that the tenant has made, and a new one. */
import { useState } from 'preact/hooks'
import type { SiteRule } from '../../client/types.ts'
import { ATTACHMENT_KINDS } from '../../mail/signals/attachment-kind.ts'
import { tamis } from '../api.ts'
import { counted, dayTime } from '../format.ts'
import { Entries } from '../ui/entries.tsx'
import { Badge, Button, Choice, ErrorNote, Field, Form, Icon, Panel } from '../ui/parts.tsx'
import { useAttempt } from '../ui/use-answer.ts'
import { faultOf, fieldOf } from './form-failure.ts'
import { RuleEntry, soughtRules, verbOf } from './rule-entries.tsx'

type RuleType = SiteRule['ruleType']

/** By what a rule goes, with an example of its value. */
const PATTERN_HINTS: Readonly<Record<RuleType, string>> = {
  Sender: 'ann@example.com, example.com, *.example.com',
  List: 'a List-Id, or the address of a list',
  Host: 'mail.example.net, *.dsl.example.net',
  Network: '192.0.2.7, 198.51.100.0/24, 2001:db8::/32',
  Attachment: ATTACHMENT_KINDS.join(', '),
}

const TYPES = Object.keys(PATTERN_HINTS) as RuleType[]

/** The fields of the form, by which the service names what is wrong. */
const FIELDS: readonly (string | undefined)[] = ['label', 'ruleType', 'pattern', 'recipientDomain']

export function SiteRulesPanel({
  rules,
  sought,
  changed,
}: {
  readonly rules: readonly SiteRule[]
  readonly sought: string
  readonly changed: () => void
}) {
  const [failure, attempt] = useAttempt()
  const found = soughtRules(rules, sought)
  const remove = ({ id }: SiteRule) =>
    attempt(async () => {
      await tamis().removeSiteRule(id)
      changed()
    })
  return (
    <Panel title="Site rules" aside={<Badge>{counted(rules.length, 'rule')}</Badge>}>
      {failure !== undefined && <ErrorNote error={failure} />}
      {found.length === 0 ? (
        <p class="quiet">
          {rules.length === 0 ? 'There are no site rules.' : 'No rule matches this search.'}
        </p>
      ) : (
        <Entries entries={found} label="Site rules">
          {(rule) => (
            <RuleEntry key={rule.id} rule={rule}>
              <span class="entry-when time">{dayTime(rule.createdAt!)}</span>
              <Button
                class="ghost square"
                aria-label={`Remove: ${verbOf(rule)} ${rule.pattern}`}
                onClick={() => void remove(rule)}
              >
                <Icon name="trash" />
              </Button>
            </RuleEntry>
          )}
        </Entries>
      )}
      <NewRule changed={changed} />
    </Panel>
  )
}

function NewRule({ changed }: { readonly changed: () => void }) {
  const [label, setLabel] = useState<SiteRule['label']>('spam')
  const [ruleType, setRuleType] = useState<RuleType>('Sender')
  const [pattern, setPattern] = useState('')
  const [domain, setDomain] = useState('')
  const [failure, attempt] = useAttempt()
  const add = () =>
    attempt(async () => {
      const rule = { label, ruleType, pattern: pattern.trim() }
      const recipientDomain = domain.trim()
      await tamis().createSiteRule({ ...rule, ...(recipientDomain !== '' && { recipientDomain }) })
      setPattern('')
      changed()
    })
  return (
    <>
      <Form class="new-entry" onSubmit={add} aria-label="New site rule">
        <Choice
          label="Action"
          value={label}
          options={[
            ['spam', 'block'],
            ['ham', 'allow'],
          ]}
          error={faultOf(failure, 'label')}
          onChoice={setLabel}
        />
        <Choice
          label="Match by"
          value={ruleType}
          options={TYPES.map((name) => [name, name.toLowerCase()] as const)}
          error={faultOf(failure, 'ruleType')}
          onChoice={setRuleType}
        />
        <Field
          label="Value"
          value={pattern}
          maxLength={1_024}
          placeholder={PATTERN_HINTS[ruleType]}
          error={faultOf(failure, 'pattern')}
          onInput={(event) => setPattern(event.currentTarget.value)}
        />
        <Field
          label="Recipient domain (empty: all users)"
          value={domain}
          maxLength={1_024}
          placeholder="example.org"
          error={faultOf(failure, 'recipientDomain')}
          onInput={(event) => setDomain(event.currentTarget.value)}
        />
        <button type="submit" class="button" disabled={pattern.trim() === ''}>
          <Icon name="plus" /> Add rule
        </button>
      </Form>
      {failure !== undefined && !FIELDS.includes(fieldOf(failure)) && <ErrorNote error={failure} />}
    </>
  )
}
