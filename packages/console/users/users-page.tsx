/** Users: the list of those with stored data, with search, and each by an address of their own. */
import { useEffect, useState } from 'preact/hooks'
import type { UsersResult } from '../../client/client.ts'
import { tamis } from '../api.ts'
import { count, counted, dayTime } from '../format.ts'
import { nameIn, pageAddress } from '../ui/page-address.ts'
import { Button, Empty, ErrorNote, Field, Form, Loading, Panel } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { useAnswer, useAttempt } from '../ui/use-answer.ts'
import { UserPanels } from './user-panels.tsx'

/** Users shown at first, and with each request for more. */
const PAGE = 50

/** How long the search waits for the next key, in milliseconds: one request a word, not one a letter. */
const TYPING_MS = 250

export function UsersPage() {
  const [userId, setUserId] = useState(() => nameIn(location.hash, 'users'))
  useEffect(() => {
    const follow = () => setUserId(nameIn(location.hash, 'users'))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return (
    <div class="page">
      <div class="page-head">
        <h1>Users</h1>
        {userId === undefined ? (
          <p class="quiet">All users with rules or corrections. No message text is stored.</p>
        ) : (
          <a href="#/users">All users</a>
        )}
      </div>
      {userId === undefined ? <UserSearch /> : <UserPanels key={userId} userId={userId} />}
    </div>
  )
}

function UserSearch() {
  const [draft, setDraft] = useState('')
  const search = useSettled(draft.trim(), TYPING_MS)
  const open = () => {
    location.hash = pageAddress('users', draft.trim())
  }
  return (
    <>
      <Form class="ask-user" onSubmit={open}>
        <Field
          label="User id"
          value={draft}
          maxLength={256}
          placeholder="beginning of a user id"
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
        <button type="submit" class="button primary" disabled={draft.trim() === ''}>
          Show
        </button>
      </Form>
      <UserList search={search} />
    </>
  )
}

/** `value` as it has been for `ms`. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}

function UserList({ search }: { readonly search: string }) {
  const [answer, again] = useAnswer(search, () =>
    tamis().get('/users', { params: { query: { search, limit: PAGE } } }),
  )
  if (answer.value !== undefined) {
    return <FoundUsers key={search} search={search} first={answer.value} />
  }
  if (answer.step === 'failed') return <ErrorNote error={answer.error} retry={again} />
  return <Loading what="Loading users" />
}

function FoundUsers({ search, first }: { readonly search: string; readonly first: UsersResult }) {
  const [users, setUsers] = useState(first.users)
  const [cursor, setCursor] = useState(first.cursor)
  const [failure, attempt] = useAttempt()
  const more = () =>
    attempt(async () => {
      const next = await tamis().get('/users', {
        params: { query: { search, limit: PAGE, cursor } },
      })
      setUsers([...users, ...next.users])
      setCursor(next.cursor)
    })
  if (users.length === 0) {
    return (
      <Empty title={search === '' ? 'No users yet' : 'No users found'}>
        <p>
          {search === ''
            ? 'A user is listed here after the first correction or rule.'
            : 'No user with stored data has an id that begins like this. Case matters.'}
        </p>
      </Empty>
    )
  }
  return (
    <Panel title={search === '' ? 'All users' : 'Users found'}>
      <ul class="stored">
        {users.map(({ userId, rules, corrections, lastCorrection }) => (
          <li key={userId}>
            <a href={pageAddress('users', userId)}>
              <PlainText text={userId} />
            </a>
            <span>
              {counted(corrections, 'correction')}
              {rules > 0 && `, ${counted(rules, 'rule')} by hand`}
            </span>
            <span class="time">{lastCorrection !== undefined && dayTime(lastCorrection)}</span>
          </li>
        ))}
      </ul>
      {failure !== undefined && <ErrorNote error={failure} />}
      {cursor !== undefined && (
        <Button class="link" onClick={() => void more()}>
          Show more ({count(users.length)} shown)
        </Button>
      )}
    </Panel>
  )
}
