/**
 * DKIM-Signature fields (RFC 6376 §3.5) in the name of the sender, of the service, or of neither.
 * They are filled with random characters: nothing in training verifies them.
 *
 * The one place where a rendering looks at the label, since here real spam differs in the making
 * and not only in what it says.
 */
import type { Dice } from './dice.ts'
import { fill } from './pattern.ts'

/**
 * How often, by label, a sender who could sign for the From domain does not. Spam that passes
 * authentication does so for its own throw-away domain, as most of it does; some is misaligned or
 * unsigned, since the domain in From is somebody else's. Kept modest: in most mail the signature
 * tells nothing.
 */
export const OWN_SIGNATURE_MISSING = { ham: 0.08, spam: 0.15 } as const

/**
 * How often, by label, mail from a free-mail address did not come from that provider: forged, or
 * sent through somebody's own server.
 */
export const FREE_MAIL_SENT_ELSEWHERE = { ham: 0.02, spam: 0.08 } as const

export function labelOf(spam: boolean): 'ham' | 'spam' {
  return spam ? 'spam' : 'ham'
}

/** Fields that signers cover, one habit each. */
const SIGNED_FIELDS = [
  'from:to:subject:date:message-id:mime-version:content-type',
  'From:To:Subject:Date:MIME-Version:Content-Type:Reply-To:Message-ID',
  'mime-version:from:date:message-id:subject:to:content-type:reply-to',
  'content-type:from:mime-version:subject:reply-to:to:cc:content-type:from:subject:to',
  'Date:From:To:Subject:List-Unsubscribe:From',
]

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
