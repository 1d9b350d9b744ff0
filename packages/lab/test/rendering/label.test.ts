/** What the label may change in a rendering: the habits of layout.ts, by shares, and nothing else. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderWritten } from '../../rendering/render.ts'
import type { WrittenMessage } from '../../rendering/written-message.ts'
import { WRITTEN } from './written-messages.ts'

function renderings(message: WrittenMessage): string[] {
  return Array.from({ length: 100 }, (_, variant) =>
    Buffer.from(renderWritten(message, variant)).toString('latin1'),
  )
}

/** A mail server of its own, in place of a service: no program of a service's names itself. */
const OWN_SERVER = /^Message-ID: <(?:[a-z0-9]{24}\.\d{10}|[A-Z0-9]{12}\.\d{8})@/m

const LINKED = { ...WRITTEN.LETTER, body: 'See [this](https://quay-lamps.com/a).' }

/** In how many of a hundred renderings something is seen: at least and at most. */
const HABITS: readonly (readonly [
  name: string,
  of: WrittenMessage,
  sign: RegExp,
  spam: readonly [number, number],
  ham: readonly [number, number],
])[] = [
  ['comes from a server of its own', WRITTEN.SALE, OWN_SERVER, [35, 60], [5, 25]],
  ['has links that are not encrypted', LINKED, /http:\/\/quay-lamps\.com/, [5, 30], [0, 6]],
  ['names no reader', WRITTEN.LETTER, /^To: undisclosed-recipients:;/m, [4, 20], [0, 4]],
]

describe('the label in a rendering', () => {
  it('changes nothing in a post or a bounce', () => {
    for (const written of [WRITTEN.POST, WRITTEN.BOUNCE]) {
      const ham = renderings({ ...written, spam: false, class: 'promotions' })
      assert.deepEqual(renderings({ ...written, spam: true }), ham)
    }
  })

  for (const [name, message, sign, ...shares] of HABITS) {
    it(`decides how often a message ${name}`, () => {
      shares.forEach(([least, most], i) => {
        const seen = renderings({ ...message, spam: i === 0 }).filter((raw) => sign.test(raw))
        assert.ok(seen.length >= least && seen.length <= most, `${seen.length}`)
      })
    })
  }
})
