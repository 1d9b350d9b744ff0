/** The README's picture of the console: `WRITE_PICTURE=1 node --test packages/console/test/picture.system.test.ts`. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { browserOnce, openPage, SKIP } from './browser.ts'

const PICTURE = join(import.meta.dirname, '../../../docs/console.png')

describe('the picture of the console', { skip: SKIP }, () => {
  const browser = browserOnce()

  it('shows a sample with its verdict', async (t) => {
    const context = { viewport: { width: 1440, height: 1135 }, locale: 'en-GB' }
    const { page, quiet } = await openPage(t, browser(), { context })
    await page.getByRole('button', { name: 'A parcel on hold' }).click()
    await page.getByRole('region', { name: 'Verdict' }).waitFor()
    const picture = await page.screenshot({ animations: 'disabled' })
    assert.ok(picture.length > 50_000)
    if (process.env['WRITE_PICTURE'] !== undefined) await writeFile(PICTURE, picture)
    quiet()
  })
})
