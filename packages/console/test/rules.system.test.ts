/** The page of the operator's rules: what is in use, the file, and the text that is stored here. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { TamisClient } from '../../client/client.ts'
import { ORDER } from '../../service/test/http/service.ts'
import { browserOnce, openPage, SKIP, said } from './browser.ts'

const MESSAGE = new TextEncoder().encode(ORDER)

describe('Rules', { skip: SKIP }, () => {
  const browser = browserOnce()

  it('shows file, hits and faults, and stores rules that hold at once', async (t) => {
    const rules = join(temporaryFolder(), 'rules')
    await writeFile(rules, '# Ours\nblock from *.top\n')
    const { page, url, quiet } = await openPage(t, browser(), {
      service: { config: { rules } },
      hash: '/rules',
    })
    const tamis = new TamisClient({ url })
    const isSpam = async () => (await tamis.message('/classify-stream', MESSAGE)).isSpam
    const inUse = page.getByRole('region', { name: 'Rules in use' })
    await inUse.getByText('file:2').waitFor()
    assert.match(await said(page.getByRole('region', { name: 'Rules in the file' })), /# Ours/)

    const form = page.getByRole('form', { name: 'Stored rules' })
    const save = form.getByRole('button', { name: 'Save' })
    assert.ok(await save.isDisabled())
    const text = form.getByLabel('Rules, one a line')
    await text.fill('block sender shop.example.com')
    await save.click()
    await form.getByText(/line 1, column 7: "sender" must be one of from/).waitFor()
    await text.fill('block from shop.example.com')
    await save.click()
    await inUse.getByText('stored:1').waitFor()
    assert.equal(await isSpam(), true)

    await writeFile(rules, '# Ours\nblock\n')
    await page.reload()
    await page.getByText(/Line 2, column 6: What comes next/).waitFor()
    assert.match(await said(inUse), /2 rules.*0 block from \*\.top file:2 1 block from shop/)
    await inUse.getByLabel('Search rules').fill('shop')
    assert.equal(await inUse.getByRole('listitem').count(), 1)
    quiet()
  })
})
