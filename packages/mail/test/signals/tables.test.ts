/** The tables of domains and names: that they can be right, and that they do not contradict each other. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { registrableDomain } from '../../message/domain.ts'
import { BRANDS, brandInLabel, brandInName, brandNear, ownsDomain } from '../../signals/brands.ts'
import {
  isCheapTopLevel,
  isFreeHosting,
  isFreeMail,
  isMailService,
  isShortener,
} from '../../signals/host-lists.ts'

describe('brands', () => {
  it('each have a name, a label and a domain', () => {
    for (const brand of BRANDS) {
      assert.notEqual(brand.name, '')
      assert.match(brand.label, /^[a-z0-9]+$/, brand.name)
      assert.ok(brand.domains.size > 0, brand.name)
    }
  })

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

describe('tables of hosts', () => {
  it('know a free-mail provider from a company', () => {
    assert.equal(isFreeMail('gmail.com'), true)
    assert.equal(isFreeMail('example.com'), false)
  })

  it('know a mailing service from a company', () => {
    assert.equal(isMailService('sendgrid.net'), true)
    assert.equal(isMailService('example.com'), false)
  })

  it('know a shortener, with www or without', () => {
    assert.equal(isShortener('bit.ly'), true)
    assert.equal(isShortener('www.bit.ly'), true)
    assert.equal(isShortener('orbit.ly'), false)
  })

  it('know what stands below a free host', () => {
    assert.equal(isFreeHosting('anna.blogspot.com'), true)
    assert.equal(isFreeHosting('docs.google.com'), true)
    assert.equal(isFreeHosting('www.google.com'), false)
    assert.equal(isFreeHosting('notblogspot.com'), false)
  })

  it('know a top-level domain by its whole name', () => {
    assert.equal(isCheapTopLevel('example.top'), true)
    assert.equal(isCheapTopLevel('top.example'), false)
  })
})
