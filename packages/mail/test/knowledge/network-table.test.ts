import assert from 'node:assert/strict'
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { wordsOf } from '../../../../test/words.ts'
import {
  isInNetworks,
  isPublicAddress,
  networkCount,
  networkTable,
} from '../../knowledge/network-table.ts'

const TABLE = networkTable(['192.0.2.0/24', '198.51.100.7/32', '2001:db8:1::/48'])

describe('a table of networks', () => {
  const [INSIDE, OUTSIDE] = [
    `192.0.2.0 192.0.2.255 198.51.100.7 2001:db8:1:: 2001:db8:1:ffff:ffff:ffff:ffff:ffff
     ::ffff:c000:201`,
    `192.0.1.255 192.0.3.0 198.51.100.8 2001:db8:2:: :: 255.255.255.255 mail.bank.example 192.0.2
     192.0.2.1.1 192.0.2.256 2001:db8:1::: 2001:db8:1`,
  ]
  it('has the addresses within, and no others', () => {
    for (const address of wordsOf(INSIDE)) assert.ok(isInNetworks(TABLE, address), address)
    for (const address of ['', ...wordsOf(OUTSIDE)]) {
      assert.equal(isInNetworks(TABLE, address), false, address)
    }
  })

  it('joins networks that overlap', () => {
    const table = networkTable(['192.0.2.128/25', '192.0.2.0/24', '192.0.2.1/32', '203.0.113.0/24'])
    assert.equal(networkCount(table), 2)
    assert.equal(isInNetworks(table, '192.0.2.200'), true)
  })

  it('agrees with the networks of Node', () => {
    const network = fc.oneof(
      fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
      fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })),
    )
    const address = fc.oneof(fc.ipV4(), fc.ipV6())
    fc.assert(
      fc.property(fc.array(network, { maxLength: 20 }), address, (networks, any) => {
        const plain = networks.filter(([text]) => isIPv4(text) || !text.includes('.'))
        const table = networkTable(plain.map(([text, bits]) => `${text}/${bits}`))
        for (const text of [any, ...plain.map(([first]) => first)]) {
          if (isIPv6(text) && (text.includes('.') || text.startsWith('::'))) continue
          const family = isIPv4(text) ? 'ipv4' : 'ipv6'
          const list = new BlockList()
          // An IPv6 network may hold the addresses to which IPv4 ones are mapped: ours alone knows.
          for (const [start, bits] of plain) {
            if (isIPv4(start) === isIPv4(text)) list.addSubnet(start, bits, family)
          }
          if (list.check(text, family)) assert.equal(isInNetworks(table, text), true, text)
          else if (family === 'ipv6') assert.equal(isInNetworks(table, text), false, text)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('refuses what is no network', () => {
    for (const text of ['192.0.2.0', '192.0.2.0/33', '2001:db8::/129', 'bank.example/8', '/8']) {
      assert.throws(() => networkTable([text]), SyntaxError, text)
    }
  })

  it('tells the internet from a house', () => {
    for (const address of wordsOf('10.1.2.3 127.0.0.1 192.168.0.1 100.64.0.1 ::1 fd00::1 unknown'))
      assert.equal(isPublicAddress(address), false, address)
    for (const address of ['192.0.2.1', '2001:db8::1']) assert.ok(isPublicAddress(address))
  })
})
