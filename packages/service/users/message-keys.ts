/**
 * How messages, senders and domains are named in the log of corrections: by HMACs under the
 * installation's secret, so that equal ones are found and none can be read back without it.
 */
import { hmacOf } from './hmac.ts'

type KeyKind = 'message' | 'sender' | 'domain'

export class MessageKeys {
  readonly #secret: Uint8Array

  constructor(secret: Uint8Array) {
    this.#secret = secret
  }

  /** 32 bytes; the same for the same values, of one tenant only (RFC 2104, SHA-256). */
  keyOf(kind: KeyKind, tenant: string, value: string): Uint8Array {
    return hmacOf(this.#secret, JSON.stringify([kind, tenant, value]))
  }
}
