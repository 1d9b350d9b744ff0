/** What is learned from a correction does not depend on when the user gets round to it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readModels } from '../../../artifact-files/artifact-files.ts'
import { analyse } from '../../../mail/analyse.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'

const models = await readModels()

const ARRIVED = new Date('2026-11-20T12:00:30Z')
const A_MONTH_LATER = new Date('2026-12-20T12:00:00Z')

const FIELDS = [
  'DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=a; x=1795435200; h=from:subject; bh=x; b=y',
  'From: Harbour Museum <news@example.org>',
  'Subject: What is on in December',
  'Date: Fri, 20 Nov 2026 12:00:00 +0000',
]

function message(...received: string[]): string {
  return [...received, ...FIELDS, '', 'Guided tours at two and at four.', ''].join('\r\n')
}

function taught(text: string, now: Date) {
  return analyse(memoryOctets(Buffer.from(text)), { now }, models, { teach: true })
}

describe('what is learned from a correction', () => {
  it('is what the message was judged by, a month before', () => {
    const text = message('Received: by mx.example.com; Fri, 20 Nov 2026 12:00:30 +0000')
    const late = taught(text, A_MONTH_LATER)
    assert.deepEqual(late.eventFeatures, taught(text, ARRIVED).eventFeatures)
    const names = late.signals.map(({ name }) => name)
    assert.ok(!names.includes('DATE_IN_PAST') && !names.includes('DKIM_EXPIRED'))
    const judged = analyse(memoryOctets(Buffer.from(text)), { now: A_MONTH_LATER }, models)
    assert.deepEqual(judged.signals, late.signals)
  })

  it('goes by the time of the correction where no server has written another', () => {
    const names = taught(message(), A_MONTH_LATER).signals.map(({ name }) => name)
    assert.ok(names.includes('DATE_IN_PAST') && names.includes('DKIM_EXPIRED'))
  })

  it('believes no server that writes a date to come', () => {
    const text = message('Received: by mx.example.com; Sun, 20 Dec 2026 12:00:00 +0000')
    const found = taught(text, ARRIVED)
    assert.ok(!found.signals.some(({ name }) => name === 'DATE_IN_PAST'))
  })
})
