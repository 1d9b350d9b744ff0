/** Which links a feed covers. Each feed stands here as its publisher would list it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ListBuilder } from '../../../service/feeds/load.ts'
import { type FeedTable, feedIn, matchLinks } from '../../urls/feed-table.ts'
import { readGroups } from '../helpers/rows.ts'

const KEY = [1, 2] as const

function tableOf(...urls: readonly string[]): FeedTable {
  const builder = new ListBuilder(KEY, 1_000)
  for (const [i, url] of urls.entries()) builder.add(url, String(100 + i))
  return { key: KEY, lists: [feedIn(builder.finish(), 'phishtank')] }
}

describe('matchLinks', () => {
  for (const { title, rows } of readGroups('mail/test/urls/match-links.cases')) {
    it(`finds ${title}`, () => {
      const [[, listed], ...links] = rows as [string[], ...string[][]]
      const table = tableOf('http://other.example.org/', listed!)
      const hrefs = links.map(([, href]) => href!)
      const found = new Set(matchLinks(table, hrefs).map(({ href }) => href))
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
