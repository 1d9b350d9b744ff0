/** The tables of domains and names: that they can be right, and that they do not contradict each other. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { registrableDomain } from '../../message/domain.ts'
import { BRANDS, brandInLabel, brandInName, brandNear, ownsDomain } from '../../signals/brands.ts'

describe('brands', () => {
  it('own registrable domains, not hosts', () => {
    for (const { name, domains } of BRANDS) {
      for (const domain of domains) {
        if (domain.endsWith('.gov.uk')) continue
        assert.equal(registrableDomain(domain), domain, name)
      }
    }
  })

  it('are each found by their own name, and own their domains', () => {
    for (const brand of BRANDS) {
      const mention = brandInName(brand.name)
      assert.equal(mention?.brand.label, brand.label)
      assert.equal(mention?.lookAlike, false, brand.name)
      for (const domain of brand.domains) assert.ok(ownsDomain(mention.brand, domain), domain)
    }
  })

  it('do not look like each other', () => {
    for (const { label } of BRANDS) {
      assert.equal(brandInLabel(label)?.lookAlike ?? false, false, label)
      assert.equal(brandNear(label), undefined, label)
    }
  })

  it('own their name under the top-level domains of countries, but for those given away', () => {
    const { brand } = brandInName('Amazon')!
    assert.equal(ownsDomain(brand, 'amazon.de'), true)
    assert.equal(ownsDomain(brand, 'amazon.co.uk'), true)
    assert.equal(ownsDomain(brand, 'amazon.tk'), false)
    assert.equal(ownsDomain(brand, 'amazon.example'), false)
  })
})
