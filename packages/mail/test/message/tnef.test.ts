import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { tnefFiles } from '../../message/tnef.ts'
import { mapiProperties, tnef } from '../helpers/containers.ts'

const BODY = 0x0002800c
const PROPERTIES = 0x00069003
const CODE_PAGE = 0x00069007
const TITLE = 0x00018010
const DATA = 0x0006800f

const STRING = 0x1e
const UNICODE = 0x1f
const BINARY = 0x102

function read(...attributes: readonly (readonly [number, Uint8Array])[]): string[] {
  return tnefFiles(tnef(...attributes)).map(({ type, charset, fileName, bytes }) =>
    [type, charset, fileName, bytes.toString('latin1')].join('|'),
  )
}

describe('tnefFiles', () => {
  it('gives the text, in the code page that is named', () => {
    const codePage = Buffer.from([0xe3, 0x04, 0, 0, 0, 0, 0, 0])
    assert.deepEqual(read([CODE_PAGE, codePage], [BODY, Buffer.from('Hello\0')]), [
      'text/plain|windows-1251||Hello',
    ])
  })
  it('gives text and HTML among the properties, past those it does not know', () => {
    const properties = mapiProperties(
      [STRING, 0x0037, Buffer.from('Subject\0')],
      [UNICODE, 0x1000, Buffer.from('Hi\0', 'utf16le')],
      [BINARY, 0x1009, Buffer.from('compressed RTF')],
      [BINARY, 0x1013, Buffer.from('<p>Hi</p>')],
    )
    assert.deepEqual(read([PROPERTIES, properties]), [
      'text/plain|utf-16le||H\0i\0',
      'text/html|||<p>Hi</p>',
    ])
  })
  it('gives attachments by their titles', () => {
    const title = Buffer.from('setup.exe\0')
    assert.deepEqual(read([TITLE, title], [DATA, Buffer.from('MZ')]), [
      'application/octet-stream||setup.exe|MZ',
    ])
  })
  it('gives what is there of a file that is cut off', () => {
    const cut = tnef([BODY, Buffer.from('Hello there')]).subarray(0, 20)
    assert.deepEqual(
      tnefFiles(cut).map(({ bytes }) => bytes.toString()),
      ['Hello'],
    )
  })
  it('gives nothing for other bytes', () => {
    assert.deepEqual(tnefFiles(Buffer.from('Hello')), [])
  })
  it('ends, whatever the bytes are', () => {
    const file = tnef([
      PROPERTIES,
      mapiProperties(
        [UNICODE, 0x1000, Buffer.from('Hi', 'utf16le')],
        [BINARY, 0x8001, Buffer.of(1)],
      ),
    ])
    fc.assert(
      fc.property(fc.integer({ min: 6, max: file.length - 1 }), fc.uint8Array(), (at, change) => {
        const changed = Buffer.from(file)
        changed.set(change.slice(0, changed.length - at), at)
        assert.ok(tnefFiles(changed).length < 100)
      }),
    )
  })
})
