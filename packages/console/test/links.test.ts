/** The links of a message by host, with what is wrong with each host. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { linkGroups } from '../try/links.ts'

type Link = Parameters<typeof linkGroups>[0][number]

function link(leadsTo: string, more: Partial<Link> = {}): Link {
  return {
    href: leadsTo,
    text: 'here',
    source: 'html',
    host: URL.canParse(leadsTo) ? new URL(leadsTo).hostname : '',
    registrableDomain: '',
    leadsTo,
    leadsToDomain: '',
    shows: null,
    match: null,
    ...more,
  }
}

/** 'host (links): warning; warning' of each group. */
function told(links: readonly Link[]): readonly string[] {
  return linkGroups(links).map(({ name, links: { length }, warnings }) => {
    const words = warnings.map((warning) => [warning.words, warning.quoted ?? []].flat().join(' '))
    return `${name} (${length})${words.length === 0 ? '' : `: ${words.join('; ')}`}`
  })
}

describe('linkGroups', () => {
  it('folds links by the host that they lead to, those with a warning first', () => {
    assert.deepEqual(
      told([
        link('https://shop.example.com/1'),
        link('https://shop.example.com/2'),
        link('http://198.51.100.77/pay'),
        link('https://example.org/'),
      ]),
      ['198.51.100.77 (1): bare IP address', 'shop.example.com (2)', 'example.org (1)'],
    )
  })

  it('warns of links that run a script or carry their page, however they are written', () => {
    assert.deepEqual(
      told([
        link('javascript:alert(1)'),
        link(' JavaScript:alert(2)'),
        link('data:text/html,hello'),
        link('mailto:ann@example.com'),
      ]),
      [
        'javascript: (2): runs a script',
        'data: (1): contains its whole page',
        'Starts an email (1)',
      ],
    )
  })

  it('warns of the host that a link shows, of a wrapper around it, and of a feed, each once', () => {
    const wrapped = {
      host: 'eur02.safelinks.protection.outlook.com',
      registrableDomain: 'outlook.com',
      leadsToDomain: 'pay.example',
      shows: 'bank.example.org',
    }
    assert.deepEqual(
      told([
        link('https://pay.example/1', {
          ...wrapped,
          match: { feed: 'phish', expression: 'pay.example/2' } as NonNullable<Link['match']>,
        }),
        link('https://pay.example/2', wrapped),
      ]),
      ['pay.example (2): in the feed phish: pay.example/2; says bank.example.org; via outlook.com'],
    )
  })

  it('warns of letters beyond ASCII', () => {
    assert.deepEqual(told([link('https://xn--bcher-kva.example/')]), [
      'xn--bcher-kva.example (1): has letters beyond ASCII',
    ])
  })

  it('groups what no browser would open', () => {
    assert.deepEqual(told([link('//'), link('http://[bad')]), ['No web address (1)', 'http: (1)'])
  })
})
