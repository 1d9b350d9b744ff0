/**
 * Names under the secret of the installation: of messages, senders and domains in the log, and of
 * users where no id may stand. Whoever reads one tenant's must not be able to tell that another
 * tenant has the same message, sender or user.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { MessageKeys, userKeyOf } from '../../users/message-keys.ts'

const SECRET = new Uint8Array(32).fill(7)
const keys = new MessageKeys(SECRET)

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** RFC 2104 with SHA-256, by Node's own. */
const hmac = (text: string) => createHmac('sha256', SECRET).update(text).digest('hex')

describe('the key of a message, sender or domain', () => {
  it('is the HMAC of what it is, whose it is, and its value', () => {
    for (const kind of ['message', 'sender', 'domain'] as const) {
      const key = keys.keyOf(kind, 'a', '<4711@example.com>')
      assert.equal(hex(key), hmac(`["${kind}","a","<4711@example.com>"]`))
    }
  })

  it('is another for another tenant, kind, value or installation', () => {
    const all = [
      keys.keyOf('message', 'a', 'x@example.com'),
      keys.keyOf('message', 'b', 'x@example.com'),
      keys.keyOf('sender', 'a', 'x@example.com'),
      keys.keyOf('message', 'a', 'y@example.com'),
      new MessageKeys(new Uint8Array(32).fill(8)).keyOf('message', 'a', 'x@example.com'),
    ]
    assert.equal(new Set(all.map(hex)).size, all.length)
  })

  it('is no other when a tenant ends where the value begins, or holds what separates them', () => {
    const pairs = [
      ['a', 'bc'],
      ['ab', 'c'],
      ['a","b', 'c'],
      ['a', 'b","c'],
    ] as const
    const all = pairs.map(([tenant, value]) => hex(keys.keyOf('message', tenant, value)))
    assert.equal(new Set(all).size, pairs.length)
  })
})

describe('the key of a correspondent', () => {
  it('is the first 16 bytes of the HMAC of what it is, whose it is, and its value', () => {
    for (const kind of ['address', 'message'] as const) {
      const key = keys.correspondentKey(kind, 'a', 'ann', 'bob@example.net')
      const whole = hmac(`["correspondent","${kind}","a","ann","bob@example.net"]`)
      assert.equal(hex(key), whole.slice(0, 32))
    }
  })
})

describe('the key of a user', () => {
  it('is the HMAC of tenant and user id, and another for another tenant', () => {
    assert.equal(hex(userKeyOf(SECRET, 'a', 'ann')), hmac('["user","a","ann"]'))
    assert.notEqual(hex(userKeyOf(SECRET, 'b', 'ann')), hex(userKeyOf(SECRET, 'a', 'ann')))
  })

  it('is never that of a message, sender or domain', () => {
    for (const kind of ['message', 'sender', 'domain'] as const) {
      assert.notEqual(hex(keys.keyOf(kind, 'a', 'ann')), hex(userKeyOf(SECRET, 'a', 'ann')))
    }
  })
})
