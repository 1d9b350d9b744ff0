/** Users: the list of those with stored data, with search, and each by an address of their own. */
import { useEffect, useState } from 'preact/hooks'
import { tamis } from '../api.ts'
import { counted, dayTime } from '../format.ts'
import { nameIn, pageAddress, useHash } from '../ui/page-address.ts'
import { Button, Empty, ErrorNote, Field, Form, Loading, Page, Panel } from '../ui/parts.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { usePages } from '../ui/use-answer.ts'
import { User } from './user.tsx'

/** Users shown at first, and with each request for more. */
const USERS_AT_ONCE = 50

/** How long the search waits for the next key: one request a word, not one a letter. */
const TYPING_MS = 250

export function UsersPage() {
  const userId = nameIn(useHash(), 'users')
  return (
    <Page
      title="Users"
      about={
        userId === undefined ? (
          'All users with rules or corrections. No message text is stored.'
        ) : (
          <a href="#/users">All users</a>
        )
      }
    >
      {userId === undefined ? <UserSearch /> : <User key={userId} userId={userId} />}
    </Page>
  )
}

function UserSearch() {
  const [draft, setDraft] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(draft.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [draft])
  const open = () => {
    location.hash = pageAddress('users', draft.trim())
  }
  return (
    <>
      <Form class="row fields" onSubmit={open}>
        <Field
          label="User id"
          value={draft}
          maxLength={256}
          placeholder="beginning of a user id"
          onText={setDraft}
        />
        <button type="submit" class="button primary" disabled={draft.trim() === ''}>
          Show
        </button>
      </Form>
      <UserList key={search} search={search} />
    </>
  )
}

function UserList({ search }: { readonly search: string }) {
  const { pages, answer, more } = usePages((cursor) =>
    tamis().get('/users', { params: { query: { search, limit: USERS_AT_ONCE, cursor } } }),
  )
  const users = pages.flatMap((page) => page.users)
  if (answer.step === 'failed') return <ErrorNote error={answer.error} retry={more} />
  if (pages.length === 0) return <Loading what="Loading users" />
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
      <ul class="rows">
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
      {pages.at(-1)?.cursor !== undefined && (
        <Button class="link" onClick={more}>
          Show more
        </Button>
      )}
    </Panel>
  )
}
