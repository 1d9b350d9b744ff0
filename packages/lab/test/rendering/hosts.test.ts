import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withOrdinaryHosts } from '../../rendering/letter.ts'
import { WRITTEN } from './written-messages.ts'

const { LETTER } = WRITTEN

function addressOf(address: string, variant: number): string {
  return withOrdinaryHosts({ ...LETTER, from_addr: address }, variant).from_addr
}

describe('withOrdinaryHosts', () => {
  it('keeps the chosen label and the subdomain of a reserved name', () => {
    assert.match(addressOf('a@mail.quiet-lantern.invalid', 0), /^a@mail\.quiet-lantern\.[a-z.]+$/)
  })

  it('leaves no part of two reserved endings', () => {
    assert.doesNotMatch(addressOf('a@lantern.example.test', 0), /example|test/)
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
