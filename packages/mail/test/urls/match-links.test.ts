/** Which links a feed covers. Each feed stands here as its publisher would list it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wordsOf } from '../../../../test/words.ts'
import { ListBuilder } from '../../../service/feeds/list-builder.ts'
import type { FeedTable } from '../../urls/feed-table.ts'
import { matchLinks } from '../../urls/match-links.ts'
import { isSharedHost } from '../../urls/shared-hosts.ts'
import { inCpuMs } from '../helpers/cpu-time.ts'

const KEY = [1, 2] as const

function tableOf(...urls: readonly string[]): FeedTable {
  const builder = new ListBuilder(KEY, 1_000)
  for (const [i, url] of urls.entries()) builder.add(url, String(100 + i))
  return { key: KEY, lists: [builder.finish('phishtank')] }
}

interface Case {
  readonly listed: string
  readonly hits?: readonly string[]
  readonly misses?: readonly string[]
}

const CASES: Readonly<Record<string, Case>> = {
  'the very URL, however it is written': {
    listed: 'http://evil.example.com/login.php?id=1',
    hits: [
      'http://evil.example.com/login.php?id=1',
      'https://evil.example.com/login.php?id=1#victim@example.net',
      'HTTP://user@EVIL.example.com:8080/a/../%6Cogin.php?id=1',
      'http:\\\\evil.example.com\\login.php?id=1',
      'http:evil.example.com//login.php?id=1',
    ],
    misses: [
      'http://evil.example.com/login.php',
      'http://evil.example.com/login.php?id=2',
      'http://evil.example.com/LOGIN.php?id=1',
      'http://evil.example.com/',
      'http://www.evil.example.com/login.php?id=1',
      'http://example.com/login.php?id=1',
    ],
  },
  'a URL that is oddly written in the feed': {
    listed: 'https://example.com\\@evil.example.net/a\\b?x',
    hits: ['https://example.com/@evil.example.net/a/b?x'],
    misses: ['https://evil.example.net/a/b?x', 'https://example.com/'],
  },
  'a page without query, with any query': {
    listed: 'http://evil.example.com/a/login.php',
    hits: [
      'http://evil.example.com/a/login.php',
      'http://evil.example.com/a/login.php?email=victim@example.net',
    ],
    misses: [
      'http://evil.example.com/a/',
      'http://evil.example.com/a/login.php/more',
      'http://evil.example.com/a/other.php',
    ],
  },
  'a folder, but nothing in it': {
    listed: 'http://hacked.example.com/blog/kit/',
    hits: ['http://hacked.example.com/blog/kit/', 'http://hacked.example.com/blog/kit/?x=1'],
    misses: ['http://hacked.example.com/blog/kit/a.html', 'http://hacked.example.com/blog/'],
  },
  'a bare host, with all of it and what is under it': {
    listed: 'https://evil.example.net',
    hits: [
      'http://evil.example.net/',
      'http://evil.example.net/any/page?at=all',
      'http://a.b.evil.example.net/page',
    ],
    misses: ['http://example.net/', 'http://notevil.example.net/'],
  },
  'a host with a fragment, and not all of it': {
    listed: 'https://shop.example.com/#/redirect?to=evil',
    hits: ['https://shop.example.com/', 'https://shop.example.com/#other'],
    misses: ['https://shop.example.com/products', 'https://www.shop.example.com/'],
  },
  'a host with a query, and not all of it': {
    listed: 'https://shop.example.com/?redirect=evil',
    hits: ['https://shop.example.com/?redirect=evil'],
    misses: ['https://shop.example.com/', 'https://shop.example.com/?redirect=good'],
  },
  'an address, and all on it': {
    listed: 'http://192.0.2.7/',
    hits: ['http://192.0.2.7/a', 'http://0xC0000207/a', 'http://[::ffff:192.0.2.7]/'],
    misses: ['http://1.192.0.2.7/', 'http://192.0.2.8/'],
  },
  'on shared hosting a page, and only with its query': {
    listed: 'https://docs.google.com/forms/d/e/1FAI/viewform',
    hits: ['https://docs.google.com/forms/d/e/1FAI/viewform'],
    misses: [
      'https://docs.google.com/forms/d/e/1FAI/viewform?usp=sf_link',
      'https://docs.google.com/',
      'https://docs.google.com/forms/d/e/2FAI/viewform',
    ],
  },
  'not the bare name of a shared host': {
    listed: 'https://bit.ly/',
    misses: ['https://bit.ly/', 'https://bit.ly/3abc'],
  },
  'not the bare name of a hosting company': {
    listed: 'https://weebly.com',
    misses: ['https://weebly.com/', 'https://honest.weebly.com/', 'https://www.weebly.com/'],
  },
  'a customer of a hosting company as a host of its own': {
    listed: 'https://evil-bank.weebly.com/',
    hits: ['https://evil-bank.weebly.com/login'],
    misses: ['https://honest.weebly.com/', 'https://weebly.com/'],
  },
  'not a public suffix': {
    listed: 'http://co.uk/',
    misses: ['http://example.co.uk/', 'http://co.uk/'],
  },
  'the target of a wrapper': {
    listed: 'http://evil.example.com/login.php?id=1',
    hits: [
      'https://nam12.safelinks.protection.outlook.com/?url=http%3A%2F%2Fevil.example.com%2Flogin.php%3Fid%3D1&data=05',
      'https://www.google.com/url?q=http%3A%2F%2Fevil.example.com%2Flogin.php%3Fid%3D1',
    ],
    misses: [
      'https://nam12.safelinks.protection.outlook.com/?url=http%3A%2F%2Fexample.com%2F&data=05',
    ],
  },
  'a wrapper, and no other link in the same wrapper': {
    listed: 'https://www.google.com/url?q=https%3A%2F%2Fevil.example.com%2F',
    hits: ['https://www.google.com/url?q=https%3A%2F%2Fevil.example.com%2F'],
    misses: [
      'https://www.google.com/url?q=https%3A%2F%2Fexample.com%2F',
      'https://www.google.com/url',
      'https://www.google.com/',
    ],
  },
  'an international name in either writing': {
    listed: 'http://bücher.example.com/x',
    hits: ['http://xn--bcher-kva.example.com/x', 'http://B%C3%9CCHER.example.com/x'],
  },
  'no link that is no address on the web': {
    listed: 'http://evil.example.com/',
    misses: ['mailto:a@evil.example.com', 'cid:evil.example.com', '#', '', 'javascript:void(0)'],
  },
}

describe('matchLinks', () => {
  for (const [name, { listed, hits = [], misses = [] }] of Object.entries(CASES)) {
    it(`finds ${name}`, () => {
      const found = matchLinks(tableOf('http://other.example.org/', listed), [...hits, ...misses])
      assert.deepEqual(
        found.map(({ href }) => href),
        hits,
      )
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
    list!.digests[31]! ^= 1
    assert.deepEqual(matchLinks(table, ['http://evil.example.net/a']), [])
  })

  it('finds every one of a thousand, and none of ten thousand others', () => {
    const url = (i: number) => `http://host${i % 90}.example.net/page-${i}`
    const table = tableOf(...Array.from({ length: 1_000 }, (_, i) => url(i)))
    const listed = Array.from({ length: 1_000 }, (_, i) => url(i))
    assert.deepEqual(
      matchLinks(table, listed).map(({ entry }) => entry),
      listed.map((_, i) => 100 + i),
    )
    for (let start = 1_000; start < 11_000; start += 1_000) {
      const others = Array.from({ length: 1_000 }, (_, i) => url(start + i))
      assert.deepEqual(matchLinks(table, others), [])
    }
  })

  it('takes little time for the most links there may be, all hostile', () => {
    const table = tableOf('http://evil.example.net/')
    const hrefs = Array.from(
      { length: 1_000 },
      (_, i) => `http://${i}.example.com/${'%25'.repeat(1_300)}`,
    )
    inCpuMs(1_000, () => matchLinks(table, hrefs))
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
