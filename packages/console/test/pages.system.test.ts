/** The pages Live, Users and Models in a real browser, and the key that the console asks for. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { TamisClient } from '../../client/client.ts'
import { browserOnce, openPage, SKIP, said } from './browser.ts'

const EXAMPLES = join(import.meta.dirname, '../../../examples')

describe('Live', { skip: SKIP }, () => {
  const browser = browserOnce()

  it('shows what is judged while it is open, and stands still when paused', async (t) => {
    const { page, url, quiet } = await openPage(t, browser(), { hash: '/live' })
    await page.getByText('No mail yet').waitFor()
    const tamis = new TamisClient({ url })
    const message = await readFile(join(EXAMPLES, 'sale.eml'))
    await tamis.message('/classify-stream', message)
    const tiles = page.locator('.tiles')
    await tiles.getByText('of 1 verdicts').waitFor()
    const classes = page.getByRole('region', { name: 'Classes' })
    assert.match(await said(classes), /primary 0 promotions 1/)
    await page.getByRole('button', { name: 'Pause' }).click()
    await tamis.message('/classify-stream', message)
    await page.getByRole('button', { name: 'Resume' }).click()
    await tiles.getByText('of 2 verdicts').waitFor()
    quiet()
  })
})

describe('Users', { skip: SKIP }, () => {
  const browser = browserOnce()

  it('lists, searches, adds and removes rules and memories, and deletes all with a receipt', async (t) => {
    const { page, url, quiet } = await openPage(t, browser(), { hash: '/users' })
    const tamis = new TamisClient({ url })
    const userId = 'Zoë<b>bold</b>'
    await tamis.message('/feedback-stream', await readFile(join(EXAMPLES, 'phishing.eml')), {
      userId,
      isSpam: true,
    })
    await tamis.message('/tabs/feedback-stream', await readFile(join(EXAMPLES, 'sale.eml')), {
      userId,
      classification: 'updates',
    })
    await page.reload()
    await page.getByRole('link', { name: userId, exact: true }).click()
    const rules = page.getByRole('region', { name: 'Rules', exact: true })
    const memory = page.getByRole('region', { name: 'Memory' })
    await rules.getByText('no-reply@track-parcel-secure.example').waitFor()
    assert.match(
      await said(memory),
      /2 corrections updates claims \S+ \(not verified\) .*spam claims track-parcel-secure\.example \(not verified\) rule no-reply@/,
    )

    const newRule = page.getByRole('form', { name: 'New rule' })
    await newRule.getByLabel('Treat as').selectOption('promotions')
    await newRule.getByLabel('Pattern').fill('shop.example.com')
    await newRule.getByRole('button', { name: 'Add rule' }).click()
    await rules.getByText('shop.example.com').waitFor()
    assert.match(await said(rules), /2 rules/)

    await newRule.getByLabel('Match by').selectOption('List')
    await newRule.getByLabel('Pattern').fill('no list at all')
    await newRule.getByRole('button', { name: 'Add rule' }).click()
    assert.match(await said(page.getByRole('alert')), /FIELD_INVALID/)

    await page.getByLabel('Search rules and memory').fill('promotions')
    assert.equal(await rules.getByRole('listitem').count(), 1)
    await memory.getByText('No correction matches this search').waitFor()
    await page.getByLabel('Search rules and memory').fill('')

    await rules.getByRole('button', { name: 'Remove the rule about shop.example.com' }).click()
    await rules.getByText('shop.example.com').waitFor({ state: 'detached' })
    await memory
      .getByRole('button', { name: /Withdraw/ })
      .first()
      .click()
    await memory.getByText('1 correction').waitFor()

    await page.getByRole('button', { name: 'Delete all data' }).click()
    const dialog = page.getByRole('dialog')
    assert.ok(await dialog.getByRole('button', { name: 'Delete' }).isDisabled())
    await dialog.getByLabel('Type the id of the user').fill(userId)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    const receipt = page.getByRole('region', { name: 'Receipt' })
    await receipt.getByText(/^Deleted 0 rules, 1 of the memory and 2 corrections on /).waitFor()
    await memory.getByText('There are no corrections').waitFor()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      receipt.getByRole('link', { name: 'Save the receipt' }).click(),
    ])
    const { deleted } = JSON.parse(await readFile(await saved.path(), 'utf8'))
    assert.deepEqual(deleted, { rules: 0, memory: 1, feedback: 2 })
    await page.getByRole('link', { name: 'All users' }).click()
    await page.getByText('No users yet').waitFor()
    quiet()
  })
})

describe('Models', { skip: SKIP }, () => {
  const browser = browserOnce()

  it('puts what was learned into use, and goes back after a question, saying what is in use', async (t) => {
    const { page, url, quiet } = await openPage(t, browser(), {
      hash: '/models',
      service: { config: { learning: 'operator' } },
    })
    const inUse = page.getByRole('region', { name: 'In use', exact: true })
    const versions = page.getByRole('region', { name: 'Versions' })
    const back = inUse.getByRole('button', { name: 'Roll back' })
    const dialog = page.getByRole('dialog')
    const learned = (text: RegExp) =>
      versions.getByRole('listitem').filter({ hasText: text }).waitFor()
    await versions.getByText('No version yet').waitFor()
    assert.equal(await back.isDisabled(), true)

    const tamis = new TamisClient({ url })
    await tamis.message('/feedback-stream', await readFile(join(EXAMPLES, 'sale.eml')), {
      userId: 'a',
      isSpam: true,
    })
    await eventually(async () => (await tamis.get('/models')).versions.length === 1)
    await page.reload()
    await learned(/^Learned 1in use 1 correction/)

    await back.click()
    assert.match(
      await said(dialog),
      /^Go back to the previous version\? The version in use is rejected\./,
    )
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal((await tamis.get('/models')).versions[0]?.state, 'promoted')
    await back.click()
    await dialog.getByRole('button', { name: 'Roll back' }).click()
    await learned(/^Learned 1not used/)
    assert.match(
      await said(inUse.getByRole('status')),
      /^Rolled back\. Only the shipped models are in use\.$/,
    )
    await inUse.getByText('nothing newer is used until you promote it').waitFor()
    await inUse.getByRole('button', { name: 'Promote what was learned' }).click()
    await dialog.getByRole('button', { name: 'Promote' }).click()
    await inUse.getByText('The shipped models with version 1.').waitFor()
    quiet()
  })
})

describe('an address that no page has', { skip: SKIP }, () => {
  const browser = browserOnce()

  it('is said to have none', async (t) => {
    const { page, quiet } = await openPage(t, browser(), { hash: '/nonsense' })
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    assert.match(await said(page.locator('main')), /The console has no page #\/nonsense\./)
    assert.equal(await page.title(), 'No such page · Tamis')
    quiet()
  })
})

const KEY = 'k'.repeat(40)

describe('the key', { skip: SKIP }, () => {
  const browser = browserOnce()

  it('is asked for where keys are configured, and kept for the session alone', async (t) => {
    const folder = temporaryFolder()
    const apiKeyFile = join(folder, 'key')
    await writeFile(apiKeyFile, KEY)
    const { page, quiet } = await openPage(t, browser(), {
      service: { config: { apiKeyFile } },
      hash: '/users',
    })
    const dialog = page.getByRole('dialog', { name: 'This service requires a key' })
    await dialog.getByLabel('API key').fill('not the key')
    await page.keyboard.press('Enter')

    await dialog.getByText('The service does not know the last key').waitFor()
    await page.keyboard.press('Escape')
    assert.match(await said(page.getByRole('alert')), /UNAUTHENTICATED/)

    await page.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByLabel('API key').fill(KEY)
    await dialog.getByRole('button', { name: 'Use key' }).click()
    await page.getByText('No users yet').waitFor()

    await page.reload()
    const kept =
      'JSON.stringify([Object.values(sessionStorage), Object.values(localStorage), document.cookie])'
    assert.equal(await page.evaluate(kept), JSON.stringify([[KEY], [], '']))
    await page.getByRole('button', { name: 'Forget key' }).click()
    assert.equal(await page.evaluate(kept), JSON.stringify([[], [], '']))
    quiet()
  })
})
