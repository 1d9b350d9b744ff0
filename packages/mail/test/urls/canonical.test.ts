/**
 * The vectors that Google publishes for Safe Browsing, version 4, "URLs and Hashing"
 * (developers.google.com/safe-browsing/v4/urls-hashing), those of its Go client (urls_test.go)
 * where they say more, and what hostile URLs cost.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { canonicalUrl, URL_LENGTH_MAX } from '../../urls/canonical.ts'
import { inCpuMs } from '../helpers/cpu-time.ts'

const DOCUMENT: readonly (readonly [string, string])[] = [
  ['http://host/%25%32%35', 'http://host/%25'],
  ['http://host/%25%32%35%25%32%35', 'http://host/%25%25'],
  ['http://host/%2525252525252525', 'http://host/%25'],
  ['http://host/asdf%25%32%35asd', 'http://host/asdf%25asd'],
  ['http://host/%%%25%32%35asd%%', 'http://host/%25%25%25asd%25%25'],
  ['http://www.google.com/', 'http://www.google.com/'],
  [
    'http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/%2E%73%65%63%75%72%65/%77%77%77%2E%65%62%61%79%2E%63%6F%6D/',
    'http://168.188.99.26/.secure/www.ebay.com/',
  ],
  [
    'http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/',
    'http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/',
  ],
  [
    'http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A22%252833%252944_55%252B',
    'http://host%23.com/~a!b@c%23d$e%25f^00&11*22(33)44_55+',
  ],
  ['http://3279880203/blah', 'http://195.127.0.11/blah'],
  ['http://www.google.com/blah/..', 'http://www.google.com/'],
  ['www.google.com/', 'http://www.google.com/'],
  ['www.google.com', 'http://www.google.com/'],
  ['http://www.evil.com/blah#frag', 'http://www.evil.com/blah'],
  ['http://www.GOOgle.com/', 'http://www.google.com/'],
  ['http://www.google.com.../', 'http://www.google.com/'],
  ['http://www.google.com/foo\tbar\rbaz\n2', 'http://www.google.com/foobarbaz2'],
  ['http://www.google.com/q?', 'http://www.google.com/q?'],
  ['http://www.google.com/q?r?', 'http://www.google.com/q?r?'],
  ['http://www.google.com/q?r?s', 'http://www.google.com/q?r?s'],
  ['http://evil.com/foo#bar#baz', 'http://evil.com/foo'],
  ['http://evil.com/foo;', 'http://evil.com/foo;'],
  ['http://evil.com/foo?bar;', 'http://evil.com/foo?bar;'],
  // The document has the byte 0x80 itself, which a string cannot hold; undone first, it is the same.
  ['http://\x01%80.com/', 'http://%01%80.com/'],
  ['http://notrailingslash.com', 'http://notrailingslash.com/'],
  ['http://www.gotaport.com:1234/', 'http://www.gotaport.com/'],
  ['  http://www.google.com/  ', 'http://www.google.com/'],
  ['http:// leadingspace.com/', 'http://%20leadingspace.com/'],
  ['http://%20leadingspace.com/', 'http://%20leadingspace.com/'],
  ['%20leadingspace.com/', 'http://%20leadingspace.com/'],
  ['https://www.securesite.com/', 'https://www.securesite.com/'],
  ['http://host.com/ab%23cd', 'http://host.com/ab%23cd'],
  ['http://host.com//twoslashes?more//slashes', 'http://host.com/twoslashes?more//slashes'],
]

/** The client writes escapes in lower case where the document asks for upper case: so do these. */
const CLIENT: readonly (readonly [string, string])[] = [
  ['ftp://ftp.myfiles.com/', 'ftp://ftp.myfiles.com/'],
  ['http://some%1bhost.com/%1b', 'http://some%1Bhost.com/%1B'],
  ['http://www.ümlat.com/', 'http://www.xn--mlat-zra.com/'],
  ['http://www.%C3%BCmlat.com/', 'http://www.xn--mlat-zra.com/'],
  ['http://[2001:470:1:18::114]/', 'http://[2001:470:1:18::114]/'],
  ['http%3A%2F%2Fwackyurl.com:80/', 'http://wackyurl.com/'],
  ['http://W!eird<>Ho$^.com/', 'http://w!eird<>ho$^.com/'],
  ['http://google.com.:8080/foo.html', 'http://google.com/foo.html'],
  ['http://google...com/foo.html', 'http://google.com/foo.html'],
  ['http://..google.com/foo.html', 'http://google.com/foo.html'],
  [
    'http://[FEDC:BA98:7654:3210:FEDC:BA98:7654:3210]:80/index.html',
    'http://[fedc:ba98:7654:3210:fedc:ba98:7654:3210]/index.html',
  ],
  ['http://0x12.0x43.0x44.0x01', 'http://18.67.68.1/'],
  ['http://a.com/foo/.././bar/./../foo.html', 'http://a.com/foo.html'],
  ['http://a.com//a//b///c////', 'http://a.com/a/b/c/'],
  ['www.google.com:8080/foo.html', 'http://www.google.com/foo.html'],
  ['www.google.com:80', 'http://www.google.com/'],
]

const ADDRESSES: readonly (readonly [string, string])[] = [
  ['123.123.0.0.1', '123.123.0.0.1'],
  ['255.0.0.1', '255.0.0.1'],
  ['12.0x12.01234', '12.18.2.156'],
  ['276.2.3', '20.2.0.3'],
  ['012.034.01.055', '10.28.1.45'],
  ['0x12.0x43.0x44.0x01', '18.67.68.1'],
  ['167838211', '10.1.2.3'],
  ['3279880203', '195.127.0.11'],
  ['4294967295', '255.255.255.255'],
  ['4294967296', '4294967296'],
  ['1.2.3.00x0', '1.2.3.00x0'],
  ['[::ffff:c000:201]', '192.0.2.1'],
  ['[64:ff9b::c000:201]', '192.0.2.1'],
]

const WITHOUT_HOST: readonly string[] = [
  '',
  ':',
  '/blah',
  '#ref',
  '/blah#ref',
  '?query#ref',
  '/blah?query#ref',
  '/blah;param',
  'http://#ref',
  'http:///blah#ref',
  'http://?query#ref',
  'http:///blah?query#ref',
  'http:///blah;param',
  'http:///blah;param?query#ref',
  'mailto:bryner@google.com',
  'http:www.google.com:8080/foo.html',
]

function written(href: string): string | undefined {
  const url = canonicalUrl(href)
  if (url === undefined) return undefined
  const { scheme, host, path, query } = url
  return `${scheme}://${host}${path}${query === undefined ? '' : `?${query}`}`
}

describe('canonicalUrl', () => {
  for (const [href, expected] of [...DOCUMENT, ...CLIENT]) {
    it(`writes ${JSON.stringify(href)} as ${expected}`, () => {
      assert.equal(written(href), expected)
    })
  }

  for (const [host, expected] of ADDRESSES) {
    it(`reads the host ${host} as ${expected}`, () => {
      assert.equal(canonicalUrl(`http://${host}/`)?.host, expected)
    })
  }

  it('gives nothing for what names no host', () => {
    assert.deepEqual(
      WITHOUT_HOST.filter((href) => canonicalUrl(href) !== undefined),
      [],
    )
  })

  it('drops the user before the host', () => {
    assert.equal(written('http://bank.example.com:pw@example.net/a'), 'http://example.net/a')
  })

  it('takes a folder named by dots for a folder', () => {
    assert.equal(written('http://example.com/a/b/..'), 'http://example.com/a/')
    assert.equal(written('http://example.com/../../..'), 'http://example.com/')
  })

  it('changes nothing when done again', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'a.%25/?#@:[] é0x'), maxLength: 60 }),
        (tail) => {
          const once = written(`http://example.com/${tail}`)!
          // An escaped # is undone and done again; an escaped ? now begins the query.
          assert.equal(written(once), once)
        },
      ),
    )
  })

  it('undoes escapes as round after round does', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'%%%2345aF'), maxLength: 40 }), (text) => {
        let rounds = text
        for (let before = ''; before !== rounds; ) {
          before = rounds
          rounds = rounds.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
            String.fromCharCode(Number.parseInt(hex, 16)),
          )
        }
        const escaped = rounds.replaceAll(
          /[^!-~]|[#%]/g,
          (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
        )
        assert.equal(canonicalUrl(`http://example.com/?${text}`)?.query, escaped)
      }),
    )
  })

  const HOSTILE: readonly (readonly [string, string])[] = [
    ['10 MB', `http://example.com/${'a'.repeat(10_000_000)}`],
    ['100,000 percent signs', `http://example.com/${'%'.repeat(100_000)}`],
    ['escapes within escapes', `http://example.com/%${'25'.repeat(100_000)}`],
    ['dots in the host', `http://${'.'.repeat(100_000)}example.com/`],
    ['folders up', `http://example.com/${'../'.repeat(100_000)}`],
    ['slashes', `http://example.com${'/'.repeat(100_000)}`],
    ['users', `http://${'a@'.repeat(100_000)}example.com/`],
  ]
  for (const [name, href] of HOSTILE) {
    it(`takes little time for a URL of ${name}`, () => {
      inCpuMs(400, () => {
        for (let i = 0; i < 20; i += 1) canonicalUrl(href)
      })
    })
  }

  it('cuts what is longer than a link may be', () => {
    const url = canonicalUrl(`http://example.com/${'a'.repeat(2 * URL_LENGTH_MAX)}`)
    assert.equal(url?.path.length, URL_LENGTH_MAX - 'http://example.com'.length)
  })
})
