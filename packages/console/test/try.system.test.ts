/** The page Try in a real browser: a message in, its verdict and reasons out, and corrected. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserOnce, openPage, openPageAt, SKIP, said, serviceOnce } from './browser.ts'

const PHISHING = join(import.meta.dirname, '../../../examples/phishing.eml')

/** Of all that the first page loads, compressed as it is sent. */
const FIRST_LOAD_BYTES_MAX = 150_000

const INTERACTIVE_MS_MAX = 1_000

/** Loads of which the fastest counts: whoever shares the machine is not the page. */
const LOADS = 5

const verdict = (page: Page) => page.getByRole('region', { name: 'Verdict' })

describe('Try', { skip: SKIP }, () => {
  const browser = browserOnce()
  const url = serviceOnce()

  it('can be used within a second, without a cache', async (t) => {
    const times: number[] = []
    while (times.length < LOADS && !times.some((ms) => ms <= INTERACTIVE_MS_MAX)) {
      const { page } = await openPageAt(t, browser(), url())
      const started = performance.now()
      await page.goto(`${url()}/`)
      await page.getByRole('button', { name: 'Choose a file' }).waitFor()
      times.push(performance.now() - started)
    }
    t.diagnostic(`after ${times.map(Math.round).join(', ')} ms`)
    assert.ok(Math.min(...times) <= INTERACTIVE_MS_MAX, `${times} ms`)
  })

  it('is small', async (t) => {
    const { page, quiet } = await openPageAt(t, browser(), url())
    let bytes = 0
    const counted: Promise<void>[] = []
    page.on('requestfinished', (request) => {
      counted.push(
        request.sizes().then(({ responseBodySize, responseHeadersSize }) => {
          bytes += responseBodySize + responseHeadersSize
        }),
      )
    })
    await page.goto(`${url()}/`)
    await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    await page.waitForLoadState('networkidle')
    await Promise.all(counted)
    t.diagnostic(`first load ${bytes} bytes`)
    assert.ok(bytes > 10_000 && bytes <= FIRST_LOAD_BYTES_MAX, `${bytes} bytes`)
    quiet()
  })

  it('shows why a sample is spam', async (t) => {
    const { page, quiet } = await openPage(t, browser(), { url: url() })
    await page.getByRole('button', { name: /A parcel on hold/ }).click()
    await verdict(page).getByText('Spam', { exact: true }).waitFor()
    assert.match(await said(verdict(page)), /\d\d\.\d+ %.*above the threshold of \d\d\.\d %/)
    const scale = verdict(page).getByRole('img', { name: /text model \d.*structure model \d/ })
    assert.equal(await scale.count(), 1)

    const why = page.getByRole('region', { name: 'Why' })
    assert.match(await said(why), /A link leads to an IP address \+\d\.\d\d/)
    assert.match(await said(why), /for, .* against: \+/)
    const models = page.getByRole('region', { name: 'Two models, side by side' })
    assert.match(await said(models), /they differ by \d+\.\d points/)

    const reading = page.getByRole('region', { name: 'As it is read' })
    assert.ok((await reading.locator('mark.for').count()) > 5)
    assert.ok((await reading.locator('mark.against').count()) > 5)
    const links = page.getByRole('region', { name: 'Links, and where they lead' })
    assert.match(
      await said(links),
      /leads to http:\/\/198\.51\.100\.77\/pay.*says www\.parcel-service\.example/,
    )
    assert.equal(await links.getByRole('link').count(), 0)

    const signals = page.getByRole('region', { name: 'Signals' })
    assert.match(await said(signals), /GREETING_GENERIC/)
    const classes = page.getByRole('region', { name: 'Class' })
    assert.match(await said(classes), /primary.*promotions.*updates.*transactions/)
    const time = page.getByRole('region', { name: 'Time' })
    assert.match(await said(time), /parse [\d.< ]+ms signals [\d.< ]+ms/)
    await page.getByText('TAMIS_AUTH_DNS').waitFor()
    quiet()
  })

  it('takes what is pasted, chosen or dropped', async (t) => {
    const { page, quiet } = await openPage(t, browser(), { url: url() })
    const source = await readFile(PHISHING, 'utf8')
    await page.getByLabel('Message source').fill(source)
    await page.getByRole('button', { name: 'See its verdict' }).click()
    await verdict(page).getByText('Spam', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Another message' }).click()
    await page.getByLabel('Message file').setInputFiles(PHISHING)
    await page.getByText('phishing.eml').waitFor()
    await verdict(page).getByText('Spam', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Another message' }).click()
    const dropped = await page.evaluateHandle(
      `(() => { const dropped = new DataTransfer(); dropped.items.add(new File([${JSON.stringify(source)}], 'dropped.eml')); return dropped })()`,
    )
    await page.dispatchEvent('body', 'dragover', { dataTransfer: dropped })
    await page.getByText('Drop the message to see its verdict').waitFor()
    await page.dispatchEvent('body', 'drop', { dataTransfer: dropped })
    await page.getByText('dropped.eml').waitFor()
    await verdict(page).getByText('Spam', { exact: true }).waitFor()
    quiet()
  })

  it('holds its age against no sample, and against nothing that is pasted', async (t) => {
    const { page, quiet } = await openPage(t, browser(), { url: url() })
    const samples = page.locator('.samples button')
    await samples.first().waitFor()
    const shown = async () => {
      await verdict(page).waitFor()
      const reading = await said(page.getByRole('region', { name: 'As it is read' }))
      const whole = await said(page.locator('main'))
      await page.getByRole('button', { name: 'Another message' }).click()
      return { reading, whole }
    }
    const count = await samples.count()
    assert.ok(count >= 8, `${count} samples`)
    for (let at = 0; at < count; at++) {
      await samples.nth(at).click()
      const { reading, whole } = await shown()
      assert.match(reading, /Arrived .*2025/)
      assert.doesNotMatch(whole, /DATE_IN_|DKIM_EXPIRED/, `sample ${at}`)
    }
    const source = 'From: a@example.net\nDate: Thu, 6 Jun 2019 12:00:00 +0000\n\nHello Ben\n'
    for (const received of ['', 'Received: by mx.example.com; Fri, 7 Jun 2019 12:00:00 +0000\n']) {
      await page.getByLabel('Message source').fill(received + source)
      await page.getByRole('button', { name: 'See its verdict' }).click()
      const { reading, whole } = await shown()
      assert.match(reading, /Arrived .*2019/)
      assert.doesNotMatch(whole, /DATE_IN_/)
    }
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
    await verdict(page).getByText('Spam', { exact: true }).waitFor()
    quiet()
  })

  it('lets a user correct a verdict, see it change, and take that back', async (t) => {
    const { page, quiet } = await openPage(t, browser(), { url: url() })
    await page.getByRole('button', { name: /A parcel on hold/ }).click()
    await verdict(page).getByText('Spam', { exact: true }).waitFor()
    const correct = page.getByRole('region', { name: 'Correct it as demo' })
    await correct.getByRole('button', { name: 'Not spam' }).click()
    await verdict(page).getByText('Not spam', { exact: true }).waitFor()
    // The models are sure of spam, so the rule that was made beside it only lifts; the message itself is known.
    assert.match(await said(verdict(page)), /The user has corrected this very message/)
    assert.match(await said(correct), /Recorded: not spam.*Spam (?:> )?\d[\d.]* %.*Not spam 0 %/)
    await correct.getByRole('button', { name: 'Undo' }).click()
    await verdict(page).getByText('Spam', { exact: true }).waitFor()
    assert.match(await said(correct), /Withdrawn: not spam/)

    await correct.getByLabel('Class').selectOption('promotions')
    await correct.getByRole('button', { name: 'Correct class' }).click()
    await verdict(page).getByText('promotions').waitFor()
    assert.match(await said(page.getByRole('region', { name: 'Class' })), /memory of the user/)
    await correct.getByRole('button', { name: 'Undo' }).click()
    await verdict(page).getByText('promotions').waitFor({ state: 'detached' })
    quiet()
  })

  it('judges for another user, and says what of the delivery cannot be', async (t) => {
    const { page } = await openPage(t, browser(), { url: url() })
    await page.getByRole('button', { name: /A parcel on hold/ }).click()
    await page.getByText('for demo').click()
    await page.getByLabel('User').fill('Zoë')
    await page.getByRole('button', { name: 'Judge again' }).click()
    await page.getByRole('region', { name: 'Correct it as Zoë' }).waitFor()
    await page.getByLabel('Sending client').fill('not an address')
    await page.getByRole('button', { name: 'Judge again' }).click()
    assert.match(await said(page.getByRole('alert')), /X-Sender-IP/)
  })

  it('shows how the sender was authenticated, and a link that stands in a feed', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'tamis-web-'))
    t.after(() => rm(folder, { recursive: true }))
    const feed = join(folder, 'feed.txt')
    await writeFile(feed, 'http://login.example.net/verify\n')
    const config = { feeds: `file:${feed}`, trustedAuthservIds: ['mx.example.com'] }
    const { page, quiet } = await openPage(t, browser(), { service: { config } })
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
    assert.match(await said(sender), /Source: trusted field/)
    assert.match(await said(verdict(page)), /Spam 100 % A link is in the feed file:/)
    const links = page.getByRole('region', { name: 'Links, and where they lead' })
    assert.match(await said(links), /in the feed file:.*: login\.example\.net\/verify/)
    quiet()
  })

  it('says that bytes are no message, and that the service is gone', async (t) => {
    const { page } = await openPage(t, browser(), { url: url() })
    await page.getByLabel('Message source').fill('\n\njust text')
    await page.getByRole('button', { name: 'See its verdict' }).click()
    assert.match(await said(page.getByRole('alert')), /NOT_A_MESSAGE/)

    await page.getByRole('button', { name: 'Another message' }).click()
    await page.route('**/classify/**', (route) => route.abort())
    await page.getByRole('button', { name: /A prize/ }).click()
    assert.match(await said(page.getByRole('alert')), /UNREACHABLE/)
    await page.unroute('**/classify/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await verdict(page).getByText('Spam', { exact: true }).waitFor()
  })
})
