/**
 * Hostile structure is read within its limits. What it costs is the matter of fuzz/bombs, and that any bytes end in the same
 * Message each time that of fuzz.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DEPTH_MAX, PARTS_MAX } from '../../message/limits.ts'
import type { Message } from '../../message/message.ts'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'
import { BOMBS, bombOf } from '../fuzz/bombs/bombs.ts'
import { signedData, streamedSignedData, tnef } from '../helpers/containers.ts'

/** Enough to reach the limits of parts, depth and fields. */
const BOMB_BYTES = 12 * 1024

function parse(source: string | Uint8Array): Message {
  return parseMessage(
    memoryOctets(typeof source === 'string' ? Buffer.from(source, 'latin1') : source),
  )
}

describe('hostile structure', () => {
  it('is read within the limits of parts and depth, whatever the bomb', () => {
    for (const name of BOMBS.keys()) {
      const { parts } = parse(bombOf(name, BOMB_BYTES))
      assert.ok(parts.length <= PARTS_MAX, name)
      assert.ok(
        parts.every(({ depth }) => depth <= DEPTH_MAX),
        name,
      )
    }
  })

  it('opens signed messages and files of Outlook in each other within them', () => {
    const signed = Array.from({ length: 14 }).reduce<string>(
      (inner) =>
        `Content-Type: application/pkcs7-mime\nContent-Transfer-Encoding: base64\n\n${signedData(inner).toString('base64')}`,
      'Content-Type: text/plain\n\nx',
    )
    const outlook = tnef(...Array(80_000).fill([0x0002800c, Buffer.alloc(0)]))
    for (const source of [
      signed,
      `Content-Type: application/pkcs7-mime\n\n${streamedSignedData('a'.repeat(300_000), 1).toString('latin1')}`,
      `Content-Type: application/ms-tnef\n\n${outlook.toString('latin1')}`,
    ]) {
      const { parts } = parse(source)
      assert.ok(parts.length <= PARTS_MAX && parts.every(({ depth }) => depth <= DEPTH_MAX))
    }
  })
})
