/** What is known of senders and hosts, with an operator's list beside what comes with Tamis. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { kindOfName } from '../../mail/knowledge/domain-table.ts'
import { openKnowledge } from '../known-domains.ts'

async function fileWith(content: string | Uint8Array): Promise<string> {
  const folder = temporaryFolder()
  const path = join(folder, 'list')
  await writeFile(path, content)
  return path
}

const TRANCO = '1,bank.example\r\n2,shop.example\r\n'

/** Bytes that a million domains of an operator may take. */
const MILLION_BYTES_MAX = 16 * 1024 ** 2

/** CPU time in which they are to be read. */
const MILLION_MS_MAX = 2_000

describe('openKnowledge', () => {
  it('gives what comes with Tamis where there is no list', async () => {
    const { domains } = await openKnowledge(undefined)
    assert.equal(kindOfName(domains, 'paypal.com'), 'known')
    assert.equal(kindOfName(domains, 'bank.example'), undefined)
  })

  for (const [form, content] of [
    ['as text', TRANCO],
    ['packed', gzipSync(TRANCO)],
  ] as const) {
    it(`adds a list ${form}`, async () => {
      const { domains } = await openKnowledge(await fileWith(content))
      assert.equal(kindOfName(domains, 'bank.example'), 'known')
      assert.equal(kindOfName(domains, 'paypal.com'), 'known')
    })
  }

  it('reads a million domains soon, and keeps little of them', async () => {
    const lines = Array.from({ length: 1_000_000 }, (_, i) => `${i + 1},listed-${i}.co.uk\n`)
    const list = await fileWith(gzipSync(lines.join(''), { level: 1 }))
    const before = process.cpuUsage()
    const { domains } = await openKnowledge(list)
    const { user, system } = process.cpuUsage(before)
    assert.ok((user + system) / 1_000 < MILLION_MS_MAX, `${(user + system) / 1_000} ms`)
    const { hashes, kinds, buckets } = domains
    const bytes = hashes.byteLength + kinds.byteLength + buckets.byteLength
    assert.ok(bytes < MILLION_BYTES_MAX, `${bytes}`)
    assert.equal(kindOfName(domains, 'listed-999999.co.uk'), 'known')
  })

  it('names the line of a list that is none', async () => {
    const list = await fileWith('bank.example\n<!doctype html>\n')
    await assert.rejects(openKnowledge(list), {
      code: 'CONFIG_INVALID',
      message: /TAMIS_KNOWN_DOMAINS, .*: line 2 is no domain/,
    })
  })

  it('says that a list is damaged, or is not there', async () => {
    const damaged = await fileWith(gzipSync(TRANCO).subarray(0, 30))
    for (const path of [damaged, '/no/such/list', tmpdir()]) {
      await assert.rejects(openKnowledge(path), {
        code: 'CONFIG_INVALID',
        message: /^TAMIS_KNOWN_DOMAINS is ".*", which cannot be read: /,
      })
    }
  })
})
