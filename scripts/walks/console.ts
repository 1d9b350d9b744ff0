/** A person at the console: a message dropped, its verdict read, corrected and put back, and the other pages. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { CHROMIUM, launchChromium } from '../../packages/console/test/chromium.ts'
import { startTamis } from './started-tamis.ts'
import type { Persona, Walk } from './walk.ts'

const PAGE = 'docs/console.md'

/** How long a page may take to show what is expected of it; the machine is shared. */
const PATIENCE_MS = 60_000

/** Read from it before anything is loaded. */
const DROPPED = 'examples/phishing.eml'

export const CONSOLE: Persona = {
  name: 'console',
  title: 'The console',
  skip: existsSync(CHROMIUM) ? false : `there is no ${CHROMIUM}`,
  go,
}

async function go(walk: Walk, clone: string): Promise<void> {
  const tamis = await startTamis(walk, clone)
  const browser = await launchChromium()
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await walk.step('README.md', 'open the address', async () => {
      await page.goto(tamis.url)
      await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    })
    await tryMessage(walk, page, readFileSync(join(clone, DROPPED), 'latin1'))
    for (const name of ['Live', 'Users', 'Models']) {
      await walk.step(PAGE, `look at *${name}*`, async () => {
        await page.getByRole('link', { name, exact: true }).click()
        await page.getByRole('heading', { level: 1, name }).waitFor()
        await page.waitForLoadState('networkidle')
      })
    }
  } finally {
    await browser.close()
    await tamis.end()
  }
}

async function tryMessage(walk: Walk, page: Page, message: string): Promise<void> {
  const verdict = page.getByRole('region', { name: 'Verdict' })
  const correct = page.getByRole('region', { name: 'Is this wrong?' })
  const spam = verdict.getByText(/^(?:Probably|Almost certainly) spam: .+\.$/)
  await walk.step(PAGE, `drop \`${DROPPED}\` on the page, and read the sentence`, async () => {
    const dropped = await page.evaluateHandle(
      `(() => { const dropped = new DataTransfer(); dropped.items.add(new File([${JSON.stringify(message)}], 'dropped.eml')); return dropped })()`,
    )
    await page.dispatchEvent('body', 'dragover', { dataTransfer: dropped })
    await page.dispatchEvent('body', 'drop', { dataTransfer: dropped })
    await spam.waitFor()
  })
  await walk.step(PAGE, 'say whose mailbox it is, and correct it: *Not spam*', async () => {
    await correct.getByLabel('Whose mailbox?').fill('ann')
    await correct.getByRole('button', { name: 'Correct it' }).click()
    await correct.getByRole('button', { name: 'Not spam' }).click()
    await verdict.getByText(/^Not spam: /).waitFor()
  })
  await walk.step(PAGE, '*Undo*', async () => {
    await correct.getByRole('button', { name: 'Undo' }).click()
    await spam.waitFor()
  })
}
