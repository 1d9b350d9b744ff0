/** What a user has corrected, and how it is changed and forgotten. */
import { useState } from 'preact/hooks'
import type { DeletedData } from '../../client/client.ts'
import { tamis } from '../api.ts'
import { counted } from '../format.ts'
import { Button, ErrorNote, Field, Icon, Loading } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { useAnswer, useAttempt } from '../ui/use-answer.ts'
import { DeleteUser, Receipt } from './delete-user.tsx'
import { MemoryPanel } from './memory-panel.tsx'
import { RulesPanel } from './rules-panel.tsx'
import type { Correction, Rule } from './stored.ts'

interface Known {
  readonly rules: readonly Rule[]
  /** Newest first. */
  readonly corrections: readonly Correction[]
}

async function everythingOf(userId: string): Promise<Known> {
  const [spam, classes, memory] = await Promise.all([
    tamis().get('/personalization/rules', { params: { query: { userId } } }),
    tamis().get('/personalization/tabs/rules', { params: { query: { userId } } }),
    tamis().get('/personalization/memory', { params: { query: { userId } } }),
  ])
  const rules: Rule[] = [
    ...spam.rules.map((rule) => ({ ...rule, kind: 'spam' as const })),
    ...classes.rules.map((rule) => ({ ...rule, kind: 'class' as const })),
  ]
  const newest = rules.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  return { rules: newest, corrections: memory.items }
}

export function UserPanels({ userId }: { readonly userId: string }) {
  const [answer, again] = useAnswer(userId, () => everythingOf(userId))
  const [sought, setSought] = useState('')
  const [receipt, setReceipt] = useState<DeletedData>()
  const [failure, attempt] = useAttempt()
  const [isDeleting, setIsDeleting] = useState(false)

  /** What is shown afterwards is what the service says then. */
  const change = (work: () => Promise<unknown>) =>
    attempt(async () => {
      await work()
      again()
    })
  const known = answer.value
  return (
    <>
      <div class="user-head">
        <h2>
          <PlainText text={userId} />
        </h2>
        {known !== undefined && (
          <span class="quiet">
            {counted(known.rules.length, 'rule')}, {counted(known.corrections.length, 'correction')}
          </span>
        )}
        <Button class="button danger" onClick={() => setIsDeleting(true)}>
          <Icon name="trash" /> Delete all data
        </Button>
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
          <MemoryPanel
            corrections={known.corrections}
            rules={known.rules}
            sought={sought}
            change={change}
          />
        </>
      )}
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
