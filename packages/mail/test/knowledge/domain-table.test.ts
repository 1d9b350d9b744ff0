import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  DOMAIN_KINDS,
  domainTable,
  falsePositiveRate,
  kindOfHost,
  kindOfName,
} from '../../knowledge/domain-table.ts'

/** Names that nobody has listed: numbered, so that none is there twice. */
function strangers(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `stranger-${i}.example`)
}

const TABLE = domainTable([
  ['bank.example', 'known'],
  ['files.bank.example', 'shared'],
  ['pages.example', 'shared'],
  ['pages.example', 'known'],
])

describe('a table of domains', () => {
  it('finds every name of it, of the kind that it was given', () => {
    const domains = fc.uniqueArray(fc.domain(), { maxLength: 200 })
    const kinds = fc.infiniteStream(fc.constantFrom(...DOMAIN_KINDS))
    fc.assert(
      fc.property(domains, kinds, (names, kindsOfNames) => {
        const entries = names.map((name) => [name, kindsOfNames.next().value!] as const)
        const table = domainTable(entries)
        for (const [name, kind] of entries) assert.equal(kindOfName(table, name), kind)
      }),
      { numRuns: 200 },
    )
  })

  it('takes a stranger for a name of it as often as it says', () => {
    const table = domainTable(
      Array.from({ length: 100_000 }, (_, i) => [`listed-${i}.example`, 'known'] as const),
    )
    const looked = 200_000
    const wrong = strangers(looked).filter((name) => kindOfName(table, name) !== undefined).length
    // Five are expected.
    assert.ok(wrong < 4 * looked * falsePositiveRate(table), `${wrong}`)
  })

  it('has a name that is given twice as the kind that comes first', () => {
    assert.equal(kindOfName(TABLE, 'pages.example'), 'shared')
  })

  it('knows nobody when it is empty', () => {
    assert.equal(kindOfName(domainTable([]), 'bank.example'), undefined)
  })
})

describe('kindOfHost', () => {
  it('goes by the longest name that is listed', () => {
    assert.equal(kindOfHost(TABLE, 'bank.example', 'bank.example'), 'known')
    assert.equal(kindOfHost(TABLE, 'www.bank.example', 'bank.example'), 'known')
    assert.equal(kindOfHost(TABLE, 'files.bank.example', 'bank.example'), 'shared')
    assert.equal(kindOfHost(TABLE, 'a.b.files.bank.example', 'bank.example'), 'shared')
  })

  it('does not look above the registrable domain', () => {
    assert.equal(kindOfHost(TABLE, 'www.anna.pages.example', 'anna.pages.example'), undefined)
  })

  it('knows the domain of a host with more labels than it looks at', () => {
    assert.equal(kindOfHost(TABLE, `${'a.'.repeat(100)}bank.example`, 'bank.example'), 'known')
  })
})
