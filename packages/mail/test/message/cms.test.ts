import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { signedContent } from '../../message/cms.ts'
import { der, signedData, streamedSignedData } from '../helpers/containers.ts'

const ENTITY = 'Content-Type: text/plain\r\n\r\nThe contract is attached.\r\n'

describe('signedContent', () => {
  it('is what is signed', () => {
    assert.equal(signedContent(signedData(ENTITY))?.toString(), ENTITY)
  })
  it('is put together where it is in pieces and no length is stated', () => {
    assert.equal(signedContent(streamedSignedData(ENTITY))?.toString(), ENTITY)
  })
  it('goes as far as the bytes do', () => {
    const whole = signedData(ENTITY.repeat(10))
    const cut = signedContent(whole.subarray(0, 300))!.toString()
    assert.ok(cut.length > 200 && ENTITY.repeat(10).startsWith(cut))
  })
  it('is found in a structure that is damaged, up to what is no text', () => {
    const damaged = Buffer.concat([
      Buffer.from('3082060900', 'hex'),
      Buffer.from(`${ENTITY}\0\x82`),
    ])
    assert.equal(signedContent(damaged)?.toString(), ENTITY)
  })
  it('is nothing where the data is encrypted, or nothing is in it', () => {
    const enveloped = der(0x30, der(0x06, Buffer.from('2a864886f70d010703', 'hex')))
    assert.equal(signedContent(enveloped), undefined)
    assert.equal(signedContent(Buffer.from([...Array(256).keys()])), undefined)
    assert.equal(signedContent(Buffer.alloc(0)), undefined)
  })
  it('is bytes or nothing, whatever the bytes are', () => {
    const prefix = streamedSignedData(ENTITY)
    fc.assert(
      fc.property(fc.nat(prefix.length - 1), fc.uint8Array({ maxLength: 8 }), (at, change) => {
        const changed = Buffer.from(prefix)
        changed.set(change.slice(0, changed.length - at), at)
        const content = signedContent(changed)
        assert.ok(content === undefined || content.length <= changed.length)
      }),
    )
  })
})
