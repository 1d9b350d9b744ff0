/** Users: what a user has taught, and how it is changed and forgotten. */
import { useState } from 'preact/hooks'
import type { ClassRule, DeletedData, MemoryResult, SpamRule } from '../../client/types.ts'
import { tamis } from '../api.ts'
import { count, counted } from '../format.ts'
import { Empty, ErrorNote, Field, Icon, Loading } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { useAnswer } from '../ui/use-answer.ts'
import { DeleteUser, Receipt } from './delete-user.tsx'
import { MemoryPanel } from './memory-panel.tsx'
import { RulesPanel } from './rules-panel.tsx'

export type Rule = (SpamRule & { readonly kind: 'spam' }) | (ClassRule & { readonly kind: 'class' })
export type MemoryItem = MemoryResult['items'][number]

export interface Known {
  readonly rules: readonly Rule[]
  readonly memory: readonly MemoryItem[]
}

async function everythingOf(userId: string): Promise<Known> {
  const [spam, classes, memory] = await Promise.all([
    tamis().rules(userId),
    tamis().tabsRules(userId),
    tamis().memory(userId),
  ])
  const rules: Rule[] = [
    ...spam.rules.map((rule) => ({ ...rule, kind: 'spam' as const })),
    ...classes.rules.map((rule) => ({ ...rule, kind: 'class' as const })),
  ]
  return {
    rules: rules.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
    memory: memory.items.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
  }
}

export function UsersPage() {
  const [draft, setDraft] = useState('')
  const [userId, setUserId] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    setUserId(draft.trim())
  }
  return (
    <div class="page">
      <div class="page-head">
        <h1>Users</h1>
        <p class="quiet">The rules and the memory of one user. No text of messages is stored.</p>
      </div>
      <form class="ask-user" onSubmit={submit}>
        <Field
          label="User"
          value={draft}
          maxLength={256}
          placeholder="user id in your mail system, for example demo"
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
        <button type="submit" class="button primary" disabled={draft.trim() === ''}>
          Show
        </button>
      </form>
      {userId === '' ? (
        <Empty title="Choose a user">
          <p>
            Enter the id that the header X-User-ID has. Corrections made under Try belong to the
            user demo.
          </p>
        </Empty>
      ) : (
        <User key={userId} userId={userId} />
      )}
    </div>
  )
}

function User({ userId }: { readonly userId: string }) {
  const [answer, again] = useAnswer(userId, () => everythingOf(userId))
  const [sought, setSought] = useState('')
  const [receipt, setReceipt] = useState<DeletedData>()
  const [failure, setFailure] = useState<unknown>()
  const [isDeleting, setIsDeleting] = useState(false)

  /** What is shown afterwards is what the service says then. */
  const change = async (work: () => Promise<unknown>) => {
    setFailure(undefined)
    try {
      await work()
      again()
    } catch (error) {
      setFailure(error)
    }
  }
  const known = answer.value
  return (
    <>
      <div class="user-head">
        <h2>
          <PlainText text={userId} />
        </h2>
        {known !== undefined && (
          <span class="quiet">
            {counted(known.rules.length, 'rule')}, {count(known.memory.length)} remembered
          </span>
        )}
        <button type="button" class="button danger" onClick={() => setIsDeleting(true)}>
          <Icon name="trash" /> Delete all data
        </button>
      </div>
      {receipt !== undefined && <Receipt receipt={receipt} />}
      {failure !== undefined && <ErrorNote error={failure} />}
      {answer.step === 'failed' && <ErrorNote error={answer.error} retry={again} />}
      {known === undefined && answer.step === 'asking' && (
        <Loading what="Loading rules and memory" />
      )}
      {known !== undefined && (
        <>
          <div class="sought">
            <Field
              label="Search rules and memory"
              type="search"
              value={sought}
              onInput={(event) => setSought(event.currentTarget.value)}
            />
          </div>
          <RulesPanel userId={userId} rules={known.rules} sought={sought} change={change} />
          <MemoryPanel memory={known.memory} sought={sought} change={change} />
        </>
      )}
      {isDeleting && (
        <DeleteUser
          userId={userId}
          onClose={() => setIsDeleting(false)}
          onConfirm={() => {
            setIsDeleting(false)
            void change(async () => setReceipt(await tamis().deleteData(userId)))
          }}
        />
      )}
    </>
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
