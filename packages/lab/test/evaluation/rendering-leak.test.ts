import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { WrittenSample } from '../../corpora/written.ts'
import { renderingLeak } from '../../evaluation/rendering-leak.ts'
import { renderWritten } from '../../rendering/render.ts'
import { WRITTEN } from '../rendering/written-messages.ts'

/** Renderings of one text under many kinds, every second one called spam. */
function samples(ofSpam: (bytes: Uint8Array) => Uint8Array): WrittenSample[] {
  const { SALE, LETTER } = WRITTEN
  return Array.from({ length: 800 }, (_, at): WrittenSample => {
    const message = at % 4 < 2 ? SALE : LETTER
    const spam = at % 2 === 0
    const bytes = renderWritten({ ...message, id: `${at}` }, 0)
    return {
      source: 'written',
      id: `${at}#0`,
      kind: `kind ${at}`,
      bytes: spam ? ofSpam(bytes) : bytes,
      spam,
      messageClass: message.class,
      bulk: message.bulk,
      layout: message.bulk ? 'campaign' : 'personal',
    }
  })
}

describe('renderingLeak', () => {
  it('is near chance where spam is made as ham is', () => {
    const { bulk, personal } = renderingLeak(samples((bytes) => bytes))
    // Four standard errors of an AUC of 200 against 200.
    for (const area of [bulk, personal]) assert.ok(Math.abs(area - 0.5) < 0.12, `${area}`)
  })

  it('finds a header field that only spam has', () => {
    const marked = samples((bytes) => Buffer.concat([Buffer.from('X-Odd: yes\r\n'), bytes]))
    const { bulk, personal } = renderingLeak(marked)
    assert.ok(bulk > 0.99 && personal > 0.99, `${bulk} ${personal}`)
  })
})
