/** The lists over a DNS that the test answers for, on a clock that it turns. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type DnsAnswer, DnsLists, type DnsListsSettings } from '../../dns-lists/dns-lists.ts'
import type { DnsList } from '../../dns-lists/settings.ts'

const CODES = new Map([['127.0.0.2', { meaning: 'spam', logOdds: 3 }]])

const IP: DnsList = { name: 'ips', zone: 'ip.example.org', kind: 'ip', codes: CODES }
const DOMAIN: DnsList = { name: 'names', zone: 'names.example.org', kind: 'domain', codes: CODES }

const MINUTE_MS = 60_000

const LINKS = { domains: ['example.com', 'example.net'], addresses: [] }

function opened(zone: Record<string, DnsAnswer>, settings: Partial<DnsListsSettings> = {}) {
  const asked: string[] = []
  const logged: object[] = []
  const clock = { ms: 0 }
  const lists = new DnsLists({
    lists: [IP, DOMAIN],
    lookUp: async (names) => {
      asked.push(...names)
      return names.map((name) => zone[name] ?? [])
    },
    log: { warn: (fields) => logged.push(fields) },
    now: () => clock.ms,
    ...settings,
  })
  return { lists, asked, logged, clock, zone }
}

describe('DnsLists', () => {
  it('says what each list has', async () => {
    const { lists, asked } = opened({ 'example.net.names.example.org': ['127.0.0.2'] })
    assert.deepEqual(await lists.ask(LINKS, '192.0.2.1'), [
      { list: 'ips', lookups: 1, hits: [], failure: null },
      {
        list: 'names',
        lookups: 2,
        hits: [{ listed: 'example.net', meaning: 'spam', logOdds: 3 }],
        failure: null,
      },
    ])
    assert.deepEqual(asked, [
      '1.2.0.192.ip.example.org',
      'example.com.names.example.org',
      'example.net.names.example.org',
    ])
  })

  it('drops all that a list says that refuses, leaves it alone for ten minutes, and says so once', async () => {
    const { lists, asked, logged, clock, zone } = opened({
      'example.com.names.example.org': ['127.255.255.254'],
      'example.net.names.example.org': ['127.0.0.2'],
    })
    const refused = { list: 'names', lookups: 2, hits: [], failure: 'REFUSED' }
    assert.deepEqual((await lists.ask(LINKS, undefined))[1], refused)
    assert.deepEqual(lists.status()[1], { list: 'names', resting: true, lastFailure: 'REFUSED' })
    clock.ms += 10 * MINUTE_MS - 1
    assert.deepEqual((await lists.ask(LINKS, undefined))[1], { ...refused, lookups: 0 })
    assert.equal(asked.length, 2)

    clock.ms += 1
    zone['example.com.names.example.org'] = []
    const [, names] = await lists.ask(LINKS, undefined)
    assert.deepEqual([names?.lookups, names?.hits.length, names?.failure], [2, 1, null])
    assert.deepEqual(lists.status()[1], { list: 'names', resting: false, lastFailure: undefined })
    const line = { list: 'names', reason: 'REFUSED', answer: '127.255.255.254' }
    assert.deepEqual(logged, [line])
  })

  it('leaves a list alone for a minute when it has not answered for three messages in a row', async () => {
    const { lists, asked, clock, logged } = opened({ '1.2.0.192.ip.example.org': 'ETIMEOUT' })
    const nothing = { domains: [], addresses: [] }
    for (let message = 0; message < 5; message += 1) {
      const [ips] = await lists.ask(nothing, '192.0.2.1')
      assert.equal(ips?.failure, 'NO_ANSWER')
    }
    assert.equal(asked.length, 3)
    clock.ms += MINUTE_MS
    await lists.ask(nothing, '192.0.2.1')
    await lists.ask(nothing, '192.0.2.1')
    assert.equal(asked.length, 4)
    assert.deepEqual(logged, [{ list: 'ips', reason: 'NO_ANSWER' }])
  })

  it('goes on with a list that answers a part, and counts what it says', async () => {
    const { lists } = opened({
      'example.com.names.example.org': 'ESERVFAIL',
      'example.net.names.example.org': ['127.0.0.2'],
    })
    for (let message = 0; message < 5; message += 1) {
      const [, names] = await lists.ask(LINKS, undefined)
      assert.deepEqual([names?.lookups, names?.hits.length, names?.failure], [2, 1, 'NO_ANSWER'])
    }
  })
})
