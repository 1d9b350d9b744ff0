import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wordsOf } from '../../../../test/words.ts'
import { isSharedSender, type Patterns, patternsOf } from '../../personalization/patterns.ts'
import { parsed } from '../helpers/parsed.ts'

/** The patterns of a message with these header lines. */
function patternsIn(header: string): Patterns {
  return patternsOf(parsed(`${header}\n\nHello`))
}

const LONG_HOST = `${`${'a'.repeat(60)}.`.repeat(4)}example`
const LONGEST = `${'b'.repeat(320 - 1 - LONG_HOST.length)}@${LONG_HOST}`
const THREAD = `<${'a'.repeat(510)}>`

// biome-ignore format: a row each
const CASES: readonly (readonly [what: string, pattern: keyof Patterns, header: string, value: string | undefined])[] = [
  ['two From fields with different addresses name nobody', 'sender', 'From: ada@example.com\nFrom: eve@example.net', undefined],
  ['two with one address name it', 'sender', 'From: ada@example.com\nFrom: Ada <ADA@example.com>', 'ada@example.com'],
  ['several authors are no sender', 'sender', 'From: ada@example.com, eve@example.net', undefined],
  ['nor are those of a group', 'sender', 'From: Authors: ada@example.com, eve@example.net;', undefined],
  ['the one member of a group is', 'sender', 'From: Authors: ada@example.com;', 'ada@example.com'],
  ['the dot of the root is left out', 'sender', 'From: Ada <ada@example.com.>', 'ada@example.com'],
  ['a long name hides nothing', 'sender', `From: "${'Ada '.repeat(2_000)}" <ada@example.com>`, 'ada@example.com'],
  ['a semicolon at the end is left out', 'sender', 'From: Ada <ada@example.com>;', 'ada@example.com'],
  ['programs may show either of two hosts', 'sender', 'From: <ada@example.com @example.net>', undefined],
  ['programs may show either of two addresses', 'sender', 'From: ada@example.com eve@example.net', undefined],
  ['an empty group names nobody', 'sender', 'From: Undisclosed:;', undefined],
  ['a name alone names nobody', 'sender', 'From: Ada', undefined],
  ['empty brackets name nobody', 'sender', 'From: <>', undefined],
  ['the address in brackets counts', 'sender', 'From: "ada@example.com" <eve@example.net>', 'eve@example.net'],
  ['a name may have a comma that nobody quoted', 'sender', 'From: Byron, Ada <ada@example.com>', 'ada@example.com'],
  ['a name may have a colon that nobody quoted', 'sender', 'From: Byron: Ada <ada@example.com>', 'ada@example.com'],
  ['Unicode is punycode', 'sender', 'From: <info@bücher.example>', 'info@xn--bcher-kva.example'],
  ['so are encoded words', 'sender', 'From: =?utf-8?Q?info=40b=C3=BCcher=2Eexample?=', 'info@xn--bcher-kva.example'],
  ['an address may have 320 bytes', 'sender', `From: ${LONGEST}`, LONGEST],
  ['and no more', 'sender', `From: b${LONGEST}`, undefined],
  ['a list is its identifier in lower case', 'list', 'List-Id: "News <of> today" <News.Example.COM>\nList-Post: <mailto:a@example.com>', 'news.example.com'],
  ['which may lack the brackets', 'list', 'List-Id: news.example.com', 'news.example.com'],
  ['words are no identifier', 'list', 'List-Id: our news', undefined],
  ['the address of posting comes second', 'list', 'List-Post: <mailto:News@Example.com?subject=x>\nList-Unsubscribe: <https://e.example/>', 'news@example.com'],
  ['the host of unsubscribing comes last, the web first', 'list', 'List-Post: NO\nList-Unsubscribe: <mailto:u@relay.example>, <https://News.Example.com/u?i=1>', 'news.example.com'],
  ['that of mail where there is no web', 'list', 'List-Unsubscribe: <mailto:u@relay.example>', 'relay.example'],
  ['an identifier may have 255 bytes', 'list', `List-Id: <${'a'.repeat(255)}>`, 'a'.repeat(255)],
  ['and no more', 'list', `List-Id: <${'a'.repeat(256)}>`, undefined],
  ['a thread is the first of References', 'thread', 'References: <1@example.org> <2@example.org>\nIn-Reply-To: <2@example.org>', '<1@example.org>'],
  ['or the message answered', 'thread', 'Message-ID: <2@example.com>\nIn-Reply-To: Your letter <1@example.com> of today', '<1@example.com>'],
  ['or the message itself', 'thread', 'Message-ID: <2@example.com>', '<2@example.com>'],
  ['a Message-ID may have 512 bytes', 'thread', `References: ${THREAD}\nMessage-ID: <1@example.com>`, THREAD],
  ['and no more', 'thread', `References: <a${THREAD.slice(1)}\nMessage-ID: <1@example.com>`, '<1@example.com>'],
]

describe('the patterns of a message', () => {
  for (const [what, pattern, header, value] of CASES) {
    it(`${what}: ${header.slice(0, 60)}`, () => assert.equal(patternsIn(header)[pattern], value))
  }

  it('are all there of a post to a list', () => {
    const header =
      'From: Ada Byron <Ada.Byron@Mail.Example.co.uk>\nList-Id: <engine.example.org>\nMessage-ID: <3@example.co.uk>'
    const { template, ...others } = patternsIn(header)
    assert.deepEqual(others, {
      sender: 'ada.byron@mail.example.co.uk',
      senderDomain: 'example.co.uk',
      list: 'engine.example.org',
      thread: '<3@example.co.uk>',
    })
    assert.match(template ?? '', /^t1:example\.co\.uk:[\w-]{24}$/)
    assert.deepEqual(patternsIn('Subject: Hello'), {})
  })

  it('are with all authors where there are several, for blocks', () => {
    const { authors } = patternsIn('From: Ada@example.com, eve@example.net')
    assert.deepEqual(authors, ['ada@example.com', 'eve@example.net'])
    assert.equal(patternsIn('From: ada@example.com').authors, undefined)
  })
})

describe('an address from which many write', () => {
  it('is that of a service through which anybody writes, and not what it writes of its own', () => {
    for (const sender of wordsOf(`
      notification+abc@facebookmail.com invitations@linkedin.com drive-shares-dm-noreply@google.com
      calendar-notification@google.com dse_na4@docusign.net service@paypal.com
      abc123@marketplace.amazon.com notifications@github.com mailer-daemon@mx.example.com
      owner-news@example.com news-bounces@example.com
    `)) {
      assert.ok(isSharedSender({ sender }), sender)
    }
    for (const sender of wordsOf(`
      news@linkedin.com no-reply@accounts.google.com marketing@mail.paypal.com service@notpaypal.com
      service@paypal.com.example.net noreply@shop.example.com owner@example.com
    `)) {
      assert.ok(!isSharedSender({ sender }), sender)
    }
  })

  it('is that of a list that writes in its own name', () => {
    const isShared = (list: string, sender?: string) =>
      isSharedSender({ list, ...(sender && { sender }) })
    assert.ok(isShared('news.example.com', 'news@example.com'))
    assert.ok(isShared('news@example.com', 'news@example.com'))
    assert.ok(!isShared('news.example.com', 'ada@example.com'))
    assert.ok(!isShared('news.example.com'))
  })
})
