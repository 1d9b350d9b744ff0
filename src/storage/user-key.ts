/**
 * How a user is named where the user id must not stand: in changes, jobs and tombstones, which
 * outlive the user's data.
 */
import { createHmac } from 'node:crypto'

/** HMAC-SHA-256 of tenant and user id under the installation's secret (RFC 2104). 32 bytes. */
export function userKeyOf(secret: Uint8Array, tenant: string, userId: string): Uint8Array {
  const key = createHmac('sha256', secret)
    .update(JSON.stringify(['user', tenant, userId]))
    .digest()
  return new Uint8Array(key)
}
