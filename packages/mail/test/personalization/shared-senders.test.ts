import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wordsOf } from '../../../../test/words.ts'
import { isSharedSender } from '../../personalization/patterns.ts'

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
