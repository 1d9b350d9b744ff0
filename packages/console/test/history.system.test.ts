/** History: what was judged is found, opened to its reasons, and read on a phone. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../../../test/eventually.ts'
import { TamisClient } from '../../client/client.ts'
import { buildOnce, listen } from '../../service/test/http/service.ts'
import { OVERFLOWS, violations } from './axe.ts'
import { browserOnce, openPage, openPageAt, SKIP, said } from './browser.ts'

const EXAMPLES = join(import.meta.dirname, '../../../examples')

/** Longest wait for the entries, which are written a second after the verdicts. */
const WRITTEN_MS = 10_000

/** More than are loaded at once. */
const NEWSLETTERS = 30

const LONG_SENDER = `${'long-name-'.repeat(6)}@${'subdomain.'.repeat(8)}example.com`

async function entriesOn(page: Page): Promise<string[]> {
  const entries = page.getByRole('list', { name: 'Judged messages' })
  await entries.waitFor()
  const texts = await entries.locator('summary').all()
  return await Promise.all(texts.map(said))
}

describe('History', { skip: SKIP }, () => {
  const browser = browserOnce()
  const app = buildOnce({ config: { historyDays: 30 } })
  let url = ''

  before(async () => {
    url = (await listen(app())).url
    const tamis = new TamisClient({ url })
    const judge = async (file: string, userId: string) =>
      tamis.classifyStream(await readFile(join(EXAMPLES, file)), { userId })
    await tamis.createRule({
      ...{ userId: 'ann', ruleType: 'Sender', label: 'spam' },
      pattern: LONG_SENDER,
    })
    await tamis.classifyStream(
      Buffer.from(`From: ${LONG_SENDER}\r\nMessage-ID: <${'x'.repeat(190)}>\r\n\r\nHello\r\n`),
      { userId: 'ann', senderEmail: '<>' },
    )
    for (let i = 0; i < NEWSLETTERS; i++) await judge('newsletter.eml', 'bob')
    const all = async () => (await tamis.history({ limit: 200 })).entries.length
    await eventually(
      async () => (await all()) === NEWSLETTERS + 1,
      'Entries are missing',
      WRITTEN_MS,
    )
  })

  it('shows the newest first, and more when asked', async (t) => {
    const { page, quiet } = await openPage(t, browser(), { url, hash: '/history' })
    assert.equal((await entriesOn(page)).length, 25)
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' })
    const entries = await entriesOn(page)
    assert.equal(entries.length, NEWSLETTERS + 1)
    assert.match(entries.at(-1)!, /^spam long-name-/)
    quiet()
  })

  it('tells in each row how probable spam is, the class, and the sentence of the verdict', async (t) => {
    const { page, quiet } = await openPage(t, browser(), { url, hash: '/history' })
    const [newest] = await entriesOn(page)
    assert.match(newest!, / \d+\.\d % · updates · [A-Z][a-z ]+: .*\.$/)
    quiet()
  })

  it('finds by recipient, and opens an entry to its reasons in words', async (t) => {
    const { page, quiet } = await openPage(t, browser(), { url, hash: '/history' })
    await page.getByLabel('Recipient').fill('ann')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByText('to ann').waitFor()
    const [row, ...others] = await entriesOn(page)
    assert.deepEqual(others, [])
    assert.match(row!, /(?:Spam|Not spam): decided by a rule of the recipient\./)
    await page.locator('.history summary').click()
    const entry = await said(page.locator('.history-why'))
    assert.match(entry, /\+\d+\.\d A rule of the recipient decided/)
    assert.match(entry, /Envelope sender none \(a bounce\)/)
    quiet()
  })

  it('opens the message that its address names', async (t) => {
    const messageId = 'x'.repeat(190)
    const { page, quiet } = await openPage(t, browser(), { url, hash: `/history/${messageId}` })
    await page.locator('.history-why').waitFor()
    assert.equal((await entriesOn(page)).length, 1)
    assert.equal(await page.getByLabel('Message-ID').inputValue(), messageId)
    quiet()
  })

  it('says that nothing matches, and what is wrong with a search', async (t) => {
    const { page, quiet } = await openPage(t, browser(), { url, hash: '/history' })
    await page.getByLabel('Sender').fill('nobody@example.org')
    await page.getByLabel('Verdict').selectOption('escalated')
    await page.getByLabel('Time').selectOption('24')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByText('No message matches this search').waitFor()
    await page.getByLabel('Sender').fill('not a sender')
    await page.getByRole('button', { name: 'Search' }).click()
    assert.match(await said(page.getByRole('alert')), /sender is neither an address nor a domain/)
    quiet()
  })

  it('says how to switch it on while it is off', async (t) => {
    const { page, quiet } = await openPage(t, browser(), { hash: '/history' })
    await page.getByText('TAMIS_HISTORY_DAYS=30').waitFor()
    quiet()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1440, 390, 360]) {
      it(`has nothing for axe to find, ${colorScheme}, ${width} pixels wide`, async (t) => {
        const context = { colorScheme, viewport: { width, height: 900 }, bypassCSP: true }
        const { page } = await openPageAt(t, browser(), url, context)
        await page.goto(`${url}/#/history`)
        if (width <= 640) await page.getByText('Search', { exact: true }).first().click()
        await page.getByLabel('Recipient').fill('ann')
        await page.getByRole('button', { name: 'Search' }).click()
        await page.getByText('to ann').waitFor()
        await page.locator('.history summary').first().click()
        assert.deepEqual(await violations(page), [])
        assert.equal(await page.evaluate(OVERFLOWS), false, 'it is wider than the screen')
        assert.equal(await page.locator('table').count(), 0)
      })
    }
  }
})
