/**
 * Which kind of mail a written message is, as far as its making goes. By what it says and never
 * by its label: a forged bank notice is laid out as a bank notice.
 */
import type { WrittenMessage } from './written-message.ts'

/**
 * `personal`: one person writes, in a mail program. `notice`: a system tells one reader something
 * (order, sign-in, bill). `campaign`: an issue or an offer goes to a list of readers. `list`:
 * plain text through a mailing list. `bounce`: a mail system reports.
 */
export type Layout = 'personal' | 'notice' | 'campaign' | 'list' | 'bounce'

const LIST_KIND = /\bmailing list\b|\badvisory list\b|\bpatch review\b|\boss technical\b/
const BOUNCE_KIND = /^bounce\b/

/** Addresses from which machines write. */
const MACHINE_ADDRESS =
  /no-?reply|^(?:notif|alert|service|secur|account|support|order|receipt|invoice|billing|payment|confirm|booking|reserv|statement|update|admin|helpdesk|automated|customer|delivery|tracking|verify|news|reminder|notice|system|rechnung|konto|kunden)/i

/** A button, a picture, a table or a heading, on a line of its own. */
const DESIGNED = /^(?:\*\*)?\[[^\]]+\]\([^)]+\)(?:\*\*)?$|^!\[|^\|.*\|$|^#{1,4} /m

const UNSUBSCRIBE =
  /unsub|opt.?out|abmelden|abbestell|désabonn|désinscri|darse de baja|descadastr|disiscri|afmelden|uitschrijv|wypis|отпис|配信停止|退订|退訂|abonelikten|avregistrera/i

const SELLING =
  /%|\b(?:off|free|sale|save|deals?|offers?|gift|bonus|claim|join|shop|buy|discount|coupon|gratis|rabatt|promo\w*|oferta|angebot|soldes?|remise|sconto)\b|скид|indirim|aanbied|erbjud|特典|优惠/gi

/** Words of selling from which on a message sells. One is in many a bill. */
const SELLING_MIN = 2

export function layoutOf(message: WrittenMessage): Layout {
  if (BOUNCE_KIND.test(message.kind)) return 'bounce'
  if (LIST_KIND.test(message.kind)) return 'list'
  if (!message.bulk) {
    const isMachine = MACHINE_ADDRESS.test(message.from_addr) || DESIGNED.test(message.body)
    return isMachine ? 'notice' : 'personal'
  }
  const text = `${message.subject}\n${message.body}`
  const isSelling = (text.match(SELLING)?.length ?? 0) >= SELLING_MIN
  return isSelling || UNSUBSCRIBE.test(message.body) ? 'campaign' : 'notice'
}

/** True where the text itself says how to leave the list. */
export function saysUnsubscribe(body: string): boolean {
  return UNSUBSCRIBE.test(body)
}

/**
 * How spam is made otherwise than ham: the one place where a rendering looks at the label. Shares
 * are after the real mail of today in the corpora (household_2025, lists, finds), less far apart than
 * there, so that no habit by itself decides.
 */

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

/**
 * How often, by label, mail to many comes from a sender's own server and not through a service. Of
 * the modern spam in the corpora (household_2025, lists, finds) 1 to 3 in a hundred have the
 * Message-ID of a service, of the promotions and updates there 8 to 62. Kept well below that
 * difference: spam does come through services.
 */
export const OWN_SERVER_SHARE = { ham: 0.15, spam: 0.5 } as const

/**
 * How often, by label, links are not encrypted: in 51, 9 and 3 of a hundred of that spam, in none to
 * 8 of that ham.
 */
export const UNENCRYPTED_SHARE = { ham: 0.02, spam: 0.15 } as const

/**
 * How often, by label, a person's letter goes to readers it does not name: 4, 63 and 3 of a hundred
 * of that spam, and none of that ham, do.
 */
export const UNDISCLOSED_SHARE = { ham: 0.01, spam: 0.1 } as const

export function labelOf(spam: boolean): 'ham' | 'spam' {
  return spam ? 'spam' : 'ham'
}
