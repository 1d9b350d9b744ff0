/**
 * DKIM-Signature fields (RFC 6376 §3.5) in the name of the sender, of the service, or of neither.
 * They are filled with random characters: nothing in training verifies them. Who forges an address
 * cannot sign for it.
 */
import type { Dice } from './dice.ts'
import { fill } from './pattern.ts'
import { drawsOf } from './templates.ts'

/** Of mail with a forged From, what is signed in the name of whoever sends it: it is not aligned. */
export const FORGED_SIGNED_SHARE = 0.35

/** Fields that signers cover, one habit each. */
const SIGNED_FIELDS = drawsOf<readonly string[]>('signed fields')

const CANONICALISATIONS = ['relaxed/relaxed', 'relaxed/relaxed', 'relaxed/simple']

/** A third of signers say until when the signature holds. Seven days is usual. */
const EXPIRY_SHARE = 0.3
const EXPIRY_SECONDS = 7 * 24 * 3600

/** The body of a DKIM-Signature field for `domain`. */
export function signature(domain: string, selector: string, sentAt: Date, dice: Dice): string {
  const epoch = Math.floor(sentAt.getTime() / 1000)
  const times = dice.chance(EXPIRY_SHARE) ? ` t=${epoch}; x=${epoch + EXPIRY_SECONDS};` : ''
  const tags = `v=1; a=rsa-sha256; c=${dice.pick(CANONICALISATIONS)}; d=${domain}; s=${selector};${times}`
  const signed = `h=${dice.pick(SIGNED_FIELDS)}; bh={base64:43}=;`
  const value = 'b={base64:66} {base64:72} {base64:72} {base64:72} {base64:58}=='
  return fill(`${tags} ${signed} ${value}`, {}, dice)!
}
