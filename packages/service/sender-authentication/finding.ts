/**
 * What checks say of the domain in From, for the log-odds of spam (mail/verdict/sender-term.ts), and which
 * failures the way of an honest message explains.
 *
 * Rules ask who a sender certainly is (sender-authentication.ts). This also tells forged mail by SPF alone,
 * and excuses what mailing lists and forwarders break. Two of the excuses are open to forgers: whoever has a
 * domain can write as a list of it, or as a forwarder. They gain that their failure counts as if nothing had
 * been checked; and without the excuses posts would be lost whose authors' domains have a strict policy.
 */
import type { Message } from '../../mail/message/message.ts'
import { readListId } from '../../mail/personalization/patterns.ts'
import type { SenderAuthentication } from '../../mail/personalization/rules.ts'
import { comparedHost } from '../../mail/personalization/sender-address.ts'
import type { SenderExcuse, SenderFinding } from '../../mail/verdict/sender-term.ts'
import { parseArcAuthenticationResults } from './authentication-results.ts'
import { authorDomain, authorDomains, isAligned } from './author.ts'
import { type MethodResults, type ResultWord, resultWord } from './results.ts'

/** Characters of a List-Id field that are read (RFC 2919 §3: 255). Stops a field as long as the header may be. */
const LIST_ID_LENGTH_MAX = 1_024

/** Sets of a chain that may pass (RFC 8617 §4.2.1). */
const ARC_SETS_MAX = 50

/**
 * The domain whose mail a forwarder rewrote to its own (SRS, libsrs2): 'SRS0=hash=time=domain=user', or
 * 'SRS1=hash=forwarder==hash=time=domain=user' after a second one.
 */
const REWRITTEN =
  /^srs(?:0[=+-]|1[=+-][^=@]{1,64}=[^=@]{1,255}==)[^=@]{1,64}=[^=@]{1,64}=([^=@]{1,255})=/i

/** What is known of the way besides the message and the results. */
export interface Way {
  /** MAIL FROM; '' is the null sender. */
  readonly mailFrom?: string
  /** Hosts whose Authentication-Results count; seals of their domains count too. */
  readonly authservIds: readonly string[]
}

/** What `results` say of the domain in From of `message`, about which rules know `authentication`. */
export function senderFinding(
  message: Pick<Message, 'fields'>,
  results: MethodResults,
  authentication: SenderAuthentication,
  way: Way,
): SenderFinding {
  if (authentication.result === 'pass') return { result: 'passed' }
  const isRefuted = authentication.result === 'fail'
  if (!isRefuted && !failsBySpf(message, results)) return { result: 'unknown' }
  // Neither a list nor a forwarder adds an author.
  const author = authorDomain(message)
  const excuse = author === undefined ? undefined : excuseOf(message, results, author, way)
  if (excuse !== undefined) return { result: 'unknown', excuse }
  const { policy } = results.dmarc ?? {}
  return isRefuted && policy !== undefined ? { result: 'failed', policy } : { result: 'failed' }
}

/** Whether a domain of From publishes no DMARC record, SPF says that it does not send from there, and no signature says otherwise. */
function failsBySpf(
  message: Pick<Message, 'fields'>,
  { spf, dkim, dmarc }: MethodResults,
): boolean {
  if (spf?.result !== 'fail') return false
  if (dmarc !== undefined && dmarc.result !== 'none') return false
  if (dkim.length === 0 && message.fields.some(({ name }) => name === 'dkim-signature'))
    return false
  return authorDomains(message).domains.some((author) => {
    const mayHold = ({ result, domain }: MethodResults['dkim'][number]) =>
      result === 'temperror' || (result === 'pass' && isAligned(domain, author, 'relaxed'))
    return isAligned(spf.domain, author, 'relaxed') && !dkim.some(mayHold)
  })
}

function excuseOf(
  message: Pick<Message, 'fields'>,
  results: MethodResults,
  author: string,
  { mailFrom, authservIds }: Way,
): SenderExcuse | undefined {
  if (isSealed(message, results, authservIds)) return 'sealed'
  if (isListPost(message, results)) return 'list'
  return isForwarded(results, author, mailFrom) ? 'forwarded' : undefined
}

/**
 * Whether a host of a domain that the operator trusts sealed the message last, and saw it pass DMARC. Its own
 * word counts, and no earlier sealer's: that one may be anybody, and have said anything.
 */
function isSealed(
  message: Pick<Message, 'fields'>,
  { arc }: MethodResults,
  authservIds: readonly string[],
): boolean {
  const { result, domain } = arc ?? {}
  if (result !== 'pass' || domain === undefined) return false
  const trusted = authservIds.map((id) => comparedHost(id))
  if (!trusted.some((host) => host !== undefined && isAligned(domain, host, 'relaxed')))
    return false
  return lastSealersDmarc(message) === 'pass'
}

function lastSealersDmarc({ fields }: Pick<Message, 'fields'>): ResultWord | undefined {
  const sets = fields
    .filter(({ name }) => name === 'arc-authentication-results')
    .slice(0, ARC_SETS_MAX)
    .flatMap(({ rawBody }) => parseArcAuthenticationResults(rawBody) ?? [])
    .toSorted((a, b) => b.instance - a.instance)
  const dmarc = sets[0]?.statements.find(({ method }) => method === 'dmarc')
  return dmarc === undefined ? undefined : resultWord(dmarc.result)
}

/** Whether the message names a list (RFC 2919), and a signature of the list's domain holds: lists change what authors have signed. */
function isListPost(message: Pick<Message, 'fields'>, { dkim }: MethodResults): boolean {
  const body = message.fields.find(({ name }) => name === 'list-id')?.rawBody
  const list = body === undefined ? undefined : readListId(body.slice(0, LIST_ID_LENGTH_MAX))
  const host = list === undefined ? undefined : comparedHost(list)
  if (host === undefined) return false
  return dkim.some(({ result, domain }) => result === 'pass' && isAligned(domain, host, 'relaxed'))
}

/** Whether a forwarder, which SPF knows, took the envelope from the domain of From: there SPF passed, and here it cannot. */
function isForwarded(
  { spf }: MethodResults,
  author: string,
  mailFrom: string | undefined,
): boolean {
  if (spf?.result !== 'pass') return false
  const rewritten = REWRITTEN.exec(mailFrom ?? '')?.[1]
  const host = rewritten === undefined ? undefined : comparedHost(rewritten)
  return isAligned(host, author, 'relaxed')
}
