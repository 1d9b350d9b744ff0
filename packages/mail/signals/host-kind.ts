/** What is known of a host: by the tables here, which were written by hand, and by those of knowledge/. */
import { type DomainKind, type DomainTable, kindOfHost } from '../knowledge/domain-table.ts'
import { isFreeMail } from './free-mail.ts'
import { isFreeHosting, isShortener } from './link-hosts.ts'
import { isMailService } from './mail-services.ts'

/** The kind of `host`, whose registrable domain is `domain`; undefined for one that nobody knows. */
export function hostKind(
  domains: DomainTable,
  host: string,
  domain: string,
): DomainKind | undefined {
  const kind = kindOfHost(domains, host, domain)
  // Lists of what exists, and an operator's above all, have those that strangers use as well.
  return kind === undefined || kind === 'known' ? (strangersKind(host, domain) ?? kind) : kind
}

/** What `host` is when it is used by strangers as much as by its owner. */
export function strangersKind(host: string, domain: string): DomainKind | undefined {
  if (isMailService(domain)) return 'account'
  if (isFreeHosting(host)) return 'pages'
  if (isShortener(host)) return 'redirector'
  return isFreeMail(domain) ? 'mailbox' : undefined
}
