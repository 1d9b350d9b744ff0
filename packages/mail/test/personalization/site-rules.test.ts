import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Claims } from '../../personalization/claims.ts'
import type { SiteRuleType } from '../../personalization/kinds.ts'
import type { SenderAuthentication } from '../../personalization/rules.ts'
import {
  checkSitePattern,
  indexSiteRules,
  matchSiteRules,
  type SiteRule,
  type SiteScope,
} from '../../personalization/site-rules.ts'
import { inCpuMs } from '../helpers/cpu-time.ts'

const UNKNOWN: SenderAuthentication = { result: 'unknown' }
const FAIL: SenderAuthentication = { result: 'fail' }
const PASS: SenderAuthentication = { result: 'pass', domain: 'mail.example.com' }
const PASS_OTHER: SenderAuthentication = { result: 'pass', domain: 'example.net' }

/** A message that claims something of every kind. */
const CLAIMS: Claims = {
  sender: 'ada@mail.example.com',
  senders: ['ada@mail.example.com', 'bounce@sender.example.net'],
  list: 'news.example.com',
  hosts: ['out-7.relay.example'],
  senderIp: '192.0.2.7',
  attachments: ['macro'],
}

const TO: SiteScope = { tenant: 'acme', recipientDomain: 'example.org' }

/** 'allow sender example.com' as a rule. */
function rule(text: string, scope: SiteScope = {}): SiteRule {
  const [verb, kind = '', pattern = ''] = text.split(' ')
  const ruleType = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}` as SiteRuleType
  return { id: text, ruleType, label: verb === 'block' ? 'spam' : 'ham', pattern, scope }
}

/** The rules that have a say, with what they do. */
function found(
  rules: readonly SiteRule[],
  authentication: SenderAuthentication = UNKNOWN,
  claims: Claims = CLAIMS,
  scope: SiteScope = TO,
): string[] {
  const matches = matchSiteRules([indexSiteRules(rules)], claims, scope, authentication)
  return matches.map(({ id, force }) => `${id}: ${force}`)
}

describe('matchSiteRules', () => {
  it('takes the most specific: address, domain, the nearest first, List, Host, Network, the longest first, Attachment', () => {
    const order = [
      'block sender ada@mail.example.com',
      'block sender *@mail.example.com',
      'block sender mail.example.com',
      'block sender *.example.com',
      'block sender example.com',
      'block sender *.com',
      'block list news.example.com',
      'block host out-7.relay.example',
      'block host *.relay.example',
      'block host relay.example',
      'block network 192.0.2.7/32',
      'block network 192.0.2.0/24',
      'block network 0.0.0.0/0',
      'block attachment macro',
    ]
    order.forEach((first, i) => {
      const rules = order.slice(i).map((text) => rule(text))
      assert.deepEqual(found(rules.reverse()), [`${first}: decides`])
    })
  })

  it('says which rule it was', () => {
    const [match] = matchSiteRules(
      [indexSiteRules([{ ...rule('block sender *.example.com'), id: 'site.rules:12' }])],
      CLAIMS,
      TO,
      UNKNOWN,
    )
    assert.deepEqual(match, {
      id: 'site.rules:12',
      ruleType: 'Sender',
      pattern: '*.example.com',
      label: 'spam',
      verified: false,
      source: 'site',
      force: 'decides',
    })
  })

  it("takes a rule for the recipient's domain before one of the tenant, and that before one for all", () => {
    const order = [
      rule('block network 192.0.2.0/24', { tenant: 'acme', recipientDomain: 'example.org' }),
      rule('block list news.example.com', { recipientDomain: 'example.org' }),
      rule('block sender example.com', { tenant: 'acme' }),
      rule('block sender ada@mail.example.com'),
    ]
    order.forEach((first, i) => {
      assert.deepEqual(found(order.slice(i).reverse()), [`${first.id}: decides`])
    })
  })

  it('takes all of one index before all of the next, but for an allow without proof', () => {
    const match = (first: string, second: SiteRule) =>
      matchSiteRules(
        [[rule(first, { tenant: 'acme' })], [second]].map(indexSiteRules),
        CLAIMS,
        TO,
        UNKNOWN,
      ).map(({ id, force }) => `${id}: ${force}`)
    const ofDomain = rule('allow network 192.0.2.7/32', { recipientDomain: 'example.org' })
    assert.deepEqual(match('block list news.example.com', ofDomain), [
      'block list news.example.com: decides',
    ])
    const allow = 'allow sender ada@mail.example.com'
    assert.deepEqual(match(allow, rule('block sender example.com')), [
      `${allow}: lifts`,
      'block sender example.com: decides',
    ])
    assert.deepEqual(match(allow, rule('block network 192.0.2.0/24')), [
      'block network 192.0.2.0/24: decides',
    ])
  })

  it('blocks an attachment against an allow without proof, and not against one with it', () => {
    const rules = [rule('allow sender ada@mail.example.com'), rule('block attachment macro')]
    assert.deepEqual(found(rules), ['block attachment macro: decides'])
    const passed = { result: 'pass', domain: 'mail.example.com' } as const
    assert.deepEqual(found(rules, passed), ['allow sender ada@mail.example.com: decides'])
    assert.deepEqual(found([rule('block attachment exe')]), [])
  })

  it('knows nothing of rules for other recipients', () => {
    const others = [
      rule('block sender example.com', { recipientDomain: 'example.net' }),
      rule('block sender example.com', { tenant: 'other' }),
      rule('block sender example.com', { tenant: 'other', recipientDomain: 'example.org' }),
    ]
    assert.deepEqual(found(others), [])
    const ofDomain = rule('block sender example.com', { recipientDomain: 'example.org' })
    assert.deepEqual(found([ofDomain], UNKNOWN, CLAIMS, { tenant: 'acme' }), [])
  })

  it('blocks an envelope sender, and every address of a From that names several', () => {
    const claims = { senders: ['ada@example.com', 'eve@evil.example'], hosts: [] }
    assert.deepEqual(found([rule('block sender evil.example')], UNKNOWN, claims), [
      'block sender evil.example: decides',
    ])
    assert.deepEqual(found([rule('block sender bounce@sender.example.net')]), [
      'block sender bounce@sender.example.net: decides',
    ])
  })

  it('allows only the one address that From shows', () => {
    const claims = { senders: ['ada@example.com', 'eve@evil.example'], hosts: [] }
    assert.deepEqual(found([rule('allow sender evil.example')], UNKNOWN, claims), [])
    assert.deepEqual(found([rule('allow sender sender.example.net')]), [])
  })

  it('matches nothing of a message that claims nothing', () => {
    const rules = ['sender com.example', 'list a', 'host example.com', 'network 0.0.0.0/0']
    const blocks = rules.map((text) => rule(`block ${text}`))
    assert.deepEqual(found(blocks, UNKNOWN, { senders: [], hosts: [] }), [])
  })

  it('knows IPv6 networks', () => {
    const rules = [rule('block network 2001:db8::/33'), rule('allow network 2001:db8:8000::/33')]
    const from = (senderIp: string) => found(rules, UNKNOWN, { senders: [], hosts: [], senderIp })
    assert.deepEqual(from('2001:db8:7fff::1'), ['block network 2001:db8::/33: decides'])
    assert.deepEqual(from('2001:db8:8000::1'), ['allow network 2001:db8:8000::/33: decides'])
    assert.deepEqual(from('2001:db9::1'), [])
  })
})

describe('what a rule of a site can do by authentication', () => {
  const forces = (text: string) =>
    [PASS, PASS_OTHER, FAIL, UNKNOWN].map(
      (authentication) => found([rule(text)], authentication)[0]?.split(': ')[1] ?? 'nothing',
    )

  it('is all of it for a block', () => {
    for (const text of ['sender example.com', 'list news.example.com', 'network 192.0.2.0/24']) {
      assert.deepEqual(forces(`block ${text}`), ['decides', 'decides', 'decides', 'decides'], text)
    }
  })

  it('is to decide for an allow by the sender that is proved, and else to lift', () => {
    assert.deepEqual(forces('allow sender example.com'), ['decides', 'lifts', 'nothing', 'lifts'])
  })

  it('is to lift for an allow by what anybody can write', () => {
    for (const text of ['list news.example.com', 'host relay.example']) {
      assert.deepEqual(forces(`allow ${text}`), ['lifts', 'lifts', 'nothing', 'lifts'], text)
    }
  })

  it('is all of it for an allow by network, which the receiving server saw', () => {
    const expected = ['decides', 'decides', 'decides', 'decides']
    assert.deepEqual(forces('allow network 192.0.2.0/24'), expected)
  })

  it('lets an exception without proof lift before a wider block of the name', () => {
    const rules = [rule('allow sender ada@mail.example.com'), rule('block sender example.com')]
    assert.deepEqual(found(rules), [
      'allow sender ada@mail.example.com: lifts',
      'block sender example.com: decides',
    ])
    assert.deepEqual(found(rules, PASS), ['allow sender ada@mail.example.com: decides'])
    assert.deepEqual(found(rules, FAIL), ['block sender example.com: decides'])
  })

  it('lets an allow without proof give way to a block of the machine', () => {
    for (const block of ['block network 192.0.2.0/24', 'block host relay.example']) {
      const rules = [rule('allow sender ada@mail.example.com'), rule(block)]
      assert.deepEqual(found(rules), [`${block}: decides`])
      assert.deepEqual(found(rules, PASS), ['allow sender ada@mail.example.com: decides'])
    }
  })
})

describe('indexSiteRules', () => {
  it('takes the same twice for one, and refuses the opposite', () => {
    const block = rule('block network 2001:db8::/32')
    assert.deepEqual(found([block, block]), [])
    const opposite = { ...rule('allow network 2001:0db8::/32'), id: 'second' }
    assert.throws(() => indexSiteRules([block, opposite]), { message: /^second contradicts block/ })
    indexSiteRules([block, { ...opposite, scope: { tenant: 'acme' } }])
  })
})

describe('checkSitePattern', () => {
  it('gives the form in which rules compare', () => {
    assert.equal(
      checkSitePattern('Sender', 'ham', 'Ada@Bücher.example'),
      'ada@xn--bcher-kva.example',
    )
    assert.equal(checkSitePattern('Sender', 'ham', '*@Example.com'), '*@example.com')
    assert.equal(checkSitePattern('Host', 'ham', '*.Example.com'), '*.example.com')
    assert.equal(checkSitePattern('List', 'ham', 'News.Example.com'), 'news.example.com')
    assert.equal(checkSitePattern('Network', 'ham', '192.0.2.1'), '192.0.2.1/32')
    assert.equal(checkSitePattern('Network', 'ham', '2001:DB8::1'), '2001:db8::1/128')
  })

  it('takes a top-level domain for a block alone, in so many words', () => {
    assert.equal(checkSitePattern('Sender', 'spam', '*.top'), '*.top')
    assert.equal(checkSitePattern('Sender', 'spam', 'top'), undefined)
    assert.equal(checkSitePattern('Sender', 'ham', '*.top'), undefined)
    assert.equal(checkSitePattern('Sender', 'ham', 'co.uk'), undefined)
  })

  it('takes a kind of attachment for a block alone', () => {
    assert.equal(checkSitePattern('Attachment', 'spam', 'EXE'), 'exe')
    assert.equal(checkSitePattern('Attachment', 'ham', 'exe'), undefined)
  })

  it('gives nothing for what no message could have', () => {
    const wrong: [SiteRuleType, string][] = [
      ['Sender', 'ann*@example.com'],
      ['Sender', '*'],
      ['Sender', '192.0.2.1'],
      ['Host', 'ann@example.com'],
      ['Host', '*@example.com'],
      ['Host', '192.0.2.1'],
      ['Host', 'localhost'],
      ['Attachment', 'pdf'],
      ['List', '*@example.com'],
      ['Network', 'example.com'],
      ['Network', '192.0.2.1/24'],
      ['Network', '192.0.2.0/33'],
      ['Network', '192.0.2'],
      ['Network', '2001:db8::1/32'],
    ]
    for (const [ruleType, pattern] of wrong) {
      assert.equal(checkSitePattern(ruleType, 'spam', pattern), undefined, `${ruleType} ${pattern}`)
    }
  })
})

/** CPU time for one message, in microseconds, some ten times what it takes: a table that is searched through takes a thousand. */
const MICROSECONDS_MAX = 200

describe('ten thousand rules of a site', () => {
  it('are matched in microseconds', () => {
    const index = indexSiteRules(tenThousandRules())
    assert.equal(index.count, 10_000)
    const claims = { ...CLAIMS, senders: [...CLAIMS.senders, 'ada@spam-1234.example'] }
    const match = () => matchSiteRules([index], claims, TO, UNKNOWN)
    assert.equal(match()[0]?.pattern, 'spam-1234.example')
    const rounds = 20_000
    inCpuMs((rounds * MICROSECONDS_MAX) / 1_000, () => {
      for (let i = 0; i < rounds; i += 1) match()
    })
  })
})

/** Of each kind, for all recipients and for two hundred domains; networks of every length from 16 to 32. */
function tenThousandRules(): SiteRule[] {
  const rules: SiteRule[] = []
  for (let i = 0; i < 2_500; i += 1) {
    rules.push(rule(`block sender spam-${i}.example`))
    rules.push(
      rule(`block sender eve-${i}@example.net`, { recipientDomain: `domain-${i % 200}.example` }),
    )
    rules.push(rule(`block host *.dsl-${i}.example`))
    rules.push(rule(`block network ${networkAt(i)}`))
  }
  return rules
}

/** 10.0.0.0/16, 10.1.0.0/17, ... */
function networkAt(i: number): string {
  return `${10 + (i >> 8)}.${i & 255}.0.0/${16 + (i % 17)}`
}
