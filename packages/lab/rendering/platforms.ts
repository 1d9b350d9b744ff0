/**
 * Platforms that send what strangers write, and notices of their own: forms, shared files, calendars,
 * signatures, invoices, tickets. Whoever writes through one, the message is the platform's: its
 * header fields, its servers and its signature for the domain in From. So spam that abuses a
 * platform is made as its honest mail is. After messages of 2023 to 2025. They stand in
 * packages/lab/data/rendering/platforms.
 */
import { MAILING_PROVIDERS, type MailingProvider } from './mailing-providers.ts'
import { readPrograms } from './templates.ts'

const PLATFORM_NAMES = [
  'google',
  'microsoft',
  'paypal',
  'docusign',
  'zendesk',
  'freshdesk',
  'github',
  'linkedin',
  'facebook',
  'stripe',
] as const

type PlatformName = (typeof PLATFORM_NAMES)[number]

const PLATFORMS: Readonly<Record<PlatformName, MailingProvider>> = readPrograms(
  'platforms',
  PLATFORM_NAMES,
  'header',
)

/** The platform of an address, by its host; the first that fits. */
const PLATFORM_OF_HOST: readonly (readonly [RegExp, MailingProvider])[] = [
  [/(?:^|\.)google\.com$/, PLATFORMS.google],
  [/(?:^|\.)(?:microsoft|sharepointonline|microsoftonline)\.com$/, PLATFORMS.microsoft],
  [/(?:^|\.)paypal\.(?:com|[a-z]{2}|co\.uk)$/, PLATFORMS.paypal],
  [/(?:^|\.)docusign\.(?:net|com)$/, PLATFORMS.docusign],
  [/(?:^|\.)zendesk\.com$/, PLATFORMS.zendesk],
  [/(?:^|\.)freshdesk\.com$/, PLATFORMS.freshdesk],
  [/(?:^|\.)github\.com$/, PLATFORMS.github],
  [/(?:^|\.)linkedin\.com$/, PLATFORMS.linkedin],
  [/(?:^|\.)(?:facebookmail|facebook|instagram)\.com$/, PLATFORMS.facebook],
  [/(?:^|\.)stripe\.com$/, PLATFORMS.stripe],
  [
    /(?:^|\.)(?:xero|shopifyemail|asana|figma|miro|zoom|discord|meetup|kajabi)\.(?:com|us)$/,
    MAILING_PROVIDERS.sendgrid,
  ],
  [
    /(?:^|\.)(?:dropbox|canva|typeform|trello|atlassian|eventbrite|squareup|surveymonkeyuser|wetransfer)\.com$|(?:^|\.)notion\.so$/,
    MAILING_PROVIDERS.ses,
  ],
  [/(?:^|\.)(?:jotform|discoursemail)\.com$|(?:^|\.)pandadoc\.net$/, MAILING_PROVIDERS.mailgun],
  [/(?:^|\.)(?:intuit|zohomail|x)\.com$/, MAILING_PROVIDERS.java],
  [/(?:^|\.)salesforce\.com$/, MAILING_PROVIDERS.salesforce],
]

/** The platform whose mail comes from `host`, if it is one. */
export function platformOf(host: string): MailingProvider | undefined {
  return PLATFORM_OF_HOST.find(([pattern]) => pattern.test(host))?.[1]
}
