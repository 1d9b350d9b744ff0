/**
 * Services and programs that send mailings and notices: the fields each sets, in its order and
 * spelling, and where its links lead. After their documentation and messages of 2023 to 2025. They stand
 * in packages/lab/data/rendering/mailing-providers.
 *
 * A row of a header whose value the message does not have is left out: the List-* rows of mail that goes
 * to no list, and signatures that are not made.
 */
import type { Shares } from './dice.ts'
import type { WordEncoding } from './header.ts'
import type { PartsForm } from './mail-clients.ts'
import type { MimeHabit } from './mime.ts'
import { drawsOf, readPrograms } from './templates.ts'

export interface MailingProvider {
  readonly name: string
  /** From the field below the reader's own Received down to the last. */
  readonly header: string
  readonly mime: MimeHabit
  readonly words: WordEncoding
  readonly quoteNames?: boolean
  /** The machine that hands the message to the reader's server. */
  readonly relay: string
  /** A signature in the service's name: its domain and selector. Undefined: it makes none. */
  readonly serviceSigner?: readonly [domain: string, selector: string]
  /** Selector of the signature in the sender's name. */
  readonly ownSelector: string
  /** How a counted link looks at the service's host, and at a host of the sender's. */
  readonly click?: string
  readonly ownClick?: string
  /** The picture that counts opened messages, at the same host as the link. */
  readonly pixel?: string
  /** Where pictures are kept. */
  readonly pictures: string
  readonly unsubscribe: string
  readonly unsubscribeMail: string
  /** Senders without a service make simple pages: half of the modern spam of the corpora has no table. */
  readonly markup: Shares<string>
  /**
   * Programs without a text editor of their own send what the developer gave them, often HTML alone.
   * Companies' own systems are old or were written by somebody who reads mail in plain text.
   */
  readonly parts: Shares<PartsForm>
}

export const MAILING_PROVIDERS: Readonly<Record<string, MailingProvider>> = readPrograms(
  'mailing-providers',
  'header',
)

/** What carries a campaign: by customers of the services and by mail volume, roughly. */
export const CAMPAIGN_PROVIDERS: Shares<string> = drawsOf('campaign providers')

/** What carries notices: services for single messages, and companies' own systems. */
export const NOTICE_PROVIDERS: Shares<string> = drawsOf('notice providers')

/** What carries letters that no mail program sent: offices' systems and sales tools. */
export const OFFICE_PROVIDERS: Shares<string> = drawsOf('office providers')

/**
 * What carries mail with the address of a company that did not send it: scripts on servers that
 * were broken into or hired, and accounts with services, which sign for themselves.
 */
export const FORGING_PROVIDERS: Shares<string> = drawsOf('forging providers')

/** What senders without a service use, for mailings and notices alike. */
export const OWN_PROVIDERS: Shares<string> = drawsOf('own providers')

/**
 * Platforms that send what strangers write, and notices of their own: forms, shared files, calendars,
 * signatures, invoices, tickets. Whoever writes through one, the message is the platform's: its
 * header fields, its servers and its signature for the domain in From. So spam that abuses a
 * platform is made as its honest mail is. After messages of 2023 to 2025. They stand in
 * packages/lab/data/rendering/platforms.
 */

const PLATFORMS: Readonly<Record<string, MailingProvider>> = {
  ...MAILING_PROVIDERS,
  ...readPrograms<MailingProvider>('platforms', 'header'),
}

/** The platform of an address by its host: the first pattern that fits. Some are customers of a mailing provider. */
const PLATFORM_OF_HOST = drawsOf<readonly (readonly [pattern: string, platform: string])[]>(
  'platforms by host',
).map(([pattern, platform]) => [new RegExp(pattern), PLATFORMS[platform]!] as const)

/** The platform whose mail comes from `host`, if it is one. */
export function platformOf(host: string): MailingProvider | undefined {
  return PLATFORM_OF_HOST.find(([pattern]) => pattern.test(host))?.[1]
}
