/** The reference at /docs in a real browser: tasks that can be tried, every route, and search. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { tasksWith } from '../../service/http/openapi/tasks.ts'
import { OPERATIONS } from '../../service/http/operations.ts'
import { build, listen } from '../../service/test/http/service.ts'
import { browserOnce, type OpenPage, openPageAt, SKIP, said, serviceOnce } from './browser.ts'

const KEY = 'a-key-of-at-least-thirty-two-characters'

const HOSTILE = '<img src=x onerror=alert(1)>\u202Egnp.exe'

/** The form below `part`, opened if it is not. */
async function openForm(part: Locator): Promise<Locator> {
  const form = part.locator('form')
  if (!(await form.isVisible())) await part.locator('summary').click()
  await form.waitFor()
  return form
}

/** Sends the form below `part` and says how it was answered: '200 OK'. */
async function sent(part: Locator): Promise<string> {
  const form = await openForm(part)
  await form.getByRole('button', { name: /^Send / }).click()
  return said(part.locator('.try-answer strong'))
}

const OVERFLOWS = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'

describe('/docs', { skip: SKIP }, () => {
  const browser = browserOnce()
  const url = serviceOnce()

  async function openDocs(t: TestContext, hash = '', width = 1440): Promise<OpenPage> {
    const context = { viewport: { width, height: 900 } }
    const opened = await openPageAt(t, browser(), url(), context)
    await opened.page.goto(`${url()}/docs${hash}`)
    await opened.page.getByRole('button', { name: 'Search' }).waitFor()
    return opened
  }

  it('begins with tasks, in a language that the reader chooses, with the address of this service', async (t) => {
    const { page, quiet } = await openDocs(t)
    const task = page.locator('section.task').first()
    assert.equal(await said(task.locator('h3')), 'Judge a message')
    assert.match(await said(task), new RegExp(`curl ${url()}/classify-stream`))
    await page.getByRole('radio', { name: 'Python' }).check()
    assert.match(await said(task), /from urllib\.request import/)
    assert.doesNotMatch(await said(task), /curl/)
    await page.getByRole('radio', { name: 'TypeScript' }).check()
    assert.match(await said(task), new RegExp(`new TamisClient\\(\\{ url: '${url()}' \\}\\)`))
    quiet()
  })

  it('copies a sample', async (t) => {
    const context = { permissions: ['clipboard-read', 'clipboard-write'] }
    const { page, quiet } = await openPageAt(t, browser(), url(), context)
    await page.goto(`${url()}/docs`)
    const sample = page.locator('#embed-a-text .sample.curl')
    await sample.getByRole('button', { name: 'Copy' }).click()
    await sample.getByRole('button', { name: 'Copied' }).waitFor()
    assert.match(
      String(await page.evaluate('navigator.clipboard.readText()')),
      new RegExp(`^curl ${url()}/classify/embed-text `),
    )
    quiet()
  })

  it('has a form for each step of a task, which is answered with success', async (t) => {
    const { page, quiet } = await openDocs(t)
    for (const { id, steps } of tasksWith(OPERATIONS)) {
      const forms = page.locator(`[id="${id}"] .try`)
      assert.equal(await forms.count(), steps.length)
      for (const form of await forms.all()) assert.match(await sent(form), /^20[01] /, id)
    }
    assert.equal(await page.evaluate(OVERFLOWS), false)
    quiet()
  })

  it('has a form for each route, filled with its example', async (t) => {
    const { page, quiet } = await openDocs(t)
    for (const { operationId, method, path } of OPERATIONS) {
      const part = page.locator(`[id="${operationId}"] .try`)
      const form = await openForm(part)
      const send = `Send ${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`
      await form.getByRole('button', { name: send, exact: true }).waitFor()
      for (const field of await form.locator('input:required, textarea').all()) {
        assert.notEqual(await field.inputValue(), '', operationId)
      }
    }
    quiet()
  })

  it('sends a message that comes with the console, or one that is pasted, with headers as fields', async (t) => {
    const { page, quiet } = await openDocs(t, '#judge-a-message')
    const part = page.locator('#judge-a-message .try')
    const form = await openForm(part)
    await form
      .getByLabel('Start with')
      .selectOption({ label: 'An order: A shop confirms what was bought' })
    assert.match(
      await form.getByLabel('Message source').inputValue(),
      /^Return-Path|^Received|^From/,
    )
    await form.getByLabel('X-User-ID').fill('zoë')
    assert.equal(await sent(part), '200 OK')
    await form.getByLabel('Message source').fill('no message')
    await form.getByLabel('Message source').press('Control+Enter')
    await part.getByText('NOT_A_MESSAGE').waitFor()
    assert.equal(await said(part.locator('.try-answer strong')), '400 Bad Request')
    quiet()
  })

  it('says which requests change what is stored', async (t) => {
    const { page, quiet } = await openDocs(t)
    const changes = async (operationId: string) => {
      const form = await openForm(page.locator(`[id="${operationId}"] .try`))
      return form.getByText('This changes what the service stores.').count()
    }
    assert.equal(await changes('rollbackModels'), 1)
    assert.equal(await changes('feedbackStream'), 1)
    assert.equal(await changes('removeSiteRule'), 1)
    assert.equal(await changes('setRecipient'), 1)
    assert.equal(await changes('classifyStream'), 0)
    assert.equal(await changes('rules'), 0)
    assert.equal(await changes('siteRules'), 0)
    quiet()
  })

  it('shows answers as text, and characters that hide by their numbers', async (t) => {
    const { page, quiet } = await openDocs(t)
    const part = page.locator('#diagnosticStream .try')
    const form = await openForm(part)
    await form
      .getByLabel('Message source')
      .fill(`From: a@example.com\nSubject: ${HOSTILE}\n\n<script>alert(2)</script>`)
    assert.equal(await sent(part), '200 OK')
    const answer = part.locator('pre')
    assert.match(await said(answer), /<img src=x onerror=alert\(1\)> ?U\+202E ?gnp\.exe/)
    assert.equal(await answer.locator('img, script').count(), 0)
    quiet()
  })

  it('finds tasks, routes, fields and error codes by keyboard', async (t) => {
    const { page, quiet } = await openDocs(t)
    const dialog = page.getByRole('dialog', { name: 'Search' })
    const cases = [
      ['/', 'forget a user', 'forget-a-user'],
      ['Control+k', 'post /feedback-stream', 'feedbackStream'],
      ['/', 'spamProbability', 'classifyStream.answer.spamProbability'],
      ['Control+k', 'queue_full', 'QUEUE_FULL'],
    ]
    for (const [key = '', query = '', id = ''] of cases) {
      await page.keyboard.press(key)
      await dialog.getByRole('combobox').fill(query)
      await dialog.getByRole('option').first().waitFor()
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      assert.equal(new URL(page.url()).hash, `#${id}`)
      assert.equal(await page.evaluate('document.activeElement.id'), id)
      const target = page.locator(`[id="${id}"]`)
      await target.waitFor()
      const { y = -1 } = (await target.boundingBox()) ?? {}
      assert.ok(y >= 0 && y < 900, `${id} is at ${y}`)
    }
    quiet()
  })

  it('leaves search by Escape, and says when nothing matches', async (t) => {
    const { page, quiet } = await openDocs(t)
    const dialog = page.getByRole('dialog', { name: 'Search' })
    await page.keyboard.press('/')
    await dialog.getByRole('combobox').fill('isspam')
    await page.keyboard.press('ArrowDown')
    assert.equal(await dialog.getByRole('option', { selected: true }).count(), 1)
    assert.notEqual(
      await dialog.getByRole('combobox').getAttribute('aria-activedescendant'),
      await dialog.getByRole('option').first().getAttribute('id'),
    )
    await dialog.getByRole('combobox').fill('no such thing')
    await dialog.getByText('Nothing matches.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    quiet()
  })

  it('does not take a slash out of a field for the wish to search', async (t) => {
    const { page, quiet } = await openDocs(t)
    const form = await openForm(page.locator('#judge-a-message .try'))
    await form.getByLabel('Message source').fill('')
    await form.getByLabel('Message source').pressSequentially('a/b')
    assert.equal(await form.getByLabel('Message source').inputValue(), 'a/b')
    assert.equal(await page.getByRole('dialog').count(), 0)
    quiet()
  })

  it('opens at what an address names, also inside of what is folded', async (t) => {
    const { page, quiet } = await openDocs(t, '#classifyStream.answer.isSpam', 390)
    await page.locator('[id="classifyStream.answer.isSpam"]').waitFor()
    assert.equal(await page.evaluate(OVERFLOWS), false)
    quiet()
  })

  it('asks for a key where the service wants one, and keeps it in the tab like the console', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'tamis-key-'))
    t.after(() => rm(folder, { recursive: true }))
    const apiKeyFile = join(folder, 'key')
    await writeFile(apiKeyFile, KEY)
    const { app } = await build(t, { config: { apiKeyFile } })
    const { url } = await listen(app)
    const { page, quiet } = await openPageAt(t, browser(), url)
    await page.goto(`${url}/docs`)
    const part = page.locator('#judge-a-message .try')
    assert.equal(await sent(part), '401 Unauthorized')
    await page.getByLabel('API key').fill(KEY)
    await page.getByRole('button', { name: 'Use it' }).click()
    await part.getByText('200 OK').waitFor()
    assert.deepEqual(await stored(page), { session: ['tamis-key'], local: [] })
    await part.getByRole('button', { name: 'Forget key' }).click()
    assert.deepEqual(await stored(page), { session: [], local: [] })
    quiet()
  })
})

/** The names under which the page has stored something. */
function stored(page: Page): Promise<unknown> {
  return page.evaluate(
    '({ session: Object.keys(sessionStorage), local: Object.keys(localStorage) })',
  )
}
