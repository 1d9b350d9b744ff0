/** What is stored about a user: rules and corrections, and how they are changed and deleted. */
import { useState } from 'preact/hooks'
import type {
  ClassRule,
  DeletedData,
  MemoryResult,
  RemoveRuleBody,
  SpamRule,
} from '../../client/client.ts'
import { CLASSES, type MessageClass } from '../../mail/models/prediction.ts'
import { RULE_TYPES } from '../../mail/personalization/kinds.ts'
import { tamis } from '../api.ts'
import { count, counted, dayTime } from '../format.ts'
import { ALL, Found } from '../history/history-page.tsx'
import {
  Asked,
  Badge,
  Button,
  Choice,
  Dialog,
  Entries,
  ErrorNote,
  Field,
  Form,
  Icon,
  matches,
  Panel,
} from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { useAnswer, useAttempt } from '../ui/use-answer.ts'
import { senderText } from '../ui/withdraw-correction.tsx'

type Rule = SpamRule | ClassRule

async function storedOf(userId: string) {
  const [spam, classes, memory] = await Promise.all([
    tamis().get('/personalization/rules', { params: { query: { userId } } }),
    tamis().get('/personalization/tabs/rules', { params: { query: { userId } } }),
    tamis().get('/personalization/memory', { params: { query: { userId } } }),
  ])
  const rules: Rule[] = [...spam.rules, ...classes.rules]
  rules.sort((a, b) => b.createdAt.localeCompare(a.createdAt))
  return { rules, corrections: memory.items }
}

/** Does `work` and loads again what is stored, or shows why it failed. */
type Change = (work: () => Promise<unknown>) => Promise<void>

interface ListProps {
  readonly rules: readonly Rule[]
  readonly sought: string
  readonly change: Change
}

export function User({ userId }: { readonly userId: string }) {
  const [answer, again] = useAnswer(userId, () => storedOf(userId))
  const [sought, setSought] = useState('')
  const [receipt, setReceipt] = useState<DeletedData>()
  const [failure, attempt] = useAttempt()
  const [isDeleting, setIsDeleting] = useState(false)
  const change: Change = (work) =>
    attempt(async () => {
      await work()
      again()
    })
  return (
    <>
      <div class="page-head">
        <h2>
          <PlainText text={userId} />
        </h2>
        <Button class="button danger end" onClick={() => setIsDeleting(true)}>
          <Icon name="trash" /> Delete all data
        </Button>
      </div>
      {receipt !== undefined && <Receipt receipt={receipt} />}
      {failure !== undefined && <ErrorNote error={failure} />}
      <Asked answer={answer} again={again}>
        {(stored) => (
          <>
            <Field
              label="Search rules and memory"
              type="search"
              value={sought}
              onText={setSought}
            />
            <Rules userId={userId} rules={stored.rules} sought={sought} change={change} />
            <Memory {...stored} sought={sought} change={change} />
          </>
        )}
      </Asked>
      <h2>History</h2>
      <Found search={{ ...ALL, recipient: userId }} />
      {isDeleting && (
        <DeleteUser
          userId={userId}
          onClose={() => setIsDeleting(false)}
          onConfirm={() => {
            setIsDeleting(false)
            void change(async () =>
              setReceipt(await tamis().delete('/personalization/data', { body: { userId } })),
            )
          }}
        />
      )}
    </>
  )
}

function Rules({ userId, rules, sought, change }: ListProps & { readonly userId: string }) {
  const found = rules.filter((rule) =>
    matches(sought, [labelOf(rule), rule.ruleType, rule.pattern, rule.source]),
  )
  const remove = (rule: Rule) => {
    const body = { userId, ruleType: rule.ruleType, pattern: rule.pattern }
    const kind = 'label' in rule ? 'rules' : 'tabs/rules'
    return tamis().delete(`/personalization/${kind}/remove`, { body })
  }
  return (
    <Panel title="Rules" aside={<Badge>{counted(rules.length, 'rule')}</Badge>}>
      <Entries
        entries={found}
        none={rules.length === 0 ? 'There are no rules.' : 'No rule matches this search.'}
      >
        {(rule) => (
          <li key={`${labelOf(rule)} ${rule.id}`}>
            <LabelBadge label={labelOf(rule)} />
            <span>
              {rule.ruleType}{' '}
              <code>
                <PlainText text={rule.pattern} />
              </code>{' '}
              <span class="quiet">
                {rule.source === 'correction' ? 'from a correction' : 'made by hand'}
              </span>{' '}
              {rule.unverified && (
                <Badge title="Not made from an authenticated message">unverified</Badge>
              )}
            </span>
            <span class="time">{dayTime(rule.createdAt)}</span>
            <Button
              class="ghost"
              aria-label={`Remove the rule about ${rule.pattern}`}
              onClick={() => void change(() => remove(rule))}
            >
              <Icon name="trash" />
            </Button>
          </li>
        )}
      </Entries>
      <NewRule userId={userId} change={change} />
    </Panel>
  )
}

function labelOf(rule: Rule): string {
  return 'label' in rule ? rule.label : rule.classification
}

function LabelBadge({ label }: { readonly label: string }) {
  if (label === 'spam') return <Badge tone="spam">spam</Badge>
  if (label === 'ham') return <Badge tone="ham">not spam</Badge>
  return <Badge tone="accent">{label}</Badge>
}

type RuleType = RemoveRuleBody['ruleType']

const PATTERN_HINTS: Readonly<Record<RuleType, string>> = {
  Sender: 'ann@example.com, example.com, *.example.com',
  List: 'a List-Id, address or host',
  Thread: 'a Message-ID',
  Template: 'the pattern of a rule made from a message',
}

const LABELS = [['ham', 'not spam'], 'spam', ...CLASSES] as const

function NewRule({ userId, change }: { readonly userId: string; readonly change: Change }) {
  const [ruleType, setRuleType] = useState<RuleType>('Sender')
  const [label, setLabel] = useState<'ham' | 'spam' | MessageClass>('ham')
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
    <Form class="row fields" onSubmit={() => change(add)} aria-label="New rule">
      <Choice label="Treat as" value={label} options={LABELS} onChoice={setLabel} />
      <Choice label="Match by" value={ruleType} options={RULE_TYPES} onChoice={setRuleType} />
      <Field
        label="Pattern"
        value={pattern}
        maxLength={1_024}
        placeholder={PATTERN_HINTS[ruleType]}
        onText={setPattern}
      />
      <button type="submit" class="button" disabled={pattern.trim() === ''}>
        <Icon name="plus" /> Add rule
      </button>
    </Form>
  )
}

function Memory({
  corrections,
  rules,
  sought,
  change,
}: ListProps & {
  readonly corrections: MemoryResult['items']
}) {
  // A rule made from a correction has its id.
  const ruleOf = new Map(rules.map(({ id, pattern }) => [id, pattern]))
  const found = corrections.filter((correction) =>
    matches(sought, [
      correction.label === 'ham' ? 'not spam' : correction.label,
      senderText(correction),
      ruleOf.get(correction.feedbackId) ?? '',
      dayTime(correction.createdAt),
    ]),
  )
  return (
    <Panel title="Memory" aside={<Badge>{counted(corrections.length, 'correction')}</Badge>}>
      <Entries
        entries={found}
        none={
          corrections.length === 0
            ? 'There are no corrections.'
            : 'No correction matches this search.'
        }
      >
        {(correction) => {
          const { feedbackId, label, createdAt } = correction
          const rule = ruleOf.get(feedbackId)
          return (
            <li key={feedbackId}>
              <LabelBadge label={label} />
              <span>
                <PlainText text={senderText(correction)} />{' '}
                {rule !== undefined && (
                  <span class="quiet">
                    rule <PlainText text={rule} />
                  </span>
                )}
              </span>
              <span class="time">{dayTime(createdAt)}</span>
              <Button
                class="ghost"
                aria-label={`Withdraw the correction of ${dayTime(createdAt)}`}
                onClick={() =>
                  void change(() =>
                    tamis().delete('/feedback/{feedbackId}', { params: { path: { feedbackId } } }),
                  )
                }
              >
                <Icon name="undo" />
              </Button>
            </li>
          )
        }}
      </Entries>
    </Panel>
  )
}

function DeleteUser({
  userId,
  ...dialog
}: {
  readonly userId: string
  readonly onConfirm: () => void
  readonly onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  return (
    <Dialog
      title="Delete all data of this user?"
      confirm="Delete"
      danger
      disabled={typed.trim() !== userId}
      {...dialog}
    >
      <p>
        Rules, memory and corrections of{' '}
        <strong>
          <PlainText text={userId} />
        </strong>{' '}
        are deleted, and the models are rebuilt as if this user had never existed. This cannot be
        undone.
      </p>
      <Field label="Type the id of the user to confirm" value={typed} onText={setTyped} />
    </Dialog>
  )
}

/** The models are rebuilt by a job, which `GET /jobs/{id}` tells of. */
function Receipt({ receipt }: { readonly receipt: DeletedData }) {
  const { deletedAt, deleted, jobId } = receipt
  const { rules, memory, feedback } = deleted
  return (
    <Panel title="Receipt">
      <p role="status">
        Deleted {counted(rules, 'rule')}, {count(memory)} of the memory and{' '}
        {counted(feedback, 'correction')} on {dayTime(deletedAt)}. The models are rebuilt without
        them (job <code>{jobId}</code>).
      </p>
      <a
        class="button"
        download={`deleted-${deletedAt.slice(0, 10)}.json`}
        href={`data:application/json,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`}
      >
        Save the receipt
      </a>
    </Panel>
  )
}
