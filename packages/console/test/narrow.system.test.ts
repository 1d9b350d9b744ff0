/** Every page on a phone: nothing has to be moved sideways to be read. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { TamisClient } from '../../client/client.ts'
import { browserOnce, openPageAt, SKIP, serviceOnce } from './browser.ts'

const EXAMPLES = join(import.meta.dirname, '../../../examples')

const PHONE = { width: 390, height: 844 }

/**
 * What is wider than the screen, or than what it stands in, or has more in it than it shows.
 * What is there for readers alone is a pixel wide and always has more.
 */
const TOO_WIDE = `[document.documentElement, ...document.querySelectorAll('main *')].filter((element) => {
  if (element.closest('.for-readers, thead, svg') !== null) return false
  if (!element.matches('html, table, tr, td, pre, dl, ul, section, .panel')) return false
  const { left, right, width } = element.getBoundingClientRect()
  if (width === 0) return false
  const around = element.parentElement?.getBoundingClientRect() ?? { left: 0, right: innerWidth }
  return element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 ||
    left < around.left - 1 || right > Math.min(around.right, innerWidth) + 1
}).map((element) => element.tagName + '.' + element.className + ': ' + element.textContent.slice(0, 80))`

async function assertNarrow(page: Page, where: string): Promise<void> {
  assert.deepEqual(await page.evaluate(TOO_WIDE), [], where)
}

describe('on a phone', { skip: SKIP }, () => {
  const browser = browserOnce()
  const url = serviceOnce()

  before(async () => {
    if (SKIP !== false) return
    const tamis = new TamisClient({ url: url() })
    const message = await readFile(join(EXAMPLES, 'sale.eml'))
    await tamis.classifyStream(message, { userId: 'ann' })
    await tamis.feedbackStream(message, { userId: 'ann', isSpam: true })
    await tamis.createRule({
      userId: 'ann',
      ruleType: 'Sender',
      pattern: `a-very-long-name-without-any-place-to-break-it-${'x'.repeat(40)}@example.com`,
      label: 'spam',
    })
    await tamis.promoteModels()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    const open = async (t: Parameters<typeof openPageAt>[0], hash: string) => {
      const context = { colorScheme, viewport: PHONE }
      const { page } = await openPageAt(t, browser(), url(), context)
      await page.goto(`${url()}/#/${hash}`)
      return page
    }

    it(`no page that the console has is wider, ${colorScheme}`, async (t) => {
      const page = await open(t, 'try')
      const names = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all()
      assert.ok(names.length >= 4)
      for (const link of names) {
        await link.click()
        await page.waitForLoadState('networkidle')
        await page.locator('main h1, main h2').first().waitFor()
        await page.locator('main .loading').first().waitFor({ state: 'detached' })
        await assertNarrow(page, page.url())
      }
    })

    it(`a verdict in the expert view is not, ${colorScheme}`, async (t) => {
      const page = await open(t, 'try')
      await page.getByRole('button', { name: /An invoice/ }).click()
      await page.getByLabel('Expert view').check()
      for (const host of await page.locator('.links summary').all()) await host.click()
      await assertNarrow(page, 'Try')
    })

    it(`the rules and the memory of a user are not, ${colorScheme}`, async (t) => {
      const page = await open(t, 'users')
      await page.getByLabel('User').first().fill('ann')
      await page.getByRole('button', { name: 'Show' }).click()
      await page.getByText('a-very-long-name').first().waitFor()
      await assertNarrow(page, 'Users')
    })

    it(`the versions are not, ${colorScheme}`, async (t) => {
      const page = await open(t, 'models')
      await page.getByText('All versions').click()
      await page.getByRole('row', { name: /^Learned 1/ }).waitFor()
      await page.getByRole('button', { name: 'Roll back' }).click()
      await page.getByRole('dialog').waitFor()
      await assertNarrow(page, 'the question before a rollback')
    })
  }

  it('a cell has the heading of its column beside it, and is still a cell for those who hear it', async (t) => {
    const { page } = await openPageAt(t, browser(), url(), { viewport: PHONE })
    await page.goto(`${url()}/#/models`)
    await page.getByText('All versions').click()
    const row = page.getByRole('table').getByRole('row', { name: /^Learned 1/ })
    const made = row.getByRole('cell').nth(2)
    assert.equal(await made.getAttribute('data-label'), 'Made')
    assert.equal(
      await made.evaluate((cell) => getComputedStyle(cell, '::before').content),
      '"Made"',
    )
    await page
      .getByRole('columnheader', { name: 'Checks before use' })
      .waitFor({ state: 'attached' })
  })
})
