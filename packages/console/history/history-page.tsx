/** History: why a message was judged as it was, from what the service keeps of judged messages. */
import { useState } from 'preact/hooks'
import { tamis } from '../api.ts'
import { nameIn, useHash } from '../ui/page-address.ts'
import {
  Button,
  Choice,
  Connect,
  Empty,
  ErrorNote,
  Field,
  Form,
  Icon,
  Loading,
  Page,
} from '../ui/parts.tsx'
import { usePages } from '../ui/use-answer.ts'
import { HistoryEntry } from './history-entry.tsx'

/** Entries that are loaded at once. */
const ENTRIES_AT_ONCE = 25

/** What is searched for, as it is typed; empty fields are not. */
interface Search {
  readonly messageId: string
  readonly recipient: string
  readonly verdict: '' | 'spam' | 'ham' | 'escalated'
  /** When it was asked, in milliseconds since 1970: the same search again is another one. */
  readonly at: number
}

export const ALL: Search = { messageId: '', recipient: '', verdict: '', at: 0 }

export function HistoryPage() {
  const messageId = nameIn(useHash(), 'history') ?? ''
  return <SearchPage key={messageId} messageId={messageId} />
}

function SearchPage({ messageId }: { readonly messageId: string }) {
  const [search, setSearch] = useState<Search>({ ...ALL, messageId })
  return (
    <Page
      title="History"
      about="Who wrote to whom, the verdict and its reasons. No text is stored."
    >
      <details class="panel" open={!matchMedia('(max-width: 640px)').matches}>
        <summary>Search</summary>
        <SearchForm search={search} onSearch={setSearch} />
      </details>
      <Found key={search.at} search={search} />
    </Page>
  )
}

const FIELDS = [
  ['messageId', 'Message-ID', '', 1_024],
  ['recipient', 'Recipient', 'user id', 256],
] as const

const VERDICTS = [['', 'any'], 'spam', ['ham', 'not spam'], ['escalated', 'needs review']] as const

function SearchForm({
  search,
  onSearch,
}: {
  readonly search: Search
  readonly onSearch: (search: Search) => void
}) {
  const [draft, setDraft] = useState(search)
  const change = (fields: Partial<Search>) => setDraft({ ...draft, ...fields })
  return (
    <Form
      class="row fields"
      onSubmit={() => onSearch({ ...draft, at: Date.now() })}
      aria-label="Search the history"
    >
      {FIELDS.map(([name, label, placeholder, maxLength]) => (
        <Field
          key={name}
          label={label}
          value={draft[name]}
          maxLength={maxLength}
          placeholder={placeholder}
          onText={(text) => change({ [name]: text })}
        />
      ))}
      <Choice
        label="Verdict"
        value={draft.verdict}
        options={VERDICTS}
        onChoice={(verdict) => change({ verdict })}
      />
      <button type="submit" class="button primary">
        Search
      </button>
    </Form>
  )
}

function questionOf({ messageId, recipient, verdict }: Search) {
  return {
    messageId: messageId.trim() || undefined,
    recipient: recipient.trim() || undefined,
    verdict: verdict === 'spam' || verdict === 'ham' ? verdict : undefined,
    escalated: verdict === 'escalated' ? ('true' as const) : undefined,
  }
}

export function Found({ search }: { readonly search: Search }) {
  const question = questionOf(search)
  const { pages, answer, more } = usePages((cursor) =>
    tamis().get('/history', { params: { query: { ...question, limit: ENTRIES_AT_ONCE, cursor } } }),
  )
  const [first] = pages
  if (answer.step === 'failed') {
    if ((answer.error as { readonly code?: unknown }).code === 'HISTORY_OFF') return <Off />
    return <ErrorNote error={answer.error} retry={more} />
  }
  if (first === undefined) return <Loading what="Searching" />
  if (first.entries.length === 0) {
    return Object.values(question).some((field) => field !== undefined) ? (
      <Empty title="No message matches this search">
        <p>The history keeps messages for {first.days} days.</p>
      </Empty>
    ) : (
      <>
        <Empty title="No entries yet">
          <p>
            An entry appears about a second after its verdict. Messages under Try are not recorded.
          </p>
        </Empty>
        <Connect />
      </>
    )
  }
  return (
    <>
      <ul class="history panel" aria-label="Judged messages">
        {pages
          .flatMap(({ entries }) => entries)
          .map((entry) => (
            <HistoryEntry key={entry.id} entry={entry} isOpen={search.messageId !== ''} />
          ))}
      </ul>
      {pages.at(-1)?.cursor !== undefined && (
        <Button disabled={answer.step === 'asking'} onClick={more}>
          <Icon name="plus" /> Show more
        </Button>
      )}
    </>
  )
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
