/** The frame around the pages: which one is shown, by day or by night, and with which key. */
import { lazy, Suspense } from 'preact/compat'
import { useEffect, useErrorBoundary, useState } from 'preact/hooks'
import { onKeyNeeded, sessionKey, setSessionKey } from './api.ts'
import { KeyDialog } from './key-dialog.tsx'
import { applyTheme } from './theme.ts'
import { TryPage } from './try/try-page.tsx'
import { Button, ErrorNote, Icon, Loading, SieveMark } from './ui/parts.tsx'
import { PlainText } from './ui/plain-text.tsx'
import { ThemeButton } from './ui/theme-button.tsx'

/** Loaded when they are first looked at. */
const HistoryPage = lazy(async () => ({
  default: (await import('./history/history-page.tsx')).HistoryPage,
}))
const LivePage = lazy(async () => ({ default: (await import('./live/live-page.tsx')).LivePage }))
const UsersPage = lazy(async () => ({
  default: (await import('./users/users-page.tsx')).UsersPage,
}))
const RulesPage = lazy(async () => ({
  default: (await import('./rules/rules-page.tsx')).RulesPage,
}))
const ModelsPage = lazy(async () => ({
  default: (await import('./models/models-page.tsx')).ModelsPage,
}))

const PAGES = [
  { name: 'try', title: 'Try', Page: TryPage },
  { name: 'history', title: 'History', Page: HistoryPage },
  { name: 'live', title: 'Live', Page: LivePage },
  { name: 'users', title: 'Users', Page: UsersPage },
  { name: 'rules', title: 'Rules', Page: RulesPage },
  { name: 'models', title: 'Models', Page: ModelsPage },
] as const

type PageName = (typeof PAGES)[number]['name']

/** The page that the fragment of the address names; the first one where it names none, and undefined for one that there is not. What follows a slash is the page's own. */
function namedPage(): PageName | undefined {
  const [, name = ''] = location.hash.split('/')
  if (name === '') return 'try'
  return PAGES.find((page) => page.name === name)?.name
}

const NO_PAGE = { title: 'No such page', Page: UnknownPage } as const

function UnknownPage() {
  return (
    <div class="page">
      <h1>There is no such page</h1>
      <p>
        The console has no page <PlainText text={location.hash} />. Its pages are:
      </p>
      <ul class="page-list">
        {PAGES.map(({ name, title }) => (
          <li key={name}>
            <a href={`#/${name}`}>{title}</a>
          </li>
        ))}
      </ul>
    </div>
  )
}

export function App() {
  const [pageName, setPageName] = useState(namedPage)
  const [needsKey, setNeedsKey] = useState(false)
  /** Pages begin anew with another key. */
  const [keys, setKeys] = useState(0)

  useEffect(() => {
    const follow = () => setPageName(namedPage())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  useEffect(() => onKeyNeeded(() => setNeedsKey(true)), [])

  const page = PAGES.find(({ name }) => name === pageName) ?? NO_PAGE
  useEffect(() => {
    document.title = `${page.title} · Tamis`
  }, [page])

  const useKey = (key: string | undefined) => {
    setSessionKey(key)
    setNeedsKey(false)
    setKeys(keys + 1)
  }
  const { Page } = page
  const [broken, mend] = useErrorBoundary()
  return (
    <>
      <button type="button" class="skip" onClick={skipToMain}>
        Skip to content
      </button>
      <header class="top">
        <a class="brand" href="#/try">
          <SieveMark /> Tamis
        </a>
        <nav aria-label="Pages">
          {PAGES.map(({ name, title }) => (
            <a key={name} href={`#/${name}`} aria-current={name === pageName ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <div class="top-end">
          {sessionKey() !== undefined && (
            <Button class="ghost" onClick={() => useKey(undefined)}>
              <Icon name="key" /> Forget key
            </Button>
          )}
          <a class="ghost" href="./docs">
            API
          </a>
          <ThemeButton />
        </div>
      </header>
      <main id="main" tabIndex={-1} key={keys}>
        {broken === undefined ? (
          <Suspense fallback={<Loading what="Loading" />}>
            <Page />
          </Suspense>
        ) : (
          <div class="page">
            <ErrorNote error={broken} retry={mend} />
          </div>
        )}
      </main>
      {needsKey && <KeyDialog onKey={useKey} onClose={() => setNeedsKey(false)} />}
    </>
  )
}

/** No link, since the fragment of the address names the page. */
function skipToMain(): void {
  document.getElementById('main')?.focus()
}

applyTheme()
