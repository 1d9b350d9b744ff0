import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { registrableDomain } from '../../../mail/message/domain.ts'
import { withOrdinaryHosts } from '../../rendering/letter.ts'
import { WRITTEN } from './written-messages.ts'

const { LETTER } = WRITTEN

function addressOf(address: string, variant: number): string {
  return withOrdinaryHosts({ ...LETTER, from_addr: address }, variant).from_addr
}

function topLevels(address: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (let variant = 0; variant < 1000; variant++) {
    const host = addressOf(address, variant).split('@')[1]!
    const topLevel = registrableDomain(host).split('.').slice(1).join('.')
    counts.set(topLevel, (counts.get(topLevel) ?? 0) + 1)
  }
  return counts
}

describe('withOrdinaryHosts', () => {
  it('keeps the chosen label and the subdomain of a reserved name', () => {
    assert.match(addressOf('a@mail.quiet-lantern.invalid', 0), /^a@mail\.quiet-lantern\.[a-z.]+$/)
  })

  it('leaves no part of two reserved endings', () => {
    assert.doesNotMatch(addressOf('a@lantern.example.test', 0), /example|test/)
  })

  it('spreads reserved names over top-level domains, half of them in com', () => {
    const counts = topLevels('a@lantern.test')
    assert.ok(counts.size > 15)
    assert.ok(counts.get('com')! > 400 && counts.get('com')! < 600)
  })

  it('moves a host alike in every field', () => {
    const moved = withOrdinaryHosts(
      {
        ...LETTER,
        from_addr: 'a@kestrel.invalid',
        body: 'See https://www.kestrel.invalid/x or kestrel.invalid.',
      },
      5,
    )
    const domain = moved.from_addr.split('@')[1]!
    assert.equal(moved.body, `See https://www.${domain}/x or ${domain}.`)
  })
})
