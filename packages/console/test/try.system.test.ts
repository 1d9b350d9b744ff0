/** The page Try in a real browser: a message in, its verdict and reasons out, and corrected. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { browserOnce, openPage, SKIP, said, serviceOnce } from './browser.ts'

const EXAMPLES = join(import.meta.dirname, '../../../examples')
const PHISHING = join(EXAMPLES, 'phishing.eml')
const APPOINTMENT = join(EXAMPLES, 'appointment.eml')

/** The spam of the samples, whatever the models' probability of it. */
const SPAM = /^(?:Probably|Almost certainly) spam: /

/** Resolves when the one feed of the service has entries: it is loaded beside the first requests. */
async function feedLoaded(url: string): Promise<void> {
  for (;;) {
    const { feeds } = await (await fetch(`${url}/ready`)).json()
    if (feeds[0]?.entries > 0) return
    await setTimeout(20)
  }
}

const isSpam = (page: Page) => sentence(page).filter({ hasText: SPAM }).waitFor()

const sentence = (page: Page) => verdict(page).locator('.verdict-sentence')

const verdict = (page: Page) => page.getByRole('region', { name: 'Verdict' })

describe('Try', { skip: SKIP }, () => {
  const browser = browserOnce()
  const url = serviceOnce()

  it('shows why a sample is spam', async (t) => {
    const { page, quiet } = await openPage(t, browser(), { url: url() })
    await page.getByRole('button', { name: /A parcel on hold/ }).click()
    await isSpam(page)
    assert.match(
      await said(sentence(page)),
      / spam: a link leads to a bare IP address, and [^,]+\.$/,
    )
    assert.match(
      await said(verdict(page)),
      /Spam probability (?:> )?\d\d\.\d+ % Above \d\d\.\d+ % it is spam\. almost certainly not spam .* almost certainly spam/,
    )
    assert.equal(await verdict(page).locator('.track .here').count(), 1)
    // What spam would be if it were none is of no use to a reader.
    assert.equal(await page.getByRole('region', { name: 'Class' }).count(), 0)
    assert.doesNotMatch(await said(verdict(page)), /class:/)
    assert.equal((await page.locator('main h2').allInnerTexts())[0], 'Why')

    const why = page.getByRole('region', { name: 'Why' })
    assert.match(await said(why), /A link leads to a bare IP address\. 198\.51\.100\.77 \+\d\.\d\d/)
    assert.match(await said(why), /Every message starts at [+−]\d.* For spam \+\d.* Against −\d/)
    const reading = page.getByRole('region', { name: 'What the reader sees' })
    const marked = (await reading.locator('bdi mark').allInnerTexts()).map((it) => it.toLowerCase())
    const words = new Set(marked).size
    assert.ok(words > 2 && words <= 10, marked.join(' '))
    const main = page.locator('main')
    assert.doesNotMatch(await said(main), /Share: | share: /)
    assert.match(await said(why), /The greeting is generic\. \S/)
    await why.getByRole('button', { name: 'Show everything' }).click()
    assert.match(await said(why), / share: .*Signals of no weight.*Text model alone \d/)
    const links = page.getByRole('region', { name: 'Links, and where they lead' })
    assert.match(
      await said(links),
      /198\.51\.100\.77 1 link bare IP address says www\.parcel-service\.example$/,
    )
    await links.locator('summary').click()
    assert.match(await said(links), /leads to http:\/\/198\.51\.100\.77\/pay/)
    assert.equal(await links.getByRole('link').count(), 0)

    await page.getByText('TAMIS_AUTH_DNS').waitFor()
    quiet()
  })

  it('takes what is pasted, chosen or dropped', async (t) => {
    const { page, quiet } = await openPage(t, browser(), { url: url() })
    const source = await readFile(PHISHING, 'utf8')
    await page.getByLabel('Message source').fill(source)
    await page.getByRole('button', { name: 'See its verdict' }).click()
    await isSpam(page)

    await page.getByRole('button', { name: 'Another message' }).click()
    await page.getByLabel('Message file').setInputFiles(PHISHING)
    await page.getByText('phishing.eml').waitFor()
    await isSpam(page)

    await page.getByRole('button', { name: 'Another message' }).click()
    const dropped = await page.evaluateHandle(
      `(() => { const dropped = new DataTransfer(); dropped.items.add(new File([${JSON.stringify(source)}], 'dropped.eml')); return dropped })()`,
    )
    await page.dispatchEvent('body', 'dragover', { dataTransfer: dropped })
    await page.getByText('Drop the message to see its verdict').waitFor()
    await page.dispatchEvent('body', 'drop', { dataTransfer: dropped })
    await page.getByText('dropped.eml').waitFor()
    await isSpam(page)
    quiet()
  })

  it('is used by the keyboard alone', async (t) => {
    const { page, quiet } = await openPage(t, browser(), { url: url() })
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate('document.activeElement.id'), 'main')
    for (let i = 0; i < 12; i++) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate('document.activeElement.textContent')
      if (String(focused).startsWith('A parcel on hold')) break
    }
    await page.keyboard.press('Enter')
    await isSpam(page)
    quiet()
  })

  it('lets a user correct a verdict, see it change, and take that back', async (t) => {
    const { page, quiet } = await openPage(t, browser(), { url: url() })
    await page.getByLabel('Message file').setInputFiles(PHISHING)
    await isSpam(page)
    const correct = page.getByRole('region', { name: 'Is this wrong?' })
    await correct.getByLabel('Whose mailbox?').fill('ann')
    await correct.getByRole('button', { name: 'Correct it' }).click()
    await correct.getByRole('button', { name: 'Not spam' }).waitFor()
    assert.match(
      await said(correct),
      /A correction counts for ann at once\. It may also count towards the models that all users share\./,
    )
    assert.equal(await correct.getByLabel('Class').count(), 0)
    await correct.getByRole('button', { name: 'Not spam' }).click()
    // The models are sure of spam, so the rule that was made beside it only lifts; the message itself is known.
    await sentence(page)
      .getByText(
        /Not spam: on [\d-]{10} the recipient marked mail from \S+ as not spam, and this is like it\./,
      )
      .waitFor()
    const why = page.getByRole('region', { name: 'Why' })
    await why.getByText('The models gave these reasons, but were overruled.').waitFor()
    assert.match(
      await said(verdict(page)),
      /The models alone say: (?:probably|almost certainly) spam\./,
    )
    assert.match(
      await said(correct),
      /Recorded for ann: not spam\. .* spam \(spam probability (?:> )?\d[\d.]* %\) Not spam, \w+ \(spam probability 0 %\)/,
    )
    await correct.getByRole('button', { name: 'Undo' }).click()
    await isSpam(page)
    assert.match(await said(correct), /Withdrawn for ann: not spam/)
    // It is not asked again.
    await page.getByRole('button', { name: 'Another message' }).click()
    await page.getByLabel('Message file').setInputFiles(APPOINTMENT)
    await correct.getByRole('button', { name: 'Not spam' }).waitFor()
    assert.equal(await correct.getByLabel('Whose mailbox?').count(), 0)
    quiet()
  })

  it('shows how the sender was authenticated, and a link that stands in a feed', async (t) => {
    const folder = temporaryFolder()
    const feed = join(folder, 'feed.txt')
    await writeFile(feed, 'http://login.example.net/verify\n')
    const config = { feeds: [`file:${feed}`], trustedAuthservIds: ['mx.example.com'] }
    const { page, url, quiet } = await openPage(t, browser(), { service: { config } })
    await feedLoaded(url)
    await page
      .getByLabel('Message source')
      .fill(
        'Authentication-Results: mx.example.com; dmarc=pass header.from=example.org;\n dkim=pass header.d=example.org\n' +
          'From: a@example.org\nSubject: Hello\n\nSee http://login.example.net/verify\n',
      )
    await page.getByRole('button', { name: 'See its verdict' }).click()
    const sender = page.getByRole('region', { name: 'Who sent it' })
    await sender.waitFor()
    assert.match(await said(sender), /authenticated DKIM pass example\.org DMARC pass example\.org/)
    assert.match(await said(sender), /Your mail server checked this\./)
    assert.match(
      await said(verdict(page)),
      /Spam: a link is in a feed of malicious addresses\. The feed is file:.*Spam probability 100 %/,
    )
    const links = page.getByRole('region', { name: 'Links, and where they lead' })
    assert.match(
      await said(links),
      /login\.example\.net 1 link in the feed file:.*: login\.example\.net\/verify/,
    )
    quiet()
  })

  it('says that bytes are no message, and that the service is gone', async (t) => {
    const { page } = await openPage(t, browser(), { url: url() })
    const source = page.getByLabel('Message source')
    await source.fill('\n\njust text')
    await source.press('Control+Enter')
    assert.match(await said(page.getByRole('alert')), /^This text has no header fields\./)

    // What was pasted is still there, and is mended rather than pasted again.
    assert.equal(await source.inputValue(), '\n\njust text')
    await page.getByRole('button', { name: 'Another message' }).click()
    assert.equal(await source.inputValue(), '\n\njust text')
    await source.fill('From: a@example.com\n\njust text')
    await source.press('Control+Enter')
    await verdict(page).waitFor()
    await page.getByRole('button', { name: 'Another message' }).click()
    assert.equal(await source.inputValue(), '')
    await page.route('**/classify/**', (route) => route.abort())
    await page.getByRole('button', { name: /A prize/ }).click()
    assert.match(await said(page.getByRole('alert')), /UNREACHABLE/)
    await page.unroute('**/classify/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await isSpam(page)
  })
})
