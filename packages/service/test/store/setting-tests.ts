/** What a tenant sets: rules of its site, and settings of recipients. On whichever database, as store-tests.ts. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Store } from '../../store/store.ts'
import type { NewTenantRule } from '../../tenants/site-rule.ts'
import type { NewWeightedRule } from '../../tenants/weighted-rule.ts'
import { userKeyOf } from '../../users/message-keys.ts'
import { rule, siteRule, weightedRule } from './samples.ts'

const ANN = { kind: 'user', name: 'ann@example.org' } as const
const DOMAIN = { kind: 'domain', name: 'example.org' } as const

/** All but one of the rows of a tenant that there may be, each made of a number `i`. */
const NUMBERS = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 9999)'
const RULES = `${NUMBERS} insert into site_rules
  select 'id-' || i, 'default', '', 'Sender', 'spam-' || i || '.example', 'spam', i from n`
const SETTINGS = `${NUMBERS} insert into recipient_settings (tenant, kind, name, threshold, learning, updated_at)
  select 'default', 'user', 'user-' || i, null, 'off', i from n`

export function settingTests(
  open: (now?: () => Date) => Promise<Store>,
  run: (statement: string) => Promise<unknown>,
): void {
  describe('site rules', () => {
    it('are there as they were given, newest first', async () => {
      let ms = Date.UTC(2026, 10, 23)
      const store = await open(() => new Date(ms++))
      const given: NewTenantRule[] = [
        siteRule(),
        siteRule({ recipientDomain: 'example.org', label: 'ham', pattern: 'ann@example.com' }),
        siteRule({ ruleType: 'Network', pattern: '2001:db8::/32' }),
      ]
      for (const each of given) assert.equal((await store.addSiteRule(each)).created, true)
      const listed = await store.siteRules('default', 10)
      assert.deepEqual(
        listed.map(({ id: _id, createdAt: _createdAt, ...fields }) => fields),
        given.toReversed(),
      )
      assert.match(listed[0]!.id, /^[0-9a-f-]{36}$/)
      assert.ok(listed[0]!.createdAt instanceof Date)
    })

    it('come in pages, also those of one millisecond, whatever is removed meanwhile', async () => {
      const store = await open(() => new Date(Date.UTC(2026, 10, 23)))
      for (const label of ['a', 'b', 'c', 'd', 'e']) {
        await store.addSiteRule(siteRule({ pattern: `*.${label}.example` }))
      }
      const all = await store.siteRules('default', 10)
      const first = await store.siteRules('default', 2)
      await store.removeSiteRule('default', first[1]!.id)
      const rest = await store.siteRules('default', 10, first[1])
      assert.deepEqual([...first, ...rest], all)
    })

    it('have no id and no place that PostgreSQL cannot hold', async () => {
      const store = await open()
      await store.addSiteRule(siteRule())
      assert.equal(await store.removeSiteRule('default', 'a\0b'), false)
      const place = { createdAt: new Date(0), id: 'a\0b' }
      assert.deepEqual(await store.siteRules('default', 10, place), [])
      assert.equal(await store.jobById('default', 'a\0b'), undefined)
    })

    it('made twice are one, and of the opposite label none', async () => {
      const store = await open()
      const first = await store.addSiteRule(siteRule())
      assert.deepEqual(await store.addSiteRule(siteRule()), { rule: first.rule, created: false })
      await assert.rejects(store.addSiteRule(siteRule({ label: 'ham' })), {
        code: 'RULE_CONTRADICTS',
        message: `The rule ${first.rule.id} blocks the same for the same recipients; remove it first`,
        details: { field: 'label' },
      })
      const ofDomain = siteRule({ label: 'ham', recipientDomain: 'example.org' })
      assert.equal((await store.addSiteRule(ofDomain)).created, true)
      const byHost = siteRule({ label: 'ham', ruleType: 'Host' })
      assert.equal((await store.addSiteRule(byHost)).created, true)
      assert.equal((await store.siteRules('default', 10)).length, 3)
    })

    it('made by ten at once are one', async () => {
      const store = await open()
      const made = await Promise.all(
        Array.from({ length: 10 }, () => store.addSiteRule(siteRule())),
      )
      assert.equal(made.filter(({ created }) => created).length, 1)
      assert.equal(new Set(made.map(({ rule: { id } }) => id)).size, 1)
    })

    it('are removed by their id, once', async () => {
      const store = await open()
      const { rule } = await store.addSiteRule(siteRule())
      assert.equal(await store.removeSiteRule('default', rule.id), true)
      assert.equal(await store.removeSiteRule('default', rule.id), false)
      assert.deepEqual(await store.siteRules('default', 10), [])
    })

    it('are at most 10,000 of a tenant', async () => {
      const store = await open()
      await run(RULES)
      assert.equal((await store.addSiteRule(siteRule())).created, true)
      const more = siteRule({ pattern: '*.example' })
      await assert.rejects(store.addSiteRule(more), { code: 'RULES_FULL' })
      const again = await store.addSiteRule(siteRule({ pattern: 'spam-1.example' }))
      assert.equal(again.created, false)
      assert.equal((await store.tenantProfile('default')).siteRules.length, 10_000)
      await store.addTenant('other', 'Other')
      assert.equal((await store.addSiteRule(siteRule({ tenant: 'other' }))).created, true)
    })
  })

  describe('weighted rules', () => {
    it('are there as they were given, newest first, and in pages', async () => {
      let ms = Date.UTC(2026, 10, 27)
      const store = await open(() => new Date(ms++))
      const given: NewWeightedRule[] = [
        weightedRule(),
        weightedRule({ name: 'OTHER', weight: -1 }),
        weightedRule({
          name: 'THIRD',
          weight: 0.000001,
          conditions: [
            { part: 'header', field: 'x-a', matches: '\\p{Han}"漢' },
            { part: 'attachment', kind: 'exe' },
          ],
        }),
      ]
      for (const each of given) assert.equal((await store.addWeightedRule(each)).created, true)
      const listed = await store.weightedRules('default', 10)
      assert.deepEqual(
        listed.map(({ id: _id, createdAt: _createdAt, ...fields }) => fields),
        given.toReversed(),
      )
      assert.deepEqual(await store.weightedRules('default', 10, listed[0]), listed.slice(1))
      assert.deepEqual((await store.tenantProfile('default')).weightedRules, listed)
      assert.equal(await store.removeWeightedRule('default', 'a\0b'), false)
    })

    it('made twice are one, and of the same name there is no other', async () => {
      const store = await open()
      const { rule: first } = await store.addWeightedRule(weightedRule())
      const again = await store.addWeightedRule(weightedRule())
      assert.deepEqual(again, { rule: first, created: false })
      await assert.rejects(store.addWeightedRule(weightedRule({ weight: 1 })), {
        code: 'RULE_CONTRADICTS',
        message: `There is a rule named ACME_FAX that says something else, ${first.id}; remove it first`,
        details: { field: 'name' },
      })
    })

    it('are removed by their id, once, by their tenant alone', async () => {
      const store = await open()
      await store.addTenant('other', 'Other')
      const { rule: first } = await store.addWeightedRule(weightedRule())
      assert.equal(await store.removeWeightedRule('other', first.id), false)
      assert.equal(await store.removeWeightedRule('default', first.id), true)
      assert.equal(await store.removeWeightedRule('default', first.id), false)
    })

    it('are at most 200 of a tenant', async () => {
      const store = await open()
      for (let i = 0; i < 200; i++) await store.addWeightedRule(weightedRule({ name: `R${i}` }))
      await assert.rejects(store.addWeightedRule(weightedRule()), { code: 'RULES_FULL' })
      assert.equal((await store.addWeightedRule(weightedRule({ name: 'R7' }))).created, false)
    })
  })

  describe('settings of recipients', () => {
    it('are there as they were given, domains first, each by name', async () => {
      const now = new Date(Date.UTC(2026, 10, 23))
      const store = await open(() => now)
      await store.setRecipient('default', { kind: 'user', name: 'bo', threshold: 1e-9 })
      await store.setRecipient('default', { ...DOMAIN, threshold: 'strict', learning: 'off' })
      await store.setRecipient('default', { ...ANN, learning: 'on' })
      const all = [
        { ...DOMAIN, threshold: 'strict', learning: 'off', updatedAt: now },
        { ...ANN, learning: 'on', updatedAt: now },
        { kind: 'user', name: 'bo', threshold: 1e-9, updatedAt: now },
      ] as const
      assert.deepEqual(await store.recipientSettings('default', 10), all)
      assert.deepEqual(await store.recipientSettings('default', 2), all.slice(0, 2))
      assert.deepEqual(await store.recipientSettings('default', 10, all[0]), all.slice(1))
    })

    it('keep what a change does not name, and lose what it says is null', async () => {
      const store = await open()
      const set = async (change: object) => {
        const setting = await store.setRecipient('default', { ...ANN, ...change })
        return setting && [setting.threshold, setting.learning]
      }
      assert.deepEqual(await set({ threshold: 0.25 }), [0.25, undefined])
      assert.deepEqual(await set({ learning: 'off' }), [0.25, 'off'])
      assert.deepEqual(await set({ threshold: null }), [undefined, 'off'])
      assert.equal(await set({ learning: null }), undefined)
      assert.equal(await set({ learning: null }), undefined)
      assert.deepEqual(await store.recipientSettings('default', 10), [])
    })

    it('have limits from which mail is refused and held, each by itself', async () => {
      const store = await open()
      const set = async (change: object) => {
        const setting = await store.setRecipient('default', { ...DOMAIN, ...change })
        return setting && [setting.rejectAt, setting.quarantineAt]
      }
      assert.deepEqual(await set({ rejectAt: 0.999 }), [0.999, undefined])
      assert.deepEqual(await set({ quarantineAt: 'never' }), [0.999, 'never'])
      const { recipients } = await store.tenantProfile('default')
      assert.deepEqual([recipients[0]?.rejectAt, recipients[0]?.quarantineAt], [0.999, 'never'])
      assert.deepEqual(await set({ rejectAt: null }), [undefined, 'never'])
      assert.equal(await set({ quarantineAt: null }), undefined)
      assert.deepEqual(await store.recipientSettings('default', 10), [])
    })

    it('tell a user from a domain of the same name', async () => {
      const store = await open()
      await store.setRecipient('default', { ...DOMAIN, threshold: 0.5 })
      const user = { kind: 'user', name: DOMAIN.name } as const
      assert.equal(await store.removeRecipient('default', user), false)
      await store.setRecipient('default', { ...user, threshold: 0.25 })
      assert.equal(await store.removeRecipient('default', DOMAIN), true)
      assert.equal(await store.removeRecipient('default', DOMAIN), false)
      const [left] = await store.recipientSettings('default', 10)
      assert.deepEqual([left?.kind, left?.threshold], ['user', 0.25])
    })

    it('are for at most 10,000 recipients of a tenant', async () => {
      const store = await open()
      await run(SETTINGS)
      await store.setRecipient('default', { ...ANN, learning: 'off' })
      const more = { kind: 'user', name: 'one more', threshold: 0.5 } as const
      await assert.rejects(store.setRecipient('default', more), { code: 'RULES_FULL' })
      const known = await store.setRecipient('default', { ...ANN, learning: 'on' })
      assert.equal(known?.learning, 'on')
    })

    it('are forgotten with the user, and only all at once', async () => {
      const store = await open()
      await store.addRule(rule({ userId: ANN.name }))
      for (const recipient of [ANN, DOMAIN, { kind: 'domain', name: ANN.name } as const]) {
        await store.setRecipient('default', { ...recipient, threshold: 0.5, learning: 'off' })
      }
      await store.deleteUser('default', ANN.name, 'tabs')
      assert.equal((await store.recipientSettings('default', 10)).length, 3)
      await store.deleteUser('default', ANN.name, 'all')
      const left = await store.recipientSettings('default', 10)
      assert.deepEqual(
        left.map(({ kind }) => kind),
        ['domain', 'domain'],
      )
    })
  })

  describe('what a tenant sets', () => {
    it('is told of, and of users whose learning it changes; what changes nothing is not', async () => {
      const store = await open()
      const start = await store.latestChange()
      const { rule: made } = await store.addSiteRule(siteRule())
      await store.addSiteRule(siteRule())
      await store.removeSiteRule('default', made.id)
      await store.removeSiteRule('default', made.id)
      await store.setRecipient('default', { ...ANN, threshold: 0.5 })
      await store.setRecipient('default', { ...ANN, threshold: 0.5 })
      await store.setRecipient('default', { ...ANN, learning: 'off' })
      await store.setRecipient('default', { ...DOMAIN, learning: 'off' })
      await store.removeRecipient('default', DOMAIN)
      await store.removeRecipient('default', DOMAIN)
      const { changes } = await store.changesSince(start, 100)
      assert.deepEqual(
        changes.map(({ topic, userKey }) => [topic, userKey]),
        [
          ['tenant', undefined],
          ['tenant', undefined],
          ['tenant', undefined],
          ['tenant', undefined],
          ['user', userKeyOf(store.secret, 'default', ANN.name)],
          ['tenant', undefined],
          ['user', undefined],
          ['tenant', undefined],
          ['user', undefined],
        ],
      )
    })
  })
}
