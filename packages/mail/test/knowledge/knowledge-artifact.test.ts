import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { domainTable, kindOfName } from '../../knowledge/domain-table.ts'
import {
  encodeKnowledge,
  type KnowledgeManifest,
  knowledgeDigest,
  knowledgeFromArtifact,
  LAYOUT,
} from '../../knowledge/knowledge.ts'
import { isInNetworks, networkTable } from '../../knowledge/network-table.ts'

const table = encodeKnowledge({
  domains: domainTable([
    ['bank.example', 'known'],
    ['pages.example', 'shared'],
  ]),
  networks: networkTable(['192.0.2.0/24', '2001:db8::/32']),
})

const manifest: KnowledgeManifest = {
  name: 'known-domains',
  version: '2025.1.1',
  layout: LAYOUT,
  sources: {},
  domains: { known: 1, shared: 1 },
  networks: 2,
  falsePositiveRate: 2 / 2 ** 32,
  table: { names: 2, sha256: knowledgeDigest(new Uint8Array(table)) },
}

describe('the artifact of known domains', () => {
  it('is read as it was written', () => {
    const { domains, networks } = knowledgeFromArtifact(manifest, table)
    assert.equal(kindOfName(domains, 'bank.example'), 'known')
    assert.equal(kindOfName(domains, 'pages.example'), 'shared')
    assert.equal(kindOfName(domains, 'shop.example'), undefined)
    assert.equal(isInNetworks(networks, '192.0.2.1'), true)
    assert.equal(isInNetworks(networks, '2001:db8::1'), true)
    assert.equal(isInNetworks(networks, '198.51.100.1'), false)
    assert.ok(domains.hashes.buffer instanceof SharedArrayBuffer)
  })

  const damaged: Readonly<Record<string, [manifest: unknown, table: ArrayBufferLike]>> = {
    'a table that ends early': [manifest, table.slice(4)],
    'a manifest of more names': [{ ...manifest, table: { ...manifest.table, names: 3 } }, table],
    'a manifest of other hashes': [{ ...manifest, layout: 'half-sip-32-1' }, table],
    'a manifest without counts': [{ ...manifest, networks: undefined }, table],
    'no manifest': [null, table],
  }
  for (const [title, [saying, bytes]] of Object.entries(damaged)) {
    it(`is refused with ${title}`, () => {
      assert.throws(() => knowledgeFromArtifact(saying, bytes), { code: 'ARTIFACT_MISMATCH' })
    })
  }
})
