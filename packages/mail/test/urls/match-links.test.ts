/** Which links a feed covers. Each feed stands here as its publisher would list it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { wordsOf } from '../../../../test/words.ts'
import { ListBuilder } from '../../../service/feeds/list-builder.ts'
import { type FeedTable, feedIn } from '../../urls/feed-table.ts'
import { matchLinks } from '../../urls/match-links.ts'
import { isSharedHost } from '../../urls/shared-hosts.ts'

const KEY = [1, 2] as const

function tableOf(...urls: readonly string[]): FeedTable {
  const builder = new ListBuilder(KEY, 1_000)
  for (const [i, url] of urls.entries()) builder.add(url, String(100 + i))
  return { key: KEY, lists: [feedIn(builder.finish(), 'phishtank')] }
}

describe('matchLinks', () => {
  const cases = readFileSync(new URL('match-links.cases', import.meta.url), 'utf8').trim()
  for (const group of cases.split('\n\n')) {
    const [title, ...lines] = group.split('\n')
    const rows = lines.map((line) => line.split('\t'))
    it(`finds ${title!.slice(2)}`, () => {
      const [[, listed], ...links] = rows as [string[], ...string[][]]
      const table = tableOf('http://other.example.org/', listed!)
      const found = new Set(
        matchLinks(
          table,
          links.map(([, href]) => href!),
        ).map(({ href }) => href),
      )
      for (const [kind, href] of links) assert.equal(found.has(href!), kind === 'hit', href)
    })
  }

  it('says which entry of which feed, and by what expression', () => {
    const href = 'https://www.google.com/url?q=http%3A%2F%2Fa.evil.example.net%2Fb%3Fc'
    assert.deepEqual(
      matchLinks(tableOf('http://x.example.com/', 'http://evil.example.net/'), [href]),
      [{ href, feed: 'phishtank', entry: 101, expression: 'evil.example.net/' }],
    )
  })

  it('gives a repeated link once', () => {
    const href = 'http://evil.example.net/'
    assert.equal(matchLinks(tableOf(href), [href, href]).length, 1)
  })

  it('looks into all feeds, the first first', () => {
    const one = tableOf('http://evil.example.net/a')
    const two = tableOf('http://evil.example.net/b')
    const lists = [one.lists[0]!, { ...two.lists[0]!, feed: 'urlhaus' }]
    const hits = matchLinks({ key: KEY, lists }, [
      'http://evil.example.net/b',
      'http://evil.example.net/a',
    ])
    assert.deepEqual(
      hits.map(({ feed }) => feed),
      ['urlhaus', 'phishtank'],
    )
  })

  it('finds nothing in no feeds', () => {
    assert.deepEqual(matchLinks({ key: KEY, lists: [] }, ['http://example.com/']), [])
  })

  it('asks for all bytes of the checksum', () => {
    const table = tableOf('http://evil.example.net/a')
    const [list] = table.lists
    list!.rows[list!.rows.length - 1]! ^= 1
    assert.deepEqual(matchLinks(table, ['http://evil.example.net/a']), [])
  })
})

describe('isSharedHost', () => {
  it('knows hosts whose pages have several owners', () => {
    const shared = wordsOf(`
      github.com raw.githubusercontent.com sites.google.com www.google.co.uk t.co www.dropbox.com
      someone.sharepoint.com www.weebly.com github.io s3.amazonaws.com
      nam12.safelinks.protection.outlook.com
    `)
    assert.deepEqual(
      shared.filter((host) => !isSharedHost(host)),
      [],
    )
  })

  it('leaves hosts of one owner alone', () => {
    const own = [
      'example.com',
      'evil.github.io',
      'notgithub.com',
      'x.weebly.com',
      '192.0.2.1',
      'com.example.net',
    ]
    assert.deepEqual(
      own.filter((host) => isSharedHost(host)),
      [],
    )
  })
})
