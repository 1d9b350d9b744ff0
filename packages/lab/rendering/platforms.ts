/**
 * Platforms that send what strangers write, and notices of their own: forms, shared files, calendars,
 * signatures, invoices, tickets. Whoever writes through one, the message is the platform's: its
 * header fields, its servers and its signature for the domain in From. So spam that abuses a
 * platform is made as its honest mail is. After messages of 2023 to 2025. They stand in
 * packages/lab/data/rendering/platforms.
 */
import { MAILING_PROVIDERS, type MailingProvider } from './mailing-providers.ts'
import { drawsOf, readPrograms } from './templates.ts'

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
