/** The artifact from a folder of lists, written here with reserved names; and the shipped one. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { readKnowledge } from '../../../artifact-files/artifact-files.ts'
import { kindOfName } from '../../../mail/knowledge/domain-table.ts'
import { type KnowledgeManifest, knowledgeFromArtifact } from '../../../mail/knowledge/knowledge.ts'
import { isInNetworks } from '../../../mail/knowledge/network-table.ts'
import { registrableDomain } from '../../../mail/message/domain.ts'
import { hostKind } from '../../../mail/signals/host-lists.ts'
import { knowledgeFiles } from '../../knowledge/build-knowledge.ts'

const LISTS: Readonly<Record<string, string>> = {
  'known_domains.tsv.gz':
    'bank.example\tkm\nbücher.example\tb\npages.example\tt\nsendgrid.net\tm\nsa.com\tm\nzendesk.com\tm\n',
  'url_shorteners.txt': 'short.example\n',
  'link_in_bio.txt': 'bio.example\n',
  'abused_hosting.txt': '.pages.example\nfiles.bank.example\n',
  'dynamic_dns.txt.gz': 'dynamic.example\n',
  'disposable_domains.txt.gz': 'oneuse.example\n',
  'mailbox_providers.txt': 'mailbox.example\n',
  'smtp_sending_networks.txt': '192.0.2.0/24\n2001:db8::/32\n',
}

function listsIn(t: TestContext, lists = LISTS): string {
  const folder = mkdtempSync(join(tmpdir(), 'tamis-knowledge-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(lists)) {
    writeFileSync(join(folder, name), name.endsWith('.gz') ? gzipSync(text) : text)
  }
  return folder
}

function knowledgeOf(files: ReadonlyMap<string, Uint8Array>) {
  const text = Buffer.from(files.get('known-domains/manifest.json')!).toString('utf8')
  return knowledgeFromArtifact(JSON.parse(text), files.get('known-domains/table.bin')!.buffer)
}

describe('knowledgeFiles', () => {
  it('gives a table and a manifest that says where it comes from', (t) => {
    const files = knowledgeFiles(listsIn(t), '2025.1.1')
    const text = Buffer.from(files.get('known-domains/manifest.json')!).toString('utf8')
    const manifest: KnowledgeManifest = JSON.parse(text)
    const { domains, networks } = knowledgeOf(files)
    const kinds: Readonly<Record<string, string>> = {
      'bank.example': 'known',
      'xn--bcher-kva.example': 'known',
      'short.example': 'redirector',
      'bio.example': 'redirector',
      'files.bank.example': 'pages',
      'dynamic.example': 'shared',
      'oneuse.example': 'disposable',
      'mailbox.example': 'mailbox',
    }
    for (const [name, kind] of Object.entries(kinds)) {
      assert.equal(kindOfName(domains, name), kind, name)
    }
    assert.equal(isInNetworks(networks, '192.0.2.1'), true)
    assert.equal(manifest.sources['Majestic Million, the first 15,000']?.entries, 4)
    assert.equal(manifest.sources['Thunderbird ISPDB']?.licence, 'MPL-2.0')
    assert.equal(manifest.networks, 2)
  })

  it('knows nobody at hosts that strangers share, nor at suffixes that are sold', (t) => {
    const files = knowledgeFiles(listsIn(t), '2025.1.1')
    const { domains } = knowledgeOf(files)
    assert.equal(kindOfName(domains, 'pages.example'), 'pages')
    assert.equal(kindOfName(domains, 'sendgrid.net'), 'account')
    assert.equal(kindOfName(domains, 'sa.com'), 'shared')
    assert.equal(kindOfName(domains, 'zendesk.com'), 'shared')
  })

  it('says which list is missing', (t) => {
    const { 'dynamic_dns.txt.gz': _, ...others } = LISTS
    assert.throws(() => knowledgeFiles(listsIn(t, others), '1'), {
      code: 'CORPUS_INVALID',
      message: /dynamic_dns\.txt\.gz/,
    })
  })
})

describe('the shipped table', async () => {
  const { domains } = await readKnowledge()
  const isKnown = (host: string) => hostKind(domains, host, registrableDomain(host)) === 'known'

  it('knows banks, shops, universities and offices, and nobody where strangers have accounts or pages', () => {
    const known = 'www.paypal.com mail.amazon.co.uk sparkasse.de stanford.edu irs.gov'
    const strangers = `project.firebaseapp.com shop.zendesk.com shop.onmicrosoft.com shop.sharepoint.com anna.sa.com
      anna.it.com u1.ct.sendgrid.net shop.us1.list-manage.com anna.blogspot.com anna.wixsite.com docs.google.com
      forms.gle anna.duckdns.org github.com www.facebook.com gmail.com mailinator.com bit.ly`
    for (const host of known.split(' ')) assert.ok(isKnown(host), host)
    for (const host of strangers.split(/\s+/)) assert.ok(!isKnown(host), host)
  })

  it('has the domains that are struck out as what they are', () => {
    const url = new URL('../../knowledge/strike-outs.tsv', import.meta.url)
    for (const row of readFileSync(url, 'utf8').trimEnd().split('\n').slice(1)) {
      const [kind, domain] = row.split('\t')
      assert.equal(kindOfName(domains, domain!), kind, domain)
    }
  })
})
