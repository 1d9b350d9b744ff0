/** Messages that would do something in a browser if they were taken for more than text. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserOnce, type OpenPage, openPage, SKIP, serviceOnce } from './browser.ts'

/** What the scripts in these messages set. */
const WAS_RUN = "window.wasRun ?? document.documentElement.dataset.wasRun ?? 'nothing'"

const ATTACK = '<img src=x onerror="window.wasRun=1"><script>window.wasRun=1</script>'

async function judge(opened: OpenPage, source: string): Promise<string> {
  const { page } = opened
  await page.getByLabel('Message source').fill(source)
  await page.getByRole('button', { name: 'See its verdict' }).click()
  await page.getByRole('region', { name: 'Verdict' }).waitFor()
  for (const host of await page.locator('.links summary').all()) await host.click()
  return page.locator('main').innerText()
}

async function nothingHappened({ page, quiet }: OpenPage): Promise<void> {
  assert.equal(await page.evaluate(WAS_RUN), 'nothing')
  assert.equal(await page.locator('main img, main script, main iframe').count(), 0)
  // The console has no link of its own before it knows whose mailbox it is.
  const links = "[...document.querySelectorAll('main a[href]')].map((a) => a.getAttribute('href'))"
  assert.deepEqual(await page.evaluate(links), [])
  quiet()
}

/** Names of the regions, so that a message that breaks the page is noticed. */
async function regions(page: Page): Promise<string[]> {
  return page.locator('main section h2').allInnerTexts()
}

describe('a hostile message', { skip: SKIP }, () => {
  const browser = browserOnce()
  const url = serviceOnce()

  it('has its markup shown as text, wherever it stands', async (t) => {
    const opened = await openPage(t, browser(), { url: url() })
    const text = await judge(
      opened,
      [
        `From: "${ATTACK.replaceAll('"', "'")}" <a@example.com>`,
        `Subject: ${ATTACK}`,
        `Date: ${ATTACK}`,
        `Message-ID: <${ATTACK}>`,
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        '',
        `Hello ${ATTACK} https://example.org/${ATTACK}`,
        '--b',
        'Content-Type: application/octet-stream',
        `Content-Disposition: attachment; filename="<svg onload=window.wasRun=1>.exe"`,
        '',
        'x',
        '--b--',
        '',
      ].join('\r\n'),
    )
    assert.ok(text.includes(ATTACK))
    assert.ok(text.includes('<svg onload=window.wasRun=1>.exe'))
    await nothingHappened(opened)
  })

  it('has its HTML read and neither run nor loaded', async (t) => {
    const opened = await openPage(t, browser(), { url: url() })
    const text = await judge(
      opened,
      [
        'From: a@example.com',
        'Subject: html',
        'Content-Type: text/html; charset=utf-8',
        '',
        `<style>body{background:url(https://example.org/style)}</style>${ATTACK}`,
        '<img src="https://example.org/pixel.gif"><link rel=stylesheet href=https://example.org/a.css>',
        '<a href="javascript:window.wasRun=1">click here</a>',
        '<a href="data:text/html,<script>window.wasRun=1</script>">and here</a>',
        '<iframe src="https://example.org/"></iframe><meta http-equiv=refresh content="0;url=https://example.org/">',
        '<form action="https://example.org/"><input autofocus onfocus="window.wasRun=1"></form>',
        'Seen by the reader.',
      ].join('\r\n'),
    )
    assert.match(text, /Seen by the reader/)
    assert.match(text, /javascript:window\.wasRun=1/)
    await nothingHappened(opened)
  })

  it('has characters that hide or turn text round shown by their number', async (t) => {
    const opened = await openPage(t, browser(), { url: url() })
    const text = await judge(
      opened,
      'From: a@example.com\r\nSubject: =?utf-8?Q?invoice=E2=80=AEfdp.exe_=1B]0;title=07?=\r\n' +
        'Content-Type: text/plain; charset=utf-8\r\n\r\nTerminal \u001b[2J\u001b]0;owned\u0007 and \u202etxet\u202c and zero\u200bwidth\r\n',
    )
    assert.match(text, /invoice\s*U\+202E\s*fdp\.exe\s*U\+001B/)
    assert.match(text, /Terminal\s*U\+001B\s*\[2J/)
    assert.match(text, /zero\s*U\+200B\s*width/)
    await nothingHappened(opened)
  })

  it('of ten megabytes leaves the page small', async (t) => {
    const opened = await openPage(t, browser(), { url: url() })
    const { page } = opened
    const line = `${ATTACK} words of a long letter https://example.org/${'a'.repeat(60)}\r\n`
    const source = `From: a@example.com\r\nSubject: long\r\n\r\n${line.repeat(10_000_000 / line.length)}`
    await page
      .getByLabel('Message file')
      .setInputFiles({ name: 'long.eml', mimeType: 'message/rfc822', buffer: Buffer.from(source) })
    await page.getByRole('region', { name: 'Verdict' }).waitFor()
    await page.getByRole('button', { name: /Show all \d+ characters/ }).click()
    await page.getByRole('button', { name: 'Show only the beginning' }).waitFor()
    assert.ok((await regions(page)).includes('Who sent it'))
    assert.ok(Number(await page.evaluate("document.querySelectorAll('*').length")) < 10_000)
    await nothingHappened(opened)
  })
})
