/** The page of site rules and settings of recipients, as an administrator of a tenant uses it. */
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

  it('adds and removes site rules, which hold at once, and says beside the field what is wrong', async (t) => {
    const { page, url, quiet } = await openPage(t, browser(), { hash: '/rules' })
    const tamis = new TamisClient({ url })
    const isSpam = async () =>
      (await tamis.classifyStream(MESSAGE, { userId: 'ann@example.org' })).isSpam
    const panel = page.getByRole('region', { name: 'Site rules', exact: true })
    await panel.getByText('There are no site rules.').waitFor()
    assert.equal(await isSpam(), false)

    const form = page.getByRole('form', { name: 'New site rule' })
    const add = form.getByRole('button', { name: 'Add rule' })
    assert.ok(await add.isDisabled())
    await form.getByLabel('Value').fill('shop.example.com')
    await form.getByLabel('Recipient domain').fill('ann@example.org')
    await add.click()
    await form.getByText('This must be a domain, such as example.org.').waitFor()
    const domain = form.getByLabel('Recipient domain')
    assert.equal(await domain.getAttribute('aria-invalid'), 'true')
    assert.equal(await domain.inputValue(), 'ann@example.org')
    await domain.fill('example.org')
    await add.click()
    await panel.getByText('shop.example.com').waitFor()
    assert.match(await said(panel), /1 rule block sender shop\.example\.com for example\.org/)
    assert.equal(await isSpam(), true)

    await form.getByLabel('Action').selectOption('allow')
    await form.getByLabel('Value').fill('Shop.example.com')
    await add.click()
    await form.getByText('Another rule says the opposite. Remove it first.').waitFor()
    await form.getByLabel('Match by').selectOption('network')
    await form.getByLabel('Value').fill('192.0.2.1/24')
    await add.click()
    await form.getByText(/This must be an IP address, or a network/).waitFor()
    await form.getByLabel('Value').fill('192.0.2.0/24')
    await domain.fill('')
    await add.click()
    await panel.getByText('2 rules').waitFor()

    await page.getByLabel('Search rules and recipients').fill('allow network')
    assert.equal(await panel.getByRole('listitem').count(), 1)
    await page.getByLabel('Search rules and recipients').fill('')
    await panel.getByRole('button', { name: 'Remove: block shop.example.com' }).click()
    await panel.getByText('shop.example.com').waitFor({ state: 'detached' })
    assert.equal(await isSpam(), false)
    quiet()
  })

  it('sets and removes threshold and learning of users and domains', async (t) => {
    const { page, url, quiet } = await openPage(t, browser(), { hash: '/rules' })
    const tamis = new TamisClient({ url })
    const panel = page.getByRole('region', { name: 'Recipients', exact: true })
    await panel.getByText('No user or domain has settings of its own.').waitFor()
    const form = page.getByRole('form', { name: 'New recipient setting' })
    const set = form.getByRole('button', { name: 'Set' })
    await form.getByLabel('Name').fill('Example.org')
    assert.ok(await set.isDisabled())
    await form.getByLabel('Threshold').selectOption('a probability')
    await form.getByLabel('Spam above').fill('2')
    await set.click()
    await form
      .getByText('This must be one of cautious, balanced, strict, or a number above 0 and below 1.')
      .waitFor()
    await form.getByLabel('Spam above').fill('0.000000001')
    await set.click()
    await panel.getByText('example.org').waitFor()
    assert.match(await said(panel), / domain example\.org threshold 1e-9 /)
    const { isSpam } = await tamis.classifyStream(MESSAGE, { userId: 'ann@example.org' })
    assert.equal(isSpam, true)

    await form.getByLabel('For a').selectOption('user')
    await form.getByLabel('Name').fill('<b>Zoë</b>')
    await form.getByLabel('Threshold').selectOption('default')
    await form.getByLabel('Learning').selectOption('off')
    await set.click()
    await panel.getByText('<b>Zoë</b>').waitFor()
    assert.match(await said(panel), /user <b>Zoë<\/b> learning off/)
    await panel.getByRole('button', { name: 'Remove the settings for example.org' }).click()
    await panel.getByText('example.org').waitFor({ state: 'detached' })
    const { recipients } = await tamis.recipientSettings()
    assert.deepEqual(
      recipients.map(({ name, threshold, learning }) => [name, threshold, learning]),
      [['<b>Zoë</b>', null, 'off']],
    )
    quiet()
  })

  it('adds and removes weighted rules, which hold at once, and says what is wrong', async (t) => {
    const file = join(temporaryFolder(), 'weighted.rules')
    await writeFile(file, 'rule OF_ALL -0.5\nheader List-Id matches ^<news\\.\n')
    const { page, url, quiet } = await openPage(t, browser(), {
      service: { config: { weightedRules: [file] } },
      hash: '/rules',
    })
    const tamis = new TamisClient({ url })
    const probability = async () => (await tamis.classifyStream(MESSAGE)).spamProbability
    const before = await probability()
    const panel = page.getByRole('region', { name: 'Weighted rules', exact: true })
    await panel.getByText('OF_ALL').waitFor()
    assert.match(
      await said(panel),
      /−0\.5 OF_ALL header list-id matches \^<news\\\. weighted\.rules:1/,
    )

    const form = page.getByRole('form', { name: 'New weighted rule' })
    const add = form.getByRole('button', { name: 'Add weighted rule' })
    assert.ok(await add.isDisabled())
    await form.getByLabel('Name').fill('acme')
    await form.getByLabel('Weight').fill('3')
    await form.getByLabel('Words or pattern 1').fill('order 4711')
    await add.click()
    await form.getByText('This must be at most 40 capital letters').waitFor()
    await form.getByLabel('Name').fill('ACME')
    await form.getByRole('button', { name: 'Add condition' }).click()
    await form.getByLabel('Condition 2').selectOption('text')
    await form.getByLabel('How 2').selectOption('matches pattern')
    await form.getByLabel('Words or pattern 2').fill('(thank')
    await add.click()
    await panel.getByText(/is not a pattern of RE2: missing closing/).waitFor()
    await form.getByLabel('Words or pattern 2').fill('^thank you')
    await add.click()
    await panel.getByText('ACME', { exact: true }).waitFor()
    assert.match(
      await said(panel),
      /\+3 ACME subject contains order 4711 and text matches \^thank you/,
    )
    assert.ok((await probability()) > before)

    await panel.getByRole('button', { name: 'Remove: ACME' }).click()
    await panel.getByText('ACME', { exact: true }).waitFor({ state: 'detached' })
    assert.equal(await probability(), before)
    quiet()
  })

  it("shows the rules of the operator's files, with their lines and without a button", async (t) => {
    const folder = temporaryFolder()
    const file = join(folder, 'site.rules')
    await writeFile(file, '# Ours\nblock sender *.top\nallow network 198.51.100.0/24\n')
    const { page, quiet } = await openPage(t, browser(), {
      service: { config: { siteRules: [file] } },
      hash: '/rules',
    })
    const panel = page.getByRole('region', { name: 'Rules in files' })
    await panel.getByText('site.rules:2').waitFor()
    assert.match(await said(panel), /block sender \*\.top site\.rules:2 allow network 198/)
    assert.equal(await panel.getByRole('button').count(), 0)
    quiet()
  })

  it('shows hundreds of rules some at a time, and finds one among all', async (t) => {
    const { page, url, quiet } = await openPage(t, browser(), { hash: '/try' })
    const tamis = new TamisClient({ url })
    for (let i = 0; i < 120; i += 1) {
      const rule = { label: 'spam', ruleType: 'Sender' } as const
      await tamis.createSiteRule({ ...rule, pattern: `spam-${i}.example` })
    }
    await page.getByRole('link', { name: 'Rules' }).click()
    const panel = page.getByRole('region', { name: 'Site rules', exact: true })
    await panel.getByText('120 rules').waitFor()
    assert.equal(await panel.getByRole('listitem').count(), 50)
    await panel.getByRole('button', { name: 'Show 50 more of 120' }).click()
    assert.equal(await panel.getByRole('listitem').count(), 100)
    await page.getByLabel('Search rules and recipients').fill('spam-0.example')
    assert.equal(await panel.getByRole('listitem').count(), 1)
    quiet()
  })
})
