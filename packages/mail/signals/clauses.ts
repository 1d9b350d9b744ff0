/**
 * Signals as short clauses, which read on after a colon: those that weigh most in the models, or are met
 * most often. Other signals are told by their description.
 *
 * What a sender writes about itself is a claim, and is told as one.
 */
import type { SignalName } from './signals.ts'

/** Whether somebody vouches for the sender; `unproved` where that was checked, and nothing does. */
export type SenderStanding = 'proved' | 'unproved' | 'unchecked'

/** What is claimed of the sender, for want of its domain. */
const CLAIMED: Readonly<Partial<Record<SignalName, string>>> = {
  DKIM_ALIGNED: 'the domain in From',
  FROM_FREE_MAIL: 'a free-mail provider',
  FROM_NAME_OWN_BRAND: 'a well-known company',
  KNOWN_FROM: 'a well-known domain',
  KNOWN_FROM_SIGNED: 'a well-known domain',
}

/** Longest domain that is named in a clause: honest ones are shorter. */
const DOMAIN_LENGTH_MAX = 60

const SIGNAL_CLAUSES: Readonly<Partial<Record<SignalName, string>>> = {
  DATE_IN_FUTURE: 'the date is in the future',
  DATE_IN_PAST: 'the date is days old',
  DATE_MISSING: 'there is no date',
  DATE_ZONE_IMPOSSIBLE: 'the date has an impossible time zone',
  DATE_ZONE_UNKNOWN: 'the date has an unknown time zone',
  DATE_UNREADABLE: 'its date cannot be read',
  FROM_ADDRESS_DIGITS: "the sender's address is full of digits",
  FROM_ADDRESS_RANDOM: "the sender's address looks random",
  FROM_DOMAIN_HOLDS_BRAND: "the sender's domain contains the name of a company",
  FROM_DOMAIN_LOOKS_ASCII: "the sender's domain is written in look-alike letters",
  FROM_DOMAIN_LOOKS_LIKE_BRAND: "the sender's domain imitates that of a company",
  FROM_DOMAIN_NEAR_BRAND: "the sender's domain is nearly that of a company",
  FROM_FREE_MAIL_AS_RECIPIENT: "the sender's name is that of the recipient's organisation",
  FROM_FREE_MAIL_EXECUTIVE: 'the head of an organisation writes from a free-mail address',
  FROM_FREE_MAIL_UNSIGNED: 'the sender claims a free-mail address without its signature',
  FROM_NAME_CAPITALS: "the sender's name is in capitals",
  FROM_NAME_EMOJI: "the sender's name has an emoji",
  FROM_NAME_INVISIBLE: "the sender's name has invisible characters",
  FROM_NAME_LOOKS_LIKE_BRAND: "the sender's name imitates that of a company",
  FROM_NAME_MISSING: 'the sender gives no name',
  FROM_NAME_OTHER_ADDRESS: "the sender's name shows another address",
  FROM_NAME_OTHER_BRAND: "the sender's name is a company's, but the address is not",
  FROM_NAME_OTHER_DOMAIN: "the sender's name shows somebody else's domain",
  FROM_NAME_SCRIPTS_MIXED: "the sender's name mixes look-alike alphabets",
  FROM_NO_REPLY: "the sender's address accepts no replies",
  FROM_OWN_DOMAIN_OUTSIDE: "it claims the recipient's own domain, and comes from outside",
  FROM_ROLE: 'the sender is a role address, not a person',
  FROM_SUBDOMAIN: "the sender's address is at a subdomain",
  FROM_TOP_LEVEL_CHEAP: "the sender's domain has a very cheap ending",
  FROM_NAME_STYLED: "the sender's name is in fancy letters",
  FROM_DOMAIN_INVALID: "the sender's domain cannot exist",
  REPLY_TO_FREE_MAIL: 'replies go to a free-mail address',
  REPLY_TO_LOOKS_LIKE_FROM: "replies go to a look-alike of the sender's domain",
  REPLY_TO_OTHER_DOMAIN: 'replies go to another domain',
  REPLY_TO_OTHER_DOMAIN_SIGNED: 'replies go to another domain',
  REPLY_TO_OTHER_FREE_MAIL: 'replies go to another free-mail address',
  REPLY_TO_SAME: 'replies go to the sender',
  RECIPIENTS_BCC_FIELD: 'a Bcc field was left in',
  RECIPIENTS_CC: 'others get a copy',
  RECIPIENTS_MANY: 'it went to ten people or more',
  RECIPIENTS_NAME_MISSING: 'the only recipient is given without a name',
  RECIPIENTS_NONE: 'no recipient is named',
  RECIPIENTS_TO_IS_FROM: 'it is addressed to its own sender',
  RECIPIENTS_UNDISCLOSED: 'the recipients are hidden',
  RECIPIENTS_NAME_IS_ADDRESS: 'the recipient is named by the address only',
  RECIPIENTS_TO_UNREADABLE: 'its recipients cannot be read',
  SUBJECT_ALL_CAPITALS: 'the subject is in capitals',
  SUBJECT_CURRENCY: 'the subject mentions money',
  SUBJECT_EMOJI: 'the subject has an emoji',
  SUBJECT_EMPTY: 'the subject is empty',
  SUBJECT_EXCLAMATIONS: 'the subject has several exclamation marks',
  SUBJECT_FORWARD: 'it forwards another message',
  SUBJECT_GAP: 'the subject has a long gap',
  SUBJECT_GAPPY: 'a word of the subject is broken up by symbols',
  SUBJECT_INVISIBLE: 'the subject has invisible characters',
  SUBJECT_LINK: 'the subject has a web address',
  SUBJECT_LONG: 'the subject is very long',
  SUBJECT_MISSING: 'there is no subject',
  SUBJECT_NUMBER: 'the subject has an order or ticket number',
  SUBJECT_REPLY: 'its subject is that of a reply',
  SUBJECT_REPLY_UNREFERENCED: 'the subject claims to be a reply',
  SUBJECT_FORWARD_UNREFERENCED: 'the subject claims to be forwarded',
  SUBJECT_SCRIPTS_MIXED: 'the subject mixes look-alike alphabets',
  SUBJECT_TAG: 'the subject has a tag, as lists put it',
  SUBJECT_STYLED: 'the subject is in fancy letters',
  SUBJECT_ADDRESS: 'the subject has an email address',
  SUBJECT_PERCENT: 'the subject has a percentage',
  SUBJECT_RAW_8BIT: 'the subject is encoded wrongly',
  MESSAGE_ID_LEFT_SHORT: 'the Message-ID is short',
  MESSAGE_ID_MALFORMED: 'the Message-ID is malformed',
  MESSAGE_ID_NO_AT: 'the Message-ID is malformed',
  MESSAGE_ID_MISSING: 'the sender gave it no Message-ID',
  MESSAGE_ID_RIGHT_LOCAL: 'the Message-ID names no real host',
  RECEIVED_ONE_HOP: 'it came through only one server',
  RECEIVED_HELO_DYNAMIC: 'it came from a home connection or a rented server',
  MAILER_LIBRARY: 'it names a program for scripts as its sender',
  MAILER_OBSOLETE: 'the sending program is long outdated',
  MAILER_PERSONAL: 'it names an ordinary mail program',
  MAILER_PHP_SCRIPT: "a web server's script sent it",
  PRIORITY_HIGH: 'it is marked as important',
  PRIORITY_LOW: 'it is marked as unimportant',
  RECEIPT_REQUESTED: 'it asks for a receipt',
  LIST_HELP: 'it says where its list gives help',
  LIST_ID: 'it says which list it is from',
  LIST_POST: 'it says where to post to its list',
  LIST_UNSUBSCRIBE: 'it says how to unsubscribe',
  LIST_ONE_CLICK: 'it offers one-click unsubscribe',
  LIST_UNSUBSCRIBE_OTHER_DOMAIN: 'unsubscribing leads to another domain',
  LIST_UNSUBSCRIBE_OWN_DOMAIN: "unsubscribing leads to the sender's domain",
  LIST_COMPLAINT_FIELD: 'it says where to complain',
  LIST_ARCHIVE: 'it says where its list is archived',
  LIST_UNSUBSCRIBE_UNREADABLE: 'its way to unsubscribe cannot be read',
  AUTO_GENERATED: 'it says that no person sent it',
  AUTO_REPLIED: 'it says that it is an automatic reply',
  AUTO_REPLY: 'it is an automatic reply',
  DELIVERY_STATUS: 'it reports on a delivery',
  DKIM_EXPIRED: 'its signature had expired',
  DKIM_NONE: 'it is not signed',
  DKIM_OTHER_DOMAIN: 'it claims a signature of an unrelated domain only',
  DKIM_SHA1: 'its signature uses an outdated method',
  DKIM_BODY_LENGTH: 'its signature leaves out a part of the body',
  DKIM_FIELDS_UNSIGNED: 'its signature leaves out the sender or the subject',
  MIME_BODY_EMPTY: 'it is empty',
  MIME_MULTIPART_ENCODED: 'its parts are encoded in a forbidden way',
  MIME_HTML_ONLY: 'it has no plain text',
  MIME_IMAGE_ONLY: 'it is pictures with hardly any text',
  MIME_NESTED_MESSAGE: 'it contains another message',
  MIME_PLAIN_ONLY: 'it is plain text',
  MIME_SIGNED: 'it has a signature of its author',
  MIME_TINY_WITH_LINK: 'it is a link with hardly any text',
  MIME_BASE64_ASCII: 'it hides plain text in base64',
  MIME_CHARSET_MISMATCH: 'the text is not in the character set that it names',
  MIME_ALTERNATIVES_DIFFER: 'its plain text says something else than its page',
  HTML_FORM: 'it has a form to fill in',
  HTML_FORM_PASSWORD: 'a form asks for a password',
  HTML_HIDDEN_COLOUR: 'text is hidden in the colour of its background',
  HTML_HIDDEN_DISPLAY: 'text is hidden',
  HTML_HIDDEN_MOST: 'most of its text is hidden',
  HTML_HIDDEN_OPACITY: 'text is hidden by being transparent',
  HTML_HIDDEN_POSITION: 'text is hidden outside the page',
  HTML_HIDDEN_SIZE: 'text is hidden by its size',
  HTML_SCRIPT: 'it has a script',
  HTML_TRACKING_PIXEL: 'a tiny picture reports who opens it',
  HTML_EVENT_HANDLER: 'something happens when it is opened or clicked',
  HTML_UNKNOWN_TAGS: 'its markup has elements that do not exist',
  WORDS_CAPITALS: 'much of the text is in capitals',
  WORDS_EMOJI: 'the text has several emoji',
  WORDS_EXCLAMATIONS: 'the text has many exclamation marks',
  WORDS_GAPPY: 'a word is broken up by symbols',
  WORDS_INVISIBLE: 'words have invisible characters',
  WORDS_MANY_EXCLAMATIONS: 'the text is full of exclamation marks',
  WORDS_SCRIPTS_MIXED: 'words mix look-alike alphabets',
  WORDS_STYLED: 'the text is in fancy letters',
  LINK_AUTHORITY_DISGUISED: 'a link disguises its address',
  LINK_DATA: 'a link contains its whole page',
  LINK_DOWNLOAD: 'a link leads to a program or an archive',
  LINK_FREE_HOSTING: 'a link leads to a free web host',
  LINK_HOLDS_BRAND: 'a link contains the name of a company',
  LINK_IP_HOST: 'a link leads to a bare IP address',
  LINK_LOOKS_ASCII: 'a link is written in look-alike letters',
  LINK_LOOKS_LIKE_BRAND: 'a link imitates the domain of a company',
  LINK_NEAR_BRAND: "a link's domain is nearly that of a company",
  LINK_NONE: 'it has no link',
  LINK_NONE_OWN_DOMAIN: "no link leads to the sender's domain",
  LINK_ALL_OWN_DOMAIN: "all links lead to the sender's domain",
  LINK_SCRIPT: 'a link runs a script',
  LINK_SHORTENER: 'a link hides its address',
  LINK_SINGLE: 'it has exactly one link',
  LINK_TEXT_OTHER_HOST: 'a link shows one address and leads to another',
  LINK_TEXT_OTHER_HOST_TRACKED: 'a link shows an address and leads through a mailing service',
  LINK_TOP_LEVEL_CHEAP: 'a link leads to a domain with a very cheap ending',
  LINK_UNENCRYPTED: 'its links are not encrypted',
  LINK_USERINFO: 'a link has a user name before its host',
  LINK_ALL_THE_SAME: 'all its links are the same',
  LINK_HOST_LONG: 'a link leads to a very long host name',
  ATTACHMENT_ANY: 'it has an attachment',
  ATTACHMENT_ARCHIVE_EXECUTABLE: 'an attached archive contains a program',
  ATTACHMENT_DOUBLE_EXTENSION: 'an attachment hides its real type',
  ATTACHMENT_ENCRYPTED: 'an attached archive has a password',
  ATTACHMENT_EXECUTABLE: 'an attachment is a program',
  ATTACHMENT_HTML: 'an attachment is a web page',
  ATTACHMENT_IMAGE: 'an attachment is a picture',
  ATTACHMENT_NAME_DISGUISED: 'the name of an attachment is disguised',
  ATTACHMENT_SCRIPT: 'an attachment is a script',
  ATTACHMENT_LITTLE_TEXT: 'it is an attachment with hardly any text',
  ACCOUNT_CONFIRMATION: 'it asks to confirm an account or a password',
  COUPON_CODE: 'it has a discount code',
  CRYPTOCURRENCY_ADDRESS: 'it asks for payment in Bitcoin or Ether',
  DISCOUNT_MENTIONED: 'it offers a discount',
  FORTUNE_MENTIONED: 'it mentions millions',
  GREETING_GENERIC: 'the greeting is generic',
  INVOICE_NUMBER: 'it gives an invoice number',
  ONE_TIME_CODE: 'it gives a sign-in code',
  ORDER_NUMBER: 'it gives an order number',
  PATCH_OR_DIFF: 'it has a patch of source code',
  PRICE_MENTIONED: 'it mentions money',
  PRICES_MANY: 'it names many prices',
  QUOTED_REPLY: 'it quotes another message',
  REPLY_REFERENCED: 'it refers to another message as a reply',
  SIGNATURE_DELIMITER: "it ends with a writer's signature",
  THREAD_REFERENCED: 'it refers to a thread',
  TRACKING_NUMBER: 'it gives a parcel number',
  UNSUBSCRIBE_TEXT: 'the small print says how to unsubscribe',
  KNOWN_FROM_DISPOSABLE: 'the sender uses a disposable mailbox',
  KNOWN_FROM_OUTSIDE_NETWORKS: 'it claims a well-known domain and came from elsewhere',
  KNOWN_FROM_SIGNED_BY_OTHER: 'it claims a well-known domain, and signatures of others only',
  KNOWN_FROM_UNSIGNED: 'it claims a well-known domain without its signature',
  KNOWN_LINKS_ALL: 'all links lead to well-known sites',
  KNOWN_LINKS_FEW: 'most links lead to unknown sites',
  KNOWN_LINK_REDIRECTOR: 'a link leads to a shortener',
  KNOWN_LINK_SHARED_HOST: 'a link leads to a host where anyone can have a page',
  KNOWN_NETWORK: 'it came from a mailing service or a large mailbox provider',
  KNOWN_FROM_SHARED_HOST: 'the sender writes from a host that anyone can get',
  KNOWN_FROM_REPLY_ELSEWHERE:
    'it claims a well-known domain, but replies go to a free-mail address',
  LANGUAGE_SCRIPTS_MIXED: 'the text mixes two alphabets',
  LANGUAGE_SUBJECT_SCRIPT_OTHER: 'the subject is in another alphabet than the text',
  LANGUAGE_CHARSET_OTHER: 'its letters are not those of its character set',
  SENT_FROM_PHONE: 'it says that it was written on a phone',
}

/** Names of header fields keep their capital. */
const NAME_FIRST = /^(?:From|To|Cc|Reply-To)\b/

/** What is true of a message with the signal `name`, whose description is given: 'a link leads to a bare IP address'. */
export function signalClause(
  name: string,
  description: string,
  standing: SenderStanding = 'unchecked',
  senderDomain = '',
): string {
  const claimed = CLAIMED[name as SignalName]
  if (claimed !== undefined) return senderClause(standing, senderDomain, claimed)
  const clause = SIGNAL_CLAUSES[name as SignalName]
  if (clause !== undefined) return clause
  const words = description.replace(/\.$/, '')
  if (words === name || NAME_FIRST.test(words)) return words
  return words.charAt(0).toLowerCase() + words.slice(1)
}

/** True for a signal that repeats what the sender says of itself. */
export function isClaim(name: string): boolean {
  return Object.hasOwn(CLAIMED, name)
}

/** Whom the message claims to be from, and what checks say of that; `claimed` is said for want of a domain. */
export function senderClause(
  standing: SenderStanding,
  domain: string,
  claimed = 'the domain in From',
): string {
  const who = domain === '' || domain.length > DOMAIN_LENGTH_MAX ? claimed : domain
  if (standing === 'proved') return `it comes from ${who}`
  const doubt = standing === 'unproved' ? ', which checks do not confirm' : ' (not checked)'
  return `it claims to come from ${who}${doubt}`
}

/** True for a name that a signal has: no count ('links 2-3'), and nothing of the verdict's own. */
export function isSignal(name: string): boolean {
  return /^(?!TAMIS_)[A-Z][A-Z0-9_]*$/.test(name)
}
