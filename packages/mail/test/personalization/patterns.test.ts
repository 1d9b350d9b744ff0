import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wordsOf } from '../../../../test/words.ts'
import { isSharedSender, type Patterns, patternsOf } from '../../personalization/patterns.ts'
import { parsed } from '../helpers/parsed.ts'

function patternsIn(text: string): Patterns {
  return patternsOf(parsed(text))
}

describe('patternsOf', () => {
  it('gives sender, list and thread of a post to a list', () => {
    const { template, ...others } = patternsIn(
      [
        'From: Ada Byron <Ada.Byron@Mail.Example.co.uk>',
        'List-Id: The engine <engine.lists.example.org>',
        'Message-ID: <3@example.co.uk>',
        'In-Reply-To: <2@example.org>',
        'References: <1@example.org> <2@example.org>',
        '',
        'I agree.',
      ].join('\n'),
    )
    assert.deepEqual(others, {
      sender: 'ada.byron@mail.example.co.uk',
      senderDomain: 'example.co.uk',
      list: 'engine.lists.example.org',
      thread: '<1@example.org>',
    })
    assert.match(template ?? '', /^t1:example\.co\.uk:[\w-]{24}$/)
  })

  it('leaves out what a message does not have', () => {
    assert.deepEqual(patternsIn('Subject: Hello\n\nHello'), {})
  })
})

describe('the sender', () => {
  const senderIn = (header: string) => patternsIn(`${header}\n\nHello`).sender

  it('is not told of two From fields with different addresses', () => {
    assert.equal(senderIn('From: ada@example.com\nFrom: eve@example.net'), undefined)
    assert.equal(senderIn('From: ada@example.com\nFrom: Ada <ADA@example.com>'), 'ada@example.com')
  })

  it('is told with all others of several authors, for blocks', () => {
    const { sender, authors } = patternsIn('From: Ada@example.com, eve@example.net\n\nHello')
    assert.deepEqual([sender, authors], [undefined, ['ada@example.com', 'eve@example.net']])
    assert.equal(patternsIn('From: ada@example.com\n\nHello').authors, undefined)
  })

  it('is not told of one From field with several authors', () => {
    assert.equal(senderIn('From: ada@example.com, eve@example.net'), undefined)
    assert.equal(senderIn('From: Authors: ada@example.com, eve@example.net;'), undefined)
  })

  it('is the one member of a group, so that a group hides nobody from a block', () => {
    assert.equal(senderIn('From: Authors: ada@example.com;'), 'ada@example.com')
  })

  it('is the same with the dot of the root, behind a long name, and with a semicolon at the end', () => {
    assert.equal(senderIn('From: Ada <ada@example.com.>'), 'ada@example.com')
    assert.equal(senderIn(`From: "${'Ada '.repeat(2_000)}" <ada@example.com>`), 'ada@example.com')
    assert.equal(senderIn('From: Ada <ada@example.com>;'), 'ada@example.com')
  })

  it('is not told where programs may show another address than the last', () => {
    assert.equal(senderIn('From: <ada@example.com @example.net>'), undefined)
    assert.equal(senderIn('From: ada@example.com eve@example.net'), undefined)
  })

  it('is not told where From names nobody', () => {
    assert.equal(senderIn('From: Undisclosed:;'), undefined)
    assert.equal(senderIn('From: Ada'), undefined)
    assert.equal(senderIn('From: <>'), undefined)
  })

  it('is the address in brackets, whatever address the name holds', () => {
    assert.equal(senderIn('From: "ada@example.com" <eve@example.net>'), 'eve@example.net')
  })

  it('is whole after a name with a comma or a colon that nobody quoted', () => {
    assert.equal(senderIn('From: Byron, Ada <ada@example.com>'), 'ada@example.com')
    assert.equal(senderIn('From: Byron: Ada <ada@example.com>'), 'ada@example.com')
  })

  it('is the same in Unicode, in punycode and in encoded words', () => {
    assert.equal(senderIn('From: <info@bücher.example>'), 'info@xn--bcher-kva.example')
    assert.equal(senderIn('From: <info@xn--bcher-kva.example>'), 'info@xn--bcher-kva.example')
    assert.equal(
      senderIn('From: =?utf-8?Q?info=40b=C3=BCcher=2Eexample?='),
      'info@xn--bcher-kva.example',
    )
  })

  it('may have 320 bytes and no more', () => {
    const host = `${'a'.repeat(60)}.`.repeat(4)
    const local = 'b'.repeat(320 - 1 - `${host}example`.length)
    assert.equal(senderIn(`From: ${local}@${host}example`), `${local}@${host}example`)
    assert.equal(senderIn(`From: b${local}@${host}example`), undefined)
  })
})

describe('the list', () => {
  const listIn = (header: string) => patternsIn(`${header}\n\nHello`).list

  it('is its identifier in lower case, before any other field', () => {
    assert.equal(
      listIn('List-Id: "News <of> today" <News.Example.COM>\nList-Post: <mailto:a@example.com>'),
      'news.example.com',
    )
  })

  it('may lack the brackets', () => {
    assert.equal(listIn('List-Id: news.example.com'), 'news.example.com')
    assert.equal(listIn('List-Id: our news'), undefined)
  })

  it('is the address of posting where there is no identifier', () => {
    assert.equal(
      listIn(
        'List-Post: <mailto:News@Example.com?subject=x>\nList-Unsubscribe: <https://e.example/>',
      ),
      'news@example.com',
    )
  })

  it('is the host of unsubscribing where nobody can post, the web before mail', () => {
    assert.equal(
      listIn(
        'List-Post: NO\nList-Unsubscribe: <mailto:u@relay.example>, <https://News.Example.com/u?i=1>',
      ),
      'news.example.com',
    )
    assert.equal(listIn('List-Unsubscribe: <mailto:u@relay.example>'), 'relay.example')
  })

  it('has an identifier of 255 bytes and no longer', () => {
    assert.equal(listIn(`List-Id: <${'a'.repeat(255)}>`), 'a'.repeat(255))
    assert.equal(listIn(`List-Id: <${'a'.repeat(256)}>`), undefined)
  })
})

describe('the thread', () => {
  const threadIn = (header: string) => patternsIn(`${header}\n\nHello`).thread

  it('is the message answered where there are no References', () => {
    assert.equal(
      threadIn('Message-ID: <2@example.com>\nIn-Reply-To: Your letter <1@example.com> of today'),
      '<1@example.com>',
    )
  })

  it('passes over identifiers of more than 512 bytes', () => {
    const longest = `<${'a'.repeat(510)}>`
    assert.equal(threadIn(`References: ${longest}\nMessage-ID: <1@example.com>`), longest)
    assert.equal(
      threadIn(`References: <${'a'.repeat(511)}>\nMessage-ID: <1@example.com>`),
      '<1@example.com>',
    )
  })
})

describe('isSharedSender', () => {
  it('holds for addresses through which anybody writes', () => {
    for (const sender of wordsOf(`
      notification+abc@facebookmail.com invitations@linkedin.com drive-shares-dm-noreply@google.com
      calendar-notification@google.com dse_na4@docusign.net service@paypal.com
      abc123@marketplace.amazon.com notifications@github.com mailer-daemon@mx.example.com
      owner-news@example.com news-bounces@example.com
    `)) {
      assert.ok(isSharedSender({ sender }), sender)
    }
  })

  it('does not hold for what these services write of their own, and for others', () => {
    for (const sender of [
      'news@linkedin.com',
      'no-reply@accounts.google.com',
      'marketing@mail.paypal.com',
      'service@notpaypal.com',
      'service@paypal.com.example.net',
      'noreply@shop.example.com',
      'owner@example.com',
    ]) {
      assert.ok(!isSharedSender({ sender }), sender)
    }
  })

  it('holds for a list that writes in its own name', () => {
    assert.ok(isSharedSender({ sender: 'news@example.com', list: 'news.example.com' }))
    assert.ok(isSharedSender({ sender: 'news@example.com', list: 'news@example.com' }))
    assert.ok(!isSharedSender({ sender: 'ada@example.com', list: 'news.example.com' }))
  })

  it('does not hold where the sender is not known', () => {
    assert.ok(!isSharedSender({ list: 'news.example.com' }))
  })
})
