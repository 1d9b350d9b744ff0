/** Files of rules for the whole site: how they are read, and what is said of a line that is wrong. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import type { Claims } from '../../mail/personalization/claims.ts'
import { matchSiteRules, type SiteRuleIndex } from '../../mail/personalization/site-rules.ts'
import { openSiteRules } from '../site-rules.ts'

async function fileWith(content: string | Uint8Array): Promise<string> {
  const folder = temporaryFolder()
  const path = join(folder, 'site.rules')
  await writeFile(path, content)
  return path
}

const CLAIMS: Claims = { sender: 'ada@example.com', senders: ['ada@example.com'], hosts: [] }

function idsFor(rules: SiteRuleIndex, tenant: string, recipientDomain?: string): string[] {
  const scope = { tenant, ...(recipientDomain === undefined ? {} : { recipientDomain }) }
  return matchSiteRules([rules], CLAIMS, scope, { result: 'unknown' }).map(({ id }) => id)
}

/** CPU time in which 100,000 rules are to be read: they take some 600 ms. */
const READ_MS_MAX = 5_000

describe('openSiteRules', () => {
  it('reads one rule a line, with comments, blank lines and line ends of any system', async () => {
    const path = await fileWith(
      '\uFEFF# Our rules\r\n\r\nblock sender example.com # since May\r\n  allow network 192.0.2.1\r\n',
    )
    const rules = await openSiteRules([path])
    assert.equal(rules.count, 2)
    assert.deepEqual(idsFor(rules, 'default'), ['site.rules:3'])
  })

  it('reads whose mail a rule is about', async () => {
    const path = await fileWith(
      [
        'block sender example.com for Example.org',
        'block sender example.com tenant acme',
        'block sender example.com tenant acme for example.org',
        '',
      ].join('\n'),
    )
    const rules = await openSiteRules([path])
    assert.deepEqual(idsFor(rules, 'default'), [])
    assert.deepEqual(idsFor(rules, 'default', 'example.org'), ['site.rules:1'])
    assert.deepEqual(idsFor(rules, 'acme'), ['site.rules:2'])
    assert.deepEqual(idsFor(rules, 'acme', 'example.org'), ['site.rules:3'])
  })

  it('reads several files as one, and none as no rule', async () => {
    const [first, second] = [
      await fileWith('block sender example.com\n'),
      await fileWith('block sender example.net\n'),
    ]
    assert.equal((await openSiteRules([first, second])).count, 2)
    assert.equal((await openSiteRules([])).count, 0)
  })

  it('names each line that is wrong, and what is expected', async () => {
    const path = await fileWith(
      [
        'block sender example.com',
        'deny sender example.com',
        'block sender ann*@example.com',
        'block host 192.0.2.1',
        'block network 192.0.2.1/24',
        'block list',
        'block sender example.com for',
        'block sender example.com to example.org',
        'block sender example.com tenant Acme!',
        '',
      ].join('\n'),
    )
    await assert.rejects(openSiteRules([path]), (error: Error & { code: string }) => {
      assert.equal(error.code, 'CONFIG_INVALID')
      const form =
        'expected: allow or block, then sender, list, host, network or attachment, then its value, then, if wanted, for DOMAIN, tenant NAME'
      assert.deepEqual(
        error.message
          .replaceAll(path, 'F')
          .split('; F')
          .map((part) => part.trim()),
        [
          `TAMIS_SITE_RULES: F, line 2: ${form}`,
          ', line 3: "ann*@example.com" must be an address, a domain, *@domain or *.domain',
          ', line 4: "192.0.2.1" must be the name of a host, a domain or *.domain; for an IP address use network',
          ', line 5: "192.0.2.1/24" must be an IP address, or a network such as 192.0.2.0/24 or 2001:db8::/32 whose other bits are 0',
          `, line 6: ${form}; and 3 more`,
        ],
      )
      return true
    })
  })

  it('names the two lines that say the opposite', async () => {
    const path = await fileWith('block sender example.com\n\nallow sender Example.com\n')
    await assert.rejects(openSiteRules([path]), {
      code: 'CONFIG_INVALID',
      message: 'TAMIS_SITE_RULES: site.rules:3: says the opposite of site.rules:1',
    })
  })

  it('says that a file is not there, or is no text', async () => {
    const binary = await fileWith(Uint8Array.of(0xff, 0xfe, 0x00))
    for (const path of ['/no/such/file', tmpdir(), binary]) {
      await assert.rejects(openSiteRules([path]), {
        code: 'CONFIG_INVALID',
        message: /^TAMIS_SITE_RULES names ".*", which cannot be read: /,
      })
    }
  })

  it('reads a hundred thousand rules soon', async (t) => {
    const lines = Array.from({ length: 100_000 }, (_, i) => `block sender spam-${i}.example.net\n`)
    const path = await fileWith(lines.join(''))
    const before = process.cpuUsage()
    const rules = await openSiteRules([path])
    const { user, system } = process.cpuUsage(before)
    assert.equal(rules.count, 100_000)
    t.diagnostic(`${Math.round((user + system) / 1_000)} ms of CPU`)
    assert.ok((user + system) / 1_000 < READ_MS_MAX, `${(user + system) / 1_000} ms`)
  })
})
