/**
 * Addresses from which many people or organisations write. A correction of one message from such an
 * address says nothing about the next, so no rule is made from it.
 *
 * The list is ours, from what these services document about their mail and from mail we have read. A
 * domain covers all domains below it; in local parts '*' stands for any text, at the beginning or end.
 */
import type { Patterns } from './patterns.ts'
import { hostOfAddress, isAtOrBelow } from './sender-address.ts'

interface SharedSenders {
  readonly why: string
  /** Domain -> local parts, separated by spaces. */
  readonly addresses: Readonly<Record<string, string>>
}

const SHARED_SENDERS: readonly SharedSenders[] = [
  {
    why: 'social networks: what other members write and do',
    addresses: {
      'facebookmail.com': '*',
      'mail.instagram.com': '*',
      'linkedin.com':
        'invitations messages-noreply messaging-digest-noreply notifications-noreply member hit-reply inmail-hit-reply groups-noreply',
      'twitter.com': 'notify',
      'x.com': 'notify',
      'redditmail.com': '*',
      'nextdoor.com': 'reply no-reply noreply',
      'discord.com': 'noreply',
      'xing.com': 'mailrobot',
      'vk.com': 'notify admin',
      'meetup.com': 'info',
      'quora.com': '*-noreply *-space',
      'medium.com': 'noreply',
      'wordpress.com': 'donotreply comment-reply no-reply',
      'change.org': 'change',
    },
  },
  {
    why: 'mailing lists and newsletters of many publishers under one address',
    addresses: {
      'googlegroups.com': '*',
      'groups.io': '*',
      'yahoogroups.com': '*',
      'freelists.org': '*',
      'substack.com': 'no-reply noreply',
      'patreon.com': 'bingo no-reply',
      'beehiiv.com': 'no-reply noreply',
    },
  },
  {
    why: 'calendars, invitations and meetings: everybody who invites writes through them',
    addresses: {
      'google.com': 'calendar-notification calendar-server meet-recordings-noreply',
      'calendly.com': 'notifications no-reply',
      'doodle.com': 'mailer no-reply',
      'eventbrite.com': 'noreply orders invite',
      'evite.com': 'info',
      'zoom.us': 'no-reply',
    },
  },
  {
    why: 'documents and files that anybody can share',
    addresses: {
      'docs.google.com': '*',
      'google.com': '*-shares-noreply *-shares-dm-noreply comments-noreply forms-receipts-noreply',
      'dropbox.com': 'no-reply',
      'sharepointonline.com': 'no-reply',
      'onedrive.com': 'no-reply',
      'wetransfer.com': 'noreply',
      'box.com': 'noreply',
      'mail.notion.so': '*',
      'adobe.com': 'message',
    },
  },
  {
    why: 'requests to sign documents, from anybody who has one',
    addresses: {
      'docusign.net': '*',
      'docusign.com': 'dse*',
      'adobesign.com': '*',
      'echosign.com': '*',
      'hellosign.com': '*',
      'dropboxsign.com': '*',
      'pandadoc.net': '*',
      'signnow.com': 'mail noreply',
    },
  },
  {
    why: 'invoices and payment requests of any business or person',
    addresses: {
      'paypal.com': 'service',
      'intuit.com': 'quickbooks* do_not_reply',
      'stripe.com': 'invoice* receipts* failed-payments*',
      'post.xero.com': '*',
      'messaging.squareup.com': '*',
      'freshbooks.com': 'mail',
      'bill.com': '*',
      'venmo.com': 'venmo',
      'wise.com': 'noreply',
    },
  },
  {
    why: 'marketplaces: buyers, sellers, hosts and guests write through them',
    addresses: {
      'members.ebay.com': '*',
      'marketplace.amazon.com': '*',
      'guest.booking.com': '*',
      'property.booking.com': '*',
      'airbnb.com': 'automated express',
      'etsy.com': 'conversations transaction',
      'craigslist.org': '*',
      'upwork.com': 'donotreply',
      'fiverr.com': 'noreply no-reply',
      'kleinanzeigen.de': 'noreply',
    },
  },
  {
    why: 'work shared by many projects: issues, reviews, boards, forms',
    addresses: {
      'github.com': 'notifications noreply',
      'gitlab.com': 'gitlab noreply',
      'atlassian.net': '*',
      'trello.com': 'do-not-reply taco',
      'asana.com': 'no-reply',
      'slack.com': 'notification no-reply',
      'surveymonkeyuser.com': '*',
      'typeform.com': 'noreply no-reply',
      'jotform.com': 'noreply',
    },
  },
]

/** Local parts at any domain from which mail systems and list managers write, about anybody's mail. */
const SYSTEM_LOCAL_PARTS =
  'mailer-daemon postmaster listserv majordomo mailman bugzilla-daemon owner-* *-owner *-request *-bounces'

/** True when several people or organisations write from the message's address, as with a list. */
export function isSharedSender({ sender, list }: Patterns): boolean {
  if (sender === undefined) return false
  const host = hostOfAddress(sender)
  const localPart = sender.slice(0, -host.length - 1)
  if (isListed(localPart, SYSTEM_LOCAL_PARTS)) return true
  // A list's identifier is by custom its address with a full stop (RFC 2919 §2).
  if (list === sender || list === `${localPart}.${host}`) return true
  return SHARED_SENDERS.some(({ addresses }) =>
    Object.entries(addresses).some(
      ([domain, localParts]) => isAtOrBelow(host, domain) && isListed(localPart, localParts),
    ),
  )
}

function isListed(localPart: string, listed: string): boolean {
  return listed.split(' ').some((pattern) => {
    if (pattern.startsWith('*')) return localPart.endsWith(pattern.slice(1))
    if (pattern.endsWith('*')) return localPart.startsWith(pattern.slice(0, -1))
    return localPart === pattern
  })
}
