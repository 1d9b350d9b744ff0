/**
 * How messages, senders and domains are named in the log of corrections, and users in what outlives
 * their data (changes, jobs and tombstones): by HMACs under the installation's secret, so that equal
 * ones are found and none can be read back without it.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

type KeyKind = 'message' | 'sender' | 'domain'

export class MessageKeys {
  readonly #secret: Uint8Array

  constructor(secret: Uint8Array) {
    this.#secret = secret
  }

  /** 32 bytes; the same for the same values. */
  keyOf(kind: KeyKind, value: string): Uint8Array {
    return hmacOf(this.#secret, JSON.stringify([kind, value]))
  }

  /** CORRESPONDENT_KEY_BYTES bytes; the same for the same values, of one user only: who else knows an address cannot be seen. */
  correspondentKey(kind: 'address' | 'message', userId: string, value: string): Uint8Array {
    const text = JSON.stringify(['correspondent', kind, userId, value])
    return hmacOf(this.#secret, text).slice(0, CORRESPONDENT_KEY_BYTES)
  }
}

/** Bytes of a correspondent's key: two of 2^64 such keys are equal by chance. */
export const CORRESPONDENT_KEY_BYTES = 16

/** The name of the user. 32 bytes. */
export function userKeyOf(secret: Uint8Array, userId: string): Uint8Array {
  return hmacOf(secret, JSON.stringify(['user', userId]))
}

/** Node takes ten times as long to make a key of bytes as to use it. */
const keys = new WeakMap<Uint8Array, KeyObject>()

/** HMAC-SHA-256 (RFC 2104), 32 bytes. */
function hmacOf(secret: Uint8Array, text: string): Uint8Array {
  let key = keys.get(secret)
  if (key === undefined) {
    key = createSecretKey(secret)
    keys.set(secret, key)
  }
  return new Uint8Array(createHmac('sha256', key).update(text).digest())
}
