/** HMAC-SHA-256 (RFC 2104) under the secret of the installation. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/** Node takes ten times as long to make a key of bytes as to use it. */
const keys = new WeakMap<Uint8Array, KeyObject>()

/** 32 bytes. */
export function hmacOf(secret: Uint8Array, text: string): Uint8Array {
  let key = keys.get(secret)
  if (key === undefined) {
    key = createSecretKey(secret)
    keys.set(secret, key)
  }
  return new Uint8Array(createHmac('sha256', key).update(text).digest())
}
