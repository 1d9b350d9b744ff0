/**
 * The page at /docs in a real browser: Swagger UI shows the whole OpenAPI document, under the policy of the console, and
 * sends what is tried.
 */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { HTTP_OPERATIONS } from '../../service/http/operations.ts'
import { build, listen } from '../../service/test/http/service.ts'
import { violations } from './axe.ts'
import { browserOnce, openPageAt, SKIP, said, serviceOnce } from './browser.ts'

const KEY = 'a-key-of-at-least-thirty-two-characters'

/** What axe finds in Swagger UI itself: pale text, fields and a choice without a label, and small buttons inside of others. */
const OF_THE_LIBRARY = [
  'color-contrast',
  'label',
  'nested-interactive',
  'select-name',
  'target-size',
]

async function openOperation(page: Page, operationId: string): Promise<Locator> {
  const operation = page.locator(`[id$="-${operationId}"]`)
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  return operation
}

/** Sends what stands in the form, and says with which status it was answered. */
async function sent(operation: Locator): Promise<string> {
  const execute = operation.getByRole('button', { name: 'Execute' })
  const [response] = await Promise.all([
    operation.page().waitForResponse(() => true),
    execute.click(),
  ])
  // Until it is shown, the status of the request before stands there.
  const shown = operation.locator('.live-responses-table .response-col_status').last()
  await shown.filter({ hasText: String(response.status()) }).waitFor()
  return said(shown)
}

describe('/docs', { skip: SKIP }, () => {
  const browser = browserOnce()
  const url = serviceOnce()

  async function openDocs(t: TestContext, address = url(), context = {}) {
    const opened = await openPageAt(t, browser(), address, context)
    await opened.page.goto(`${address}/docs`)
    await opened.page.locator('.opblock').first().waitFor()
    return opened
  }

  it('shows every operation, with nothing that the policy forbids, and asks no other host', async (t) => {
    const { page, quiet } = await openDocs(t)
    const summaries = await page.locator('.opblock-summary-control').allInnerTexts()
    const shown = summaries.map((each) =>
      each
        .replaceAll(/\u200b/g, '')
        .split(/\s+/)
        .slice(0, 2),
    )
    assert.deepEqual(
      shown.map((each) => each.join(' ')).toSorted(),
      HTTP_OPERATIONS.map(
        ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
      ).toSorted(),
    )
    for (const operationId of ['classifyStream', 'createRule', 'history', 'job']) {
      const operation = await openOperation(page, operationId)
      await operation.getByRole('heading', { name: 'Responses' }).waitFor()
    }
    quiet()
  })

  it('sends a message that is typed, and shows the answer', async (t) => {
    const { page, quiet } = await openDocs(t)
    const operation = await openOperation(page, 'classifyStream')
    const message = operation.locator('textarea')
    assert.match(await message.inputValue(), /^Received: from /)
    assert.equal(await sent(operation), '200')
    await message.fill('no message')
    assert.equal(await sent(operation), '400')
    await operation.getByText('NOT_A_MESSAGE').last().waitFor()
    quiet()
  })

  it('sends a key that is entered, and keeps it nowhere', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'tamis-key-'))
    t.after(() => rm(folder, { recursive: true }))
    const apiKeyFile = join(folder, 'key')
    await writeFile(apiKeyFile, KEY)
    const { app } = await build(t, { config: { apiKeyFile } })
    const { page, quiet } = await openDocs(t, (await listen(app)).url)
    const operation = await openOperation(page, 'stats')
    assert.equal(await sent(operation), '401')
    await page.getByRole('button', { name: 'Authorize', exact: true }).click()
    await page.getByRole('textbox').first().fill(KEY)
    await page.getByRole('button', { name: 'Apply credentials' }).click()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    assert.equal(await sent(operation), '200')
    assert.deepEqual(
      await page.evaluate('[Object.keys(sessionStorage), Object.keys(localStorage)]'),
      [[], []],
    )
    quiet()
  })

  it('has nothing for axe to find that is not in the library itself', async (t) => {
    const { page } = await openDocs(t, url(), { bypassCSP: true })
    await openOperation(page, 'classifyStream')
    const found = (await violations(page)).map((each) => each.split(':', 1)[0]!)
    assert.deepEqual(
      found.filter((rule) => !OF_THE_LIBRARY.includes(rule)),
      [],
    )
  })
})
