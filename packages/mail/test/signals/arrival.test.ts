/** When a message arrived, by its topmost Received field, by its Date, and by the clock. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { arrivalOf } from '../../signals/received.ts'
import { parsed } from '../helpers/parsed.ts'

const NOW = '2026-11-20T12:00:00.000Z'
const DATE = 'Date: Sun, 1 Jun 2025 11:59:00 +0000'
const DATED = '2025-06-01T11:59:00.000Z'

const received = (date: string) => `Received: from a.example.net by mx.example.com; ${date}`
const EPOCH = received('Thu, 1 Jan 1970 00:00:00 +0000')
const NOON = received('Sun, 1 Jun 2025 14:00:05 +0200 (CEST)')

describe('arrivalOf', () => {
  /** What tells it; the fields; the arrival of mail that has just come, and of mail of a folder. */
  // biome-ignore format: a row each
  const CASES: readonly (readonly [what: string, fields: readonly string[], just: string, folder: string])[] = [
    ['the topmost Received field', [NOON, received('Sun, 1 Jun 2025 11:58:00 +0000'), DATE], '2025-06-01T12:00:05.000Z', '2025-06-01T12:00:05.000Z'],
    ['no Received field of a day to come', [received('Fri, 20 Nov 2026 12:00:01 +0000'), DATE], NOW, NOW],
    ['a Received field of a second ago', [received('Fri, 20 Nov 2026 11:59:59 +0000')], '2026-11-20T11:59:59.000Z', '2026-11-20T11:59:59.000Z'],
    ['the Date, where that is asked for', [DATE], NOW, DATED],
    ['no Date that is absent', ['Subject: Hello'], NOW, NOW],
    ['no Date that is unreadable', ['Date: invoice 7'], NOW, NOW],
    ['no Date of a day to come', ['Date: Tue, 19 Jan 2038 03:14:07 +0000'], NOW, NOW],
    ['no Received field without a time', ['Received: from a.example.net by mx.example.com', DATE], NOW, DATED],
    ['no Received field with an unreadable time', [received('yesterday'), DATE], NOW, DATED],
    ['no clock that was never set', [EPOCH, DATE], NOW, DATED],
    ['no Date before there was mail', ['Date: Mon, 31 Dec 1979 23:59:59 +0000'], NOW, NOW],
    ['the first day on which there was mail', [received('Tue, 1 Jan 1980 00:00:00 +0000')], '1980-01-01T00:00:00.000Z', '1980-01-01T00:00:00.000Z'],
    ['no field below the topmost', ['Received: (qmail 4711 invoked by uid 89)', NOON], NOW, NOW],
  ]
  for (const [what, fields, just, folder] of CASES) {
    it(`goes by ${what}`, () => {
      const message = parsed(`${fields.join('\r\n')}\r\n\r\nHello\r\n`)
      const now = new Date(NOW)
      assert.equal(arrivalOf(message, { now }).toISOString(), just)
      assert.equal(arrivalOf(message, { now, arrivalFallback: 'date' }).toISOString(), folder)
    })
  }
})
