/** Files as they may lie on disk, whole, broken and hostile, and what is made of them. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { feedIn, matchLinks } from '../../../mail/urls/feed-table.ts'
import { type LoadRequest, readFeed } from '../../feeds/load.ts'
import { FORMS, PHISHTANK_CSV, TEXT, textOf, URL_LIST } from './samples.ts'

const KEY = [7, 8] as const

let folder: string

before(async () => {
  folder = temporaryFolder()
})

async function load(content: string | Buffer, options: Partial<LoadRequest> = {}) {
  const path = join(folder, 'feed')
  await writeFile(path, content)
  return readFeed({ path, key: KEY, isWhole: true, ...options })
}

async function refusal(content: string | Buffer, options: Partial<LoadRequest> = {}) {
  const error: unknown = await load(content, options).then(
    () => undefined,
    (each: unknown) => each,
  )
  return (error as { reason?: string } | undefined)?.reason
}

describe('readFeed', () => {
  for (const [form, content] of Object.entries(FORMS)) {
    it(`reads ${form}`, async () => {
      const { memory, entries, skipped } = await load(content)
      assert.deepEqual({ entries, skipped }, { entries: 3, skipped: 0 })
      const hits = matchLinks({ key: KEY, lists: [feedIn(memory, 'phishtank')] }, URL_LIST)
      assert.deepEqual(
        hits.map(({ href }) => href),
        URL_LIST,
      )
    })
  }

  it('leaves out what is no URL and the names of shared hosts', async () => {
    const { entries, skipped } = await load(`${TEXT}https://github.com/\nnot a url\n`)
    assert.deepEqual({ entries, skipped }, { entries: 3, skipped: 2 })
  })

  const REFUSED: Readonly<Record<string, [string | Buffer, string]>> = {
    'an empty file': ['', 'EMPTY'],
    'comments only': ['# nothing\n# here\n', 'EMPTY'],
    JSON: ['[{"url":"http://evil.example.com/"}]', 'NOT_A_FEED'],
    'a web page': ['<!DOCTYPE html>\n<html><body>Just a moment...</body></html>\n', 'HTML_PAGE'],
    'a web page after blank lines': ['\n\n  <html></html>\n', 'HTML_PAGE'],
    'an error in JSON': ['{"error":"invalid application key"}', 'NOT_A_FEED'],
    'an error in words': ['Rate limit exceeded\n', 'NOT_A_FEED'],
    'another table': ['name,city\nA,B\n', 'NOT_A_FEED'],
    'CSV cut off in quotes': [
      PHISHTANK_CSV.slice(0, PHISHTANK_CSV.indexOf('Example,')),
      'TRUNCATED',
    ],
    'a packed file cut off': [gzipSync(TEXT).subarray(0, -10), 'TRUNCATED'],
    'a packed file with a byte changed': [changed(gzipSync(textOf(100))), 'BROKEN'],
    'lines that are mostly no URLs': [`${TEXT}${'some words\n'.repeat(10)}`, 'NOT_A_FEED'],
    'binary data': [Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0, 10, 13]), 'NOT_A_FEED'],
  }
  for (const [name, [content, reason]] of Object.entries(REFUSED)) {
    it(`refuses ${name}`, async () => {
      assert.equal(await refusal(content), reason)
    })
  }

  it('refuses a last line that is not ended when something may be missing', async () => {
    assert.equal(
      await refusal('http://evil.example.com/a\nhttps://docs.goo', { isWhole: false }),
      'TRUNCATED',
    )
  })

  it('refuses more entries than there may be', async () => {
    assert.equal(await refusal(textOf(101), { entriesMax: 100 }), 'TOO_LARGE')
    assert.equal((await load(textOf(100), { entriesMax: 100 })).entries, 100)
  })

  it('refuses more bytes than there may be, unpacked', async () => {
    const bomb = gzipSync(textOf(10_000))
    assert.ok(bomb.length < 100_000)
    assert.equal(await refusal(bomb, { bytesMax: 100_000 }), 'TOO_LARGE')
  })

  const LONG = 'a'.repeat(1_000_000)
  const OVERLONG: Readonly<Record<string, string>> = {
    text: `http://evil.example.com/${LONG}\n${TEXT}`,
    CSV: PHISHTANK_CSV.replace(
      '8000002,https://phish.example.net/',
      `8000002,https://phish.example.net/${LONG}`,
    ),
  }
  for (const [form, content] of Object.entries(OVERLONG)) {
    it(`passes over an entry of a megabyte in ${form}`, async () => {
      const { entries, skipped } = await load(content)
      assert.deepEqual({ entries, skipped }, { entries: form === 'text' ? 3 : 2, skipped: 1 })
    })
  }
})

function changed(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  copy[Math.floor(copy.length / 2)]! ^= 0xff
  return copy
}
