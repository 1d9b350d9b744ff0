/** The frame around the pages: which one is shown, by day or by night, and with which key. */
import { useEffect, useErrorBoundary, useLayoutEffect, useState } from 'preact/hooks'
import { onKeyNeeded, sessionKey, setSessionKey } from './api.ts'
import { HistoryPage } from './history/history-page.tsx'
import { LivePage } from './live/live-page.tsx'
import { ModelsPage } from './models/models-page.tsx'
import { RulesPage } from './rules/rules-page.tsx'
import { TryPage } from './try/try-page.tsx'
import { useHash } from './ui/page-address.ts'
import { Button, Dialog, ErrorNote, Field, Icon, Page } from './ui/parts.tsx'
import { PlainText } from './ui/plain-text.tsx'
import { UsersPage } from './users/users-page.tsx'

const PAGES = [
  { name: 'try', title: 'Try', Page: TryPage },
  { name: 'history', title: 'History', Page: HistoryPage },
  { name: 'live', title: 'Live', Page: LivePage },
  { name: 'users', title: 'Users', Page: UsersPage },
  { name: 'rules', title: 'Rules', Page: RulesPage },
  { name: 'models', title: 'Models', Page: ModelsPage },
] as const

/** The name of a page in the fragment of an address; what follows a slash is the page's own. */
function pageNameIn(hash: string): string {
  return hash.split('/')[1] || 'try'
}

const NO_PAGE = { title: 'No such page', Page: UnknownPage } as const

function UnknownPage() {
  return (
    <Page title="There is no such page" about="The links above lead to the pages.">
      <p>
        The console has no page <PlainText text={location.hash} />.
      </p>
    </Page>
  )
}

export function App() {
  const pageName = pageNameIn(useHash())
  const [needsKey, setNeedsKey] = useState(false)
  /** Pages begin anew with another key. */
  const [keys, setKeys] = useState(0)

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
  const { Page: Shown } = page
  const [broken, mend] = useErrorBoundary()
  return (
    <>
      <button type="button" class="button primary skip" onClick={skipToMain}>
        Skip to content
      </button>
      <header class="row top">
        <a class="row brand" href="#/try">
          <img src="./icon.svg" width={24} height={24} alt="" /> Tamis
        </a>
        <nav class="row" aria-label="Pages">
          {PAGES.map(({ name, title }) => (
            <a
              key={name}
              class="ghost"
              href={`#/${name}`}
              aria-current={name === pageName ? 'page' : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <div class="row end">
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
          <Shown />
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

/** Asks for an API key where the service wants one. */
function KeyDialog({
  onKey,
  onClose,
}: {
  readonly onKey: (key: string) => void
  readonly onClose: () => void
}) {
  const [key, setKey] = useState('')
  return (
    <Dialog
      title="This service requires a key"
      confirm="Use key"
      disabled={key.trim() === ''}
      onConfirm={() => onKey(key.trim())}
      onClose={onClose}
    >
      <p>
        This tab keeps the key until you close it. <code>tamis keys add</code> creates one.
      </p>
      <Field
        label="API key"
        type="password"
        value={key}
        onText={setKey}
        {...(sessionKey() === undefined ? {} : { hint: 'The service does not know the last key' })}
      />
    </Dialog>
  )
}

/** Light or dark: as the system has it, until the reader says otherwise. */
const THEME = 'tamis-theme'

const systemDark = matchMedia('(prefers-color-scheme: dark)')

function systemTheme() {
  return systemDark.matches ? 'dark' : 'light'
}

function chosenTheme() {
  return localStorage.getItem(THEME) ?? systemTheme()
}

/** Changes between the two. What the reader chose is kept; what the system has needs no keeping. */
function ThemeButton() {
  const [theme, setTheme] = useState(chosenTheme)
  useEffect(() => {
    const follow = () => setTheme(chosenTheme)
    systemDark.addEventListener('change', follow)
    return () => systemDark.removeEventListener('change', follow)
  }, [])
  useLayoutEffect(() => {
    document.documentElement.style.colorScheme = theme
  }, [theme])
  const other = theme === 'dark' ? 'light' : 'dark'
  const change = () => {
    if (other === systemTheme()) localStorage.removeItem(THEME)
    else localStorage.setItem(THEME, other)
    setTheme(other)
  }
  return (
    <Button class="ghost" onClick={change} aria-label={`Use the ${other} theme`}>
      <Icon name={theme === 'dark' ? 'sun' : 'moon'} />
    </Button>
  )
}
