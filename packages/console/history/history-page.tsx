/** History: why a message was judged as it was, from what the service keeps of judged messages. */
import { useEffect, useState } from 'preact/hooks'
import type { HistoryResult } from '../../client/client.ts'
import { tamis } from '../api.ts'
import { Connect } from '../ui/connect.tsx'
import { Button, Choice, Empty, ErrorNote, Field, Form, Icon, Loading } from '../ui/parts.tsx'
import { useAnswer, useAttempt } from '../ui/use-answer.ts'
import { useNarrow } from '../ui/use-narrow.ts'
import { HistoryEntry } from './history-entry.tsx'
import { isEverything, questionOf, type Search, searchIn } from './search.ts'

/** Entries that are loaded at once. */
const PAGE = 25

export function HistoryPage() {
  const [search, setSearch] = useState(() => searchIn(location.hash))
  useEffect(() => {
    const follow = () => setSearch(searchIn(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return (
    <div class="page">
      <div class="page-head">
        <h1>History</h1>
        <p class="quiet">Who wrote to whom, the verdict and its reasons. No text is stored.</p>
      </div>
      <FoldedSearch key={search.messageId} search={search} onSearch={setSearch} />
      <Found key={JSON.stringify(search)} search={search} />
    </div>
  )
}

const VERDICTS = [
  ['', 'any'],
  ['spam', 'spam'],
  ['ham', 'not spam'],
  ['escalated', 'needs review'],
] as const

/** By the hours that they last; 0 is no bound. */
const TIMES = [
  ['0', 'any'],
  ['1', 'last hour'],
  ['24', 'last 24 hours'],
  ['168', 'last 7 days'],
] as const

interface SearchFormProps {
  readonly search: Search
  readonly onSearch: (search: Search) => void
}

/** On a phone the fields would fill the first screen: they are folded there. */
function FoldedSearch(props: SearchFormProps) {
  if (!useNarrow()) return <SearchForm {...props} />
  return (
    <details class="history-fields panel">
      <summary>Search</summary>
      <SearchForm {...props} />
    </details>
  )
}

function SearchForm({ search, onSearch }: SearchFormProps) {
  const [draft, setDraft] = useState(search)
  const change = (fields: Partial<Search>) => setDraft({ ...draft, ...fields })
  // Time goes on: the same search again is another one.
  const submit = () => onSearch({ ...draft, at: Date.now() })
  return (
    <Form class="history-search" onSubmit={submit} aria-label="Search the history">
      <Field
        label="Message-ID"
        value={draft.messageId}
        maxLength={1_024}
        onInput={(event) => change({ messageId: event.currentTarget.value })}
      />
      <Field
        label="Sender"
        value={draft.sender}
        maxLength={1_024}
        placeholder="an address or a domain"
        onInput={(event) => change({ sender: event.currentTarget.value })}
      />
      <Field
        label="Recipient"
        value={draft.recipient}
        maxLength={256}
        placeholder="user id"
        onInput={(event) => change({ recipient: event.currentTarget.value })}
      />
      <Choice
        label="Verdict"
        value={draft.verdict}
        options={VERDICTS}
        onChoice={(verdict) => change({ verdict })}
      />
      <Choice
        label="Time"
        value={`${draft.hours}`}
        options={TIMES}
        onChoice={(hours) => change({ hours: Number(hours) })}
      />
      <button type="submit" class="button primary">
        Search
      </button>
    </Form>
  )
}

function Found({ search }: { readonly search: Search }) {
  const [answer, again] = useAnswer('history', () =>
    tamis().get('/history', { params: { query: { ...questionOf(search), limit: PAGE } } }),
  )
  if (answer.step === 'failed') {
    if (isOff(answer.error)) return <Off />
    return <ErrorNote error={answer.error} retry={again} />
  }
  if (answer.value === undefined) return <Loading what="Searching" />
  return <Entries search={search} first={answer.value} />
}

function isOff(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'HISTORY_OFF'
}

/** How to switch it on, and what that means. */
function Off() {
  return (
    <Empty title="The history is off">
      <p>
        To turn it on, set <code>TAMIS_HISTORY_DAYS=30</code> (or another number of days up to 365),
        or <code>"historyDays": 30</code> in the settings file, and restart the service.
      </p>
      <p>
        It stores who writes to whom, the verdict and the reasons. It stores no subject and no text.
      </p>
    </Empty>
  )
}

function Entries({ search, first }: { readonly search: Search; readonly first: HistoryResult }) {
  const [entries, setEntries] = useState(first.entries)
  const [cursor, setCursor] = useState(first.cursor)
  const [isLoading, setIsLoading] = useState(false)
  const [failure, attempt] = useAttempt()
  const loadMore = async () => {
    setIsLoading(true)
    await attempt(async () => {
      const more = await tamis().get('/history', {
        params: { query: { ...questionOf(search), limit: PAGE, cursor } },
      })
      setEntries([...entries, ...more.entries])
      setCursor(more.cursor)
    })
    setIsLoading(false)
  }
  if (entries.length === 0) {
    return isEverything(search) ? (
      <>
        <Empty title="No entries yet">
          <p>
            An entry appears about a second after its verdict. Messages under Try are not recorded.
          </p>
        </Empty>
        <Connect />
      </>
    ) : (
      <Empty title="No message matches this search">
        <p>The history keeps messages for {first.days} days.</p>
      </Empty>
    )
  }
  return (
    <>
      <ul class="history panel" aria-label="Judged messages">
        {entries.map((entry) => (
          <HistoryEntry key={entry.id} entry={entry} isOpen={search.messageId !== ''} />
        ))}
      </ul>
      {failure !== undefined && <ErrorNote error={failure} />}
      {cursor !== undefined && (
        <p class="actions centred">
          <Button disabled={isLoading} onClick={() => void loadMore()}>
            <Icon name="plus" /> Show more
          </Button>
        </p>
      )}
    </>
  )
}
