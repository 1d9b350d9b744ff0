/**
 * Pages of the console in a real Chromium, before a real service.
 *
 * Whatever a page should never do (write an error to the console of the browser, throw, ask
 * another host for something, open a dialog) is collected, and `quiet()` says that there was nothing.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, type TestContext } from 'node:test'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import {
  build,
  buildOnce,
  listen,
  type TestServiceOptions,
} from '../../service/test/http/service.ts'

/** Debian's. */
const CHROMIUM = '/usr/bin/chromium'

/** The sandbox has to go where it runs as root, as in CI; the rest keeps the browser from calling home. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const CONSOLE = join(import.meta.dirname, '../dist/index.html')

/** Why these tests cannot be run here; false where they can. */
export const SKIP: string | false = skipReason()

function skipReason(): string | false {
  if (!existsSync(CHROMIUM)) return `there is no ${CHROMIUM}`
  return existsSync(CONSOLE) ? false : 'the console is not built (npm run build:console)'
}

/** How long a page may take to show what is expected of it; the machine is shared. */
export const PATIENCE_MS = 60_000

/** One browser for all tests of a file. */
export function browserOnce(): () => Browser {
  let browser: Browser
  before(async () => {
    if (SKIP === false) {
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })
    }
  })
  after(() => browser?.close())
  return () => browser
}

/** The address of one service for all tests of a file: for those that leave it as it was. */
export function serviceOnce(): () => string {
  if (SKIP !== false) return () => ''
  const app = buildOnce()
  let url = ''
  before(async () => {
    url = (await listen(app())).url
  })
  return () => url
}

export interface OpenPage {
  readonly page: Page
  readonly url: string
  /** Fails when the page did what it should never do. */
  quiet(): void
}

export interface PageOptions {
  /** Of a service that runs; without it there is a new one. */
  readonly url?: string
  /** Of the new one. */
  readonly service?: TestServiceOptions
  readonly context?: BrowserContextOptions
  /** Fragment of the address. */
  readonly hash?: string
}

/** A new page, closed after the test. */
export async function openPage(
  t: TestContext,
  browser: Browser,
  { url: known, service, context, hash = '/try' }: PageOptions = {},
): Promise<OpenPage> {
  const url = known ?? (await listen((await build(t, service)).app)).url
  const opened = await openPageAt(t, browser, url, context)
  await opened.page.goto(`${url}/#${hash}`)
  return opened
}

/** A new page that is to be sent to the service at `url`. */
export async function openPageAt(
  t: TestContext,
  browser: Browser,
  url: string,
  context: BrowserContextOptions = {},
): Promise<OpenPage> {
  const profile = await browser.newContext(context)
  t.after(() => profile.close())
  const page = await profile.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const wrong: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    // The browser itself reports each refusal that the page goes on to show.
    if (!/^Failed to load resource: the server responded/.test(message.text())) {
      wrong.push(`console: ${message.text()}`)
    }
  })
  page.on('pageerror', (error) => wrong.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`)) wrong.push(`request: ${request.url()}`)
  })
  return { page, url, quiet: () => assert.deepEqual(wrong, []) }
}

/** The text of a part of a page on one line. */
export async function said(part: Locator): Promise<string> {
  return (await part.innerText()).replace(/\s+/g, ' ').trim()
}
