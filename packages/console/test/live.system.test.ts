/** The lists of the page Live in a real browser. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { TamisClient } from '../../client/client.ts'
import { browserOnce, openPage, SKIP, said } from './browser.ts'

const EXAMPLES = join(import.meta.dirname, '../../../examples')

/** Longer than the page waits between two looks. */
const LOOK_MS = 2_500

/** Whatever of `main` is wider than the screen or reaches over its edge. */
const TOO_WIDE = `[...document.querySelectorAll('main *')]
  .filter((element) => !element.closest('svg, .for-readers, [role=img]'))
  .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth)
  .map((element) => element.outerHTML.slice(0, 100))`

describe('the lists under Live', { skip: SKIP }, () => {
  const browser = browserOnce()

  it('show verdicts, reasons and senders, keep what is there while more comes, and pause', async (t) => {
    const { page, url, quiet } = await openPage(t, browser(), { hash: '/live' })
    const tamis = new TamisClient({ url })
    const sale = await readFile(join(EXAMPLES, 'sale.eml'))
    const phishing = await readFile(join(EXAMPLES, 'phishing.eml'))
    await tamis.classifyStream(sale, { userId: 'ann@mailbox.example' })
    const verdicts = page.getByRole('region', { name: 'Latest verdicts' })
    const first = verdicts.getByRole('listitem').first()
    await first.waitFor()
    assert.match(
      await said(first),
      /^Not spam spam probability [\d.]+ % promotions news\.example\.com \d+:\d\d:\d\d, [\d.]+ ms [a-z]/i,
    )
    await page.evaluate("document.querySelector('.verdicts li').dataset.seen = 'yes'")

    await tamis.classifyStream(phishing)
    await verdicts.getByText('Spam', { exact: true }).waitFor()
    assert.match(await said(first), /^Spam spam probability [\d.> ]+ % \S+\.example /)
    assert.equal(await verdicts.getByRole('listitem').nth(1).getAttribute('data-seen'), 'yes')

    const reasons = page.getByRole('region', { name: 'Strongest reasons' })
    assert.match(await said(reasons), /The wording 1 message towards spam, 1 away from it/)
    assert.match((await first.getByRole('link').getAttribute('href')) ?? '', /^#\/history\/.+%40.+/)
    const senders = page.getByRole('region', { name: 'Top senders' })
    assert.match(await said(senders), /news\.example\.com 1 message, 0 % spam/)
    assert.doesNotMatch(await said(page.locator('main')), /mailbox/)

    await page.getByRole('button', { name: 'Pause' }).click()
    await tamis.classifyStream(sale)
    await page.waitForTimeout(LOOK_MS)
    assert.equal(await verdicts.getByRole('listitem').count(), 2)
    await page.getByRole('button', { name: 'Resume' }).click()
    await senders.getByText('2 messages, 0 % spam').waitFor()
    assert.equal(await verdicts.getByRole('listitem').count(), 3)
    quiet()
  })

  it('fit on a phone, however long the domain of a sender', async (t) => {
    const context = { viewport: { width: 390, height: 844 } }
    const { page, url, quiet } = await openPage(t, browser(), { hash: '/live', context })
    const domain = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example`
    await new TamisClient({ url }).classifyStream(
      new TextEncoder().encode(`From: a@${domain}\r\nSubject: Hello\r\n\r\nHow are you?\r\n`),
    )
    await page.getByRole('region', { name: 'Top senders' }).getByText(domain).waitFor()
    assert.deepEqual(await page.evaluate(TOO_WIDE), [])
    quiet()
  })
})
