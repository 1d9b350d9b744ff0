/**
 * What users correct is the copy in their mailbox, with all that delivery has written into it. It
 * is the same message as the one that was judged when it came in, and has the same features.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readModels } from '../../../../artifact-files/artifact-files.ts'
import { analyse } from '../../../../mail/analyse.ts'
import { memoryOctets } from '../../../../mail/message/octets.ts'
import { openEmbedding } from '../../../embedding/open-embedding.ts'
import { build, listen, post } from '../../http/service.ts'
import { noDovecot, startDovecot } from './dovecot.ts'

const RECEIVED_AT = new Date('2026-11-20T12:00:30Z')

/** As a milter sees it, before its own fields and delivery's. */
const ARRIVED = [
  'Received: from mail.museum.example.org (mail.museum.example.org [192.0.2.7])',
  '\tby mx.example.com (Postfix) with ESMTPS id 4F1; Fri, 20 Nov 2026 12:00:20 +0000',
  'Received: from office.museum.example.org by mail.museum.example.org with ESMTPSA;',
  '\tFri, 20 Nov 2026 12:00:10 +0000',
  'DKIM-Signature: v=1; a=rsa-sha256; d=museum.example.org; s=a; h=from:subject; bh=x; b=y',
  'From: Harbour Museum <news@museum.example.org>',
  'To: anna@example.com',
  'Subject: =?utf-8?q?What_is_on_at_the_museum_in_D=C3=A9cember?=',
  'Date: Fri, 20 Nov 2026 12:00:00 +0000',
  'Message-ID: <4711@museum.example.org>',
  'List-Unsubscribe: <https://museum.example.org/leave>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/alternative; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'The new exhibition on lighthouses opens on Sunday. Guided tours at two and at four.',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>The new exhibition on <a href="https://museum.example.org/light">lighthouses</a> opens.</p>',
  '--b--',
  '',
].join('\r\n')

/** What milters write on top of it: Tamis's own, and those of filters that came before it. */
const WRITTEN = [
  'X-Tamis-Verdict: spam; probability=0.9990; escalate=yes',
  'X-Tamis-Class: promotions',
  'X-Spam-Flag: YES',
  'X-Spam-Status: Yes, score=12.3 required=5.0 tests=BAYES_99,VIAGRA autolearn=no',
  'X-Spam-Level: ************',
  'X-Spam-Report: * 5.0 BAYES_99 Spam viagra casino',
  'X-Spamd-Result: default: False [-4.10 / 15.00]; BAYES_HAM(-3.00)[99.9%]',
  'Authentication-Results: mx.example.com; dmarc=pass header.from=museum.example.org',
  '',
].join('\r\n')

describe('the copy of a message in a mailbox', { skip: noDovecot }, () => {
  it('is for a correction the message that came in', async (t) => {
    const { app } = await build(t, { config: { trustedAuthservIds: ['mx.example.com'] } })
    const { url } = await listen(app)
    const dovecot = await startDovecot(t, { url })
    await dovecot.deliver('anna@example.com', WRITTEN + ARRIVED)
    const session = await dovecot.login('anna@example.com')
    await session.move('Junk', 'INBOX')
    const copy = await session.fetchOnly('INBOX')
    await session.close()
    await dovecot.allSent()
    assert.match(copy, /^Return-Path: .*^Delivered-To: .*^Received: .*^X-Tamis-Verdict: /ms)

    const headers = { 'x-user-id': 'anna@example.com', 'x-is-spam': 'false' }
    const { status } = (await post(app, '/feedback-stream', ARRIVED, headers)).json()
    assert.equal(status, 'already_recorded')
    const query = { userId: 'anna@example.com' }
    const { rules } = (await app.inject({ url: '/personalization/rules', query })).json()
    assert.equal(rules[0].unverified, false, 'authenticated by the field in the copy')
    assert.deepEqual(await drawnFrom(copy), await drawnFrom(ARRIVED))
  })
})

/** All that a correction keeps of a message. */
async function drawnFrom(message: string) {
  const embedding = await openEmbedding('table')
  try {
    const options = { personal: true, embedder: embedding.embedder, eventFeatures: true }
    const octets = memoryOctets(Buffer.from(message, 'latin1'))
    const found = analyse(octets, { now: RECEIVED_AT }, await readModels(), options)
    return { personal: found.personal, eventFeatures: found.eventFeatures }
  } finally {
    await embedding.close()
  }
}
