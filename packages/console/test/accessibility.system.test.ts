/**
 * Every page, in every state that it is left in for long, held against WCAG 2.2 A and AA as far as
 * axe can tell: by day, by night, and on a screen of 360 pixels.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { TamisClient } from '../../client/client.ts'
import { browserOnce, openPageAt, SKIP, serviceOnce } from './browser.ts'

const EXAMPLES = join(import.meta.dirname, '../../../examples')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly target: unknown; readonly failureSummary?: string }[]
}

/** What axe finds on `page` against WCAG 2.2 A and AA; empty if it finds nothing. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const found = await page.evaluate(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then((results) => results.violations)",
  )
  return (found as Violation[]).flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${String(target)} ${failureSummary ?? ''}`),
  )
}

/** True when the page is wider than the screen, so that it has to be moved to be read. */
const OVERFLOWS = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'

const STATES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'Try, before a message': async (page) => {
    await page.getByRole('button', { name: /A prize/ }).waitFor()
  },
  'Try, with a sample, and all its reasons': async (page) => {
    await page.getByRole('button', { name: /An invoice/ }).click()
    await page.locator('.links summary').first().click()
    assert.deepEqual(await violations(page), [])
    await page.getByRole('button', { name: 'Show everything' }).click()
  },
  'Try, with a verdict that was corrected': async (page) => {
    await page.getByLabel('Message file').setInputFiles(join(EXAMPLES, 'newsletter.eml'))
    const correct = page.getByRole('region', { name: 'Is this wrong?' })
    await correct.getByLabel('Whose mailbox?').fill('ben')
    await correct.getByRole('button', { name: 'Correct it' }).click()
    await page.getByRole('button', { name: 'Spam', exact: true }).click()
    await page.getByText('Recorded for').waitFor()
    await page.locator('.facts > summary').click()
  },
  'Try, with an error': async (page) => {
    await page.getByLabel('Message source').fill('\n')
    await page.getByLabel('Message source').fill('no message')
    await page.getByRole('button', { name: 'See its verdict' }).click()
    await page.getByRole('alert').waitFor()
  },
  'History, while it is off': async (page) => {
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('The history is off').waitFor()
  },
  Live: async (page) => {
    await page.getByRole('link', { name: 'Live' }).click()
    await page.getByRole('region', { name: 'Classes' }).waitFor()
  },
  'Users, all, and none found': async (page) => {
    await page.getByRole('link', { name: 'Users' }).click()
    await page
      .getByRole('region', { name: 'All users' })
      .getByText('1 correction')
      .first()
      .waitFor()
    assert.deepEqual(await violations(page), [])
    await page.getByLabel('User id').fill('nobody')
    await page.getByText('No users found').waitFor()
  },
  'Users, and the question before all is deleted': async (page) => {
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('link', { name: 'ann', exact: true }).click()
    await page
      .getByRole('region', { name: 'Memory' })
      .getByText(/not verified/)
      .first()
      .waitFor()
    await page
      .getByRole('region', { name: 'Rules', exact: true })
      .getByText('Sender')
      .first()
      .waitFor()
    assert.deepEqual(await violations(page), [])
    await page.getByRole('button', { name: 'Delete all data' }).click()
    await page.getByRole('dialog').waitFor()
  },
  'Rules, with one that was refused': async (page) => {
    await page.getByRole('link', { name: 'Rules' }).click()
    await page.getByText('long-name-of-a-domain').first().waitFor()
    const form = page.getByRole('form', { name: 'Stored rules' })
    await form.getByLabel('Rules, one a line').fill('block')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').waitFor()
  },
  Models: async (page) => {
    await page.getByRole('link', { name: 'Models' }).click()
    await page.getByRole('region', { name: 'Versions' }).waitFor()
  },
}

describe('accessibility', { skip: SKIP }, () => {
  const browser = browserOnce()
  const url = serviceOnce()

  before(async () => {
    if (SKIP !== false) return
    const tamis = new TamisClient({ url: url() })
    const message = await readFile(join(EXAMPLES, 'sale.eml'))
    await tamis.message('/classify-stream', message)
    await tamis.message('/classify-stream', await readFile(join(EXAMPLES, 'phishing.eml')))
    await tamis.message('/tabs/classify-stream', message)
    await tamis.message('/feedback-stream', message, { userId: 'ann', isSpam: true })
    await tamis.put('/rules', {
      body: { text: `block from *.${'long-name-of-a-domain.'.repeat(8)}example` },
    })
  })

  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 360],
  ] as const) {
    it(`has nothing for axe to find, ${colorScheme}, ${width} pixels wide`, async (t) => {
      // axe is no part of the page, whose policy would not let it write styles.
      const context = { colorScheme, viewport: { width, height: 900 }, bypassCSP: true }
      const { page } = await openPageAt(t, browser(), url(), context)
      for (const [name, reach] of Object.entries(STATES)) {
        await page.goto('about:blank')
        await page.goto(`${url()}/#/try`)
        await reach(page)
        assert.deepEqual(await violations(page), [], name)
        assert.equal(await page.evaluate(OVERFLOWS), false, `${name} is wider than the screen`)
      }
    })
  }

  it('takes the theme that the reader chooses, and keeps it', async (t) => {
    const { page, quiet } = await openPageAt(t, browser(), url(), { colorScheme: 'light' })
    await page.goto(`${url()}/`)
    await page.getByRole('button', { name: 'Use the dark theme' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Use the light theme' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.style.colorScheme'), 'dark')
    quiet()
  })
})
