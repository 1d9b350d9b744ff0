/** What the label may change in a rendering: the habits of layout.ts, by shares, and nothing else. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderWritten } from '../../rendering/render.ts'
import type { WrittenMessage } from '../../rendering/written-message.ts'
import { WRITTEN } from './written-messages.ts'

const VARIANTS = 100

/** The sender's own mail server, in place of a service: no program of a service's names itself. */
const OWN_SERVER = /^Message-ID: <(?:[a-z0-9]{24}\.\d{10}|[A-Z0-9]{12}\.\d{8})@/m

function shareOf(message: WrittenMessage, is: (raw: string) => boolean): number {
  const raw = Array.from({ length: VARIANTS }, (_, variant) =>
    Buffer.from(renderWritten(message, variant)).toString('latin1'),
  )
  return raw.filter(is).length / VARIANTS
}

describe('the label in a rendering', () => {
  for (const written of [WRITTEN.POST, WRITTEN.BOUNCE]) {
    it(`changes nothing in a ${written.id}`, () => {
      const differing = Array.from({ length: VARIANTS }, (_, variant) => variant).filter(
        (variant) =>
          Buffer.compare(
            renderWritten({ ...written, spam: true }, variant),
            renderWritten({ ...written, spam: false, class: 'promotions' }, variant),
          ) !== 0,
      )
      assert.deepEqual(differing, [])
    })
  }

  it('lets more spam come from servers of its own, and some ham', () => {
    const own = (spam: boolean) => shareOf({ ...WRITTEN.SALE, spam }, (raw) => OWN_SERVER.test(raw))
    assert.ok(own(true) > 0.35 && own(true) < 0.6, `${own(true)}`)
    assert.ok(own(false) > 0.05 && own(false) < 0.25, `${own(false)}`)
  })

  it('leaves most links of spam encrypted, and nearly all of ham', () => {
    const plain = { ...WRITTEN.LETTER, body: 'See [this](https://quay-lamps.com/a).' }
    const open = (spam: boolean) =>
      shareOf({ ...plain, spam }, (raw) => raw.includes('http://quay-lamps.com'))
    assert.ok(open(true) > 0.05 && open(true) < 0.3, `${open(true)}`)
    assert.ok(open(false) < 0.06, `${open(false)}`)
  })

  it('lets some spam in letters name no reader', () => {
    const undisclosed = (spam: boolean) =>
      shareOf({ ...WRITTEN.LETTER, spam }, (raw) => /^To: undisclosed-recipients:;/m.test(raw))
    assert.ok(undisclosed(true) > 0.04 && undisclosed(true) < 0.2, `${undisclosed(true)}`)
    assert.ok(undisclosed(false) < 0.04, `${undisclosed(false)}`)
  })
})
