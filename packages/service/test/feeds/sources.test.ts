/** The setting TAMIS_FEEDS, item by item. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wordsOf } from '../../../../test/words.ts'
import { feedSources, isAllowedAddress } from '../../feeds/sources.ts'

const KEY = 'a1b2c3d4e5f6'

function onlySource(text: string) {
  const sources = feedSources([text])
  assert.equal(sources.length, 1)
  const { name, kind } = sources[0]!
  const place = sources[0]!.kind === 'remote' ? sources[0]!.address : ''
  return { name, kind, place }
}

describe('feedSources', () => {
  it('puts the key of PhishTank into the path', () => {
    assert.deepEqual(onlySource(`phishtank:${KEY}`), {
      name: 'phishtank',
      kind: 'remote',
      place: `https://data.phishtank.com/data/${KEY}/online-valid.csv.gz`,
    })
    assert.equal(
      onlySource('phishtank').place,
      'https://data.phishtank.com/data/online-valid.csv.gz',
    )
  })

  it('takes the address of a mirror', () => {
    assert.deepEqual(onlySource('phishtank+https://mirror.example.com/online-valid.csv'), {
      name: 'phishtank',
      kind: 'remote',
      place: 'https://mirror.example.com/online-valid.csv',
    })
  })

  const WRONG = wordsOf(`
    phishtanks phishtank: phishtank:a/../b urlhaus file:relative.txt
    https://mirror.example.com/feed.txt openphish+http://mirror.example.com/feed.txt
    openphish+ftp://mirror.example.com/feed.txt
    openphish+https://user:secret@mirror.example.com/feed.txt
  `)
  for (const text of WRONG) {
    it(`refuses ${text}`, () => {
      assert.throws(() => feedSources([text]), { code: 'CONFIG_INVALID' })
    })
  }

  it('says which item is wrong and what is allowed, and keeps keys to itself', () => {
    assert.throws(
      () => feedSources(['openphish', `phishtank=${KEY}`]),
      (error: Error) =>
        /Feed 2 of TAMIS_FEEDS.*`urlhaus:KEY`/.test(error.message) && !error.message.includes(KEY),
    )
  })
})

describe('isAllowedAddress', () => {
  it('lets only this machine go without TLS', () => {
    const allowed = [
      'https://example.com/',
      'http://127.0.0.1:8080/feed',
      'http://localhost/feed',
      'http://[::1]/feed',
    ]
    const refused = [
      'http://example.com/',
      'http://127.0.0.1.example.com/',
      'file:///etc/passwd',
      '',
    ]
    assert.deepEqual(allowed.filter(isAllowedAddress), allowed)
    assert.deepEqual(refused.filter(isAllowedAddress), [])
  })
})
