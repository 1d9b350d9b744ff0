/** When a message arrived, by its topmost Received field, by its Date, and by the clock. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { arrivalOf } from '../../signals/received.ts'
import type { ArrivalFallback } from '../../signals/signal.ts'
import { parsed } from '../helpers/parsed.ts'

const NOW = '2026-11-20T12:00:00.000Z'

/** The arrival of a message with these header fields. */
function arrived(fields: readonly string[], arrivalFallback?: ArrivalFallback): string {
  const message = parsed(`${fields.join('\r\n')}\r\n\r\nHello\r\n`)
  const facts = { now: new Date(NOW), ...(arrivalFallback && { arrivalFallback }) }
  return arrivalOf(message, facts).toISOString()
}

const received = (date: string) => `Received: from a.example.net by mx.example.com; ${date}`
const DATE = 'Date: Sun, 1 Jun 2025 11:59:00 +0000'

describe('arrivalOf', () => {
  it('is the time of the topmost Received field', () => {
    const hops = [
      received('Sun, 1 Jun 2025 14:00:05 +0200 (CEST)'),
      received('Sun, 1 Jun 2025 11:58:00 +0000'),
    ]
    assert.equal(arrived([...hops, DATE]), '2025-06-01T12:00:05.000Z')
    assert.equal(arrived([...hops, DATE], 'date'), '2025-06-01T12:00:05.000Z')
  })

  it('is now, never later, for a field of a day to come', () => {
    const field = received('Fri, 20 Nov 2026 12:00:01 +0000')
    assert.equal(arrived([field, DATE]), NOW)
    assert.equal(arrived([field, DATE], 'date'), NOW)
    assert.equal(arrived([received('Fri, 20 Nov 2026 11:59:59 +0000')]), '2026-11-20T11:59:59.000Z')
  })

  it('is now for a message without a Received field, or its Date where that is asked for', () => {
    assert.equal(arrived([DATE]), NOW)
    assert.equal(arrived([DATE], 'now'), NOW)
    assert.equal(arrived([DATE], 'date'), '2025-06-01T11:59:00.000Z')
  })

  it('is now where the Date is absent, unreadable or of a day to come', () => {
    for (const date of [
      'Subject: Hello',
      'Date: tomorrow at noon',
      'Date: invoice 7',
      'Date: Tue, 19 Jan 2038 03:14:07 +0000',
    ]) {
      assert.equal(arrived([date], 'date'), NOW, date)
    }
  })

  it('takes a Received field without a readable time for none', () => {
    for (const field of [
      'Received: from a.example.net by mx.example.com',
      received('yesterday'),
      received(''),
      'Received: ',
    ]) {
      assert.equal(arrived([field, DATE]), NOW, field)
      assert.equal(arrived([field, DATE], 'date'), '2025-06-01T11:59:00.000Z', field)
    }
  })

  it('takes a clock that was never set for none: nobody had mail before 1980', () => {
    const epoch = received('Thu, 1 Jan 1970 00:00:00 +0000')
    assert.equal(arrived([epoch, DATE]), NOW)
    assert.equal(arrived([epoch, DATE], 'date'), '2025-06-01T11:59:00.000Z')
    assert.equal(arrived(['Date: Mon, 31 Dec 1979 23:59:59 +0000'], 'date'), NOW)
    assert.equal(arrived([received('Tue, 1 Jan 1980 00:00:00 +0000')]), '1980-01-01T00:00:00.000Z')
  })

  it('looks at no field below the topmost', () => {
    const below = received('Sun, 1 Jun 2025 11:58:00 +0000')
    assert.equal(arrived(['Received: (qmail 4711 invoked by uid 89)', below]), NOW)
  })
})
