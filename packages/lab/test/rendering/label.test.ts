/** What the label may change in a rendering: whose signature the message carries, and nothing else. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderWritten } from '../../rendering/render.ts'
import type { WrittenMessage } from '../../rendering/written-message.ts'
import { WRITTEN } from './written-messages.ts'

const VARIANTS = 300

function withoutSignatures(message: WrittenMessage, variant: number): string {
  const raw = Buffer.from(renderWritten(message, variant)).toString('latin1')
  return raw.replace(/^DKIM-Signature:.*\r\n(?:[ \t].*\r\n)*/gm, '')
}

function signaturesIn(message: WrittenMessage): number {
  let count = 0
  for (let variant = 0; variant < VARIANTS; variant++) {
    const raw = Buffer.from(renderWritten(message, variant)).toString('latin1')
    count += /^DKIM-Signature:/m.test(raw) ? 1 : 0
  }
  return count
}

describe('the label in a rendering', () => {
  for (const written of Object.values(WRITTEN)) {
    it(`changes nothing in a ${written.id} but its signatures`, () => {
      const differing = Array.from({ length: VARIANTS }, (_, variant) => variant).filter(
        (variant) =>
          withoutSignatures({ ...written, spam: true }, variant) !==
          withoutSignatures({ ...written, spam: false, class: 'updates' }, variant),
      )
      assert.deepEqual(differing, [])
    })
  }

  it('leaves most spam signed', () => {
    const signed = signaturesIn({ ...WRITTEN.LETTER, spam: true }) / VARIANTS
    assert.ok(signed > 0.8, `${signed}`)
  })

  it('lets some mail from free-mail addresses come from elsewhere, and more of the spam', () => {
    const letter = { ...WRITTEN.LETTER, from_addr: 'nora.quist@gmail.example' }
    const elsewhere = (spam: boolean) =>
      Array.from({ length: 1000 }, (_, variant) =>
        Buffer.from(renderWritten({ ...letter, spam }, variant)).toString('latin1'),
      ).filter((raw) => !/google\.com/.test(raw) && !/X-Mailer: PHPMailer/.test(raw)).length
    assert.ok(elsewhere(true) > elsewhere(false))
    assert.ok(elsewhere(true) < 250, `${elsewhere(true)} of 1000`)
  })
})
