/**
 * How a user is named where the user id must not stand: in changes, jobs and tombstones, which
 * outlive the user's data.
 */
import { hmacOf } from './hmac.ts'

/** HMAC of tenant and user id under the installation's secret. 32 bytes. */
export function userKeyOf(secret: Uint8Array, tenant: string, userId: string): Uint8Array {
  return hmacOf(secret, JSON.stringify(['user', tenant, userId]))
}
