/**
 * Whether a message proves who it is from: by the fields of a trusted host, else by our own verification, else unknown.
 *
 * A pass is a DMARC pass for the domain of From; without a record an SPF or DKIM pass that is aligned with it; where no record
 * was asked for or the DNS did not answer, one for exactly that domain. A fail is a DMARC fail of any domain in From, or a From
 * that names no author: SPF alone fails for every forwarded message.
 */
import type { Message } from '../../mail/message/message.ts'
import type { Octets } from '../../mail/message/octets.ts'
import { parseMessage } from '../../mail/message/parse.ts'
import { readListId } from '../../mail/personalization/patterns.ts'
import type { SenderAuthentication } from '../../mail/personalization/rules.ts'
import { comparedHost } from '../../mail/personalization/sender-address.ts'
import type { SenderExcuse, SenderFinding } from '../../mail/verdict/evidence.ts'
import { parseArcAuthenticationResults } from './authentication-results.ts'
import { type AlignmentMode, authorDomain, authorDomains, isAligned } from './author.ts'
import type { DnsResolver } from './resolver.ts'
import { type MethodResults, NO_RESULTS, type ResultWord, resultWord } from './results.ts'
import { trustedResults } from './trusted-results.ts'
import { type Delivery, verifyMessage } from './verify.ts'

/** The results that the answer was made from. */
interface AuthenticationDetails extends MethodResults {
  /** Where the results come from: a host that the operator trusts, or this service. */
  readonly source: 'trusted field' | 'verified' | 'none'
}

export type AuthenticatedSender = SenderAuthentication & {
  readonly details: AuthenticationDetails
  /** What the log-odds of spam go by: more than the answer, since a failure may be excused, and SPF may fail alone. */
  readonly finding: SenderFinding
  /** An error of the verification, to be logged; it is never part of an answer. */
  readonly failure?: Error
}

/** Options to read only the fields of a message. */
const FIELDS_ONLY = { outOfTime: () => true }

/** Who sent the message in `octets`, as far as fields of the hosts `authservIds` tell. */
export function trustedSender(
  octets: Octets,
  delivery: Delivery,
  authservIds: readonly string[],
): AuthenticatedSender {
  if (authservIds.length === 0) return UNKNOWN_AUTHENTICATION
  const message = parseMessage(octets, FIELDS_ONLY)
  const results = trustedResults(message, authservIds)
  if (results === undefined) return UNKNOWN_AUTHENTICATION
  return answered(message, results, 'trusted field', { ...delivery, authservIds })
}

/** Who sent the message in `octets`, as verified by `resolver` within `timeoutMs`. Never rejects. */
export async function verifiedSender(
  octets: Octets,
  delivery: Delivery,
  authservIds: readonly string[],
  resolver: DnsResolver,
  timeoutMs: number,
): Promise<AuthenticatedSender> {
  const message = parseMessage(octets, FIELDS_ONLY)
  const { results, failure } = await verifyMessage(octets, message, delivery, resolver, timeoutMs)
  const sender = answered(message, results, 'verified', { ...delivery, authservIds })
  return failure === undefined ? sender : { ...sender, failure }
}

/** The answer when nothing was checked. */
export const UNKNOWN_AUTHENTICATION: AuthenticatedSender = {
  result: 'unknown',
  details: { ...NO_RESULTS, source: 'none' },
  finding: { result: 'unknown' },
}

function answered(
  message: Pick<Message, 'fields'>,
  results: MethodResults,
  source: 'trusted field' | 'verified',
  way: Way,
): AuthenticatedSender {
  const authentication = senderAuthentication(message, results)
  return {
    ...authentication,
    details: { ...results, source },
    finding: senderFinding(message, results, authentication, way),
  }
}

/** What `results` prove about the sender of `message`. */
function senderAuthentication(
  message: Pick<Message, 'fields'>,
  results: MethodResults,
): SenderAuthentication {
  const domain = authorDomain(message)
  const { dmarc } = results
  if (dmarc?.result === 'fail' || authorDomains(message).isDisguised) return { result: 'fail' }
  if (domain === undefined) return { result: 'unknown' }
  const passed = dmarc?.result === 'pass' && dmarc.domain === domain
  const mode = dmarc?.result === 'none' ? 'relaxed' : 'strict'
  return passed || hasAlignedPass(results, domain, mode)
    ? { result: 'pass', domain }
    : { result: 'unknown' }
}

function hasAlignedPass(
  { spf, dkim }: MethodResults,
  author: string,
  mode: AlignmentMode,
): boolean {
  return [...(spf === undefined ? [] : [spf]), ...dkim].some(
    ({ result, domain }) => result === 'pass' && isAligned(domain, author, mode),
  )
}

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
interface Way {
  /** MAIL FROM; '' is the null sender. */
  readonly mailFrom?: string
  /** Hosts whose Authentication-Results count; seals of their domains count too. */
  readonly authservIds: readonly string[]
}

/**
 * What `results` say of the domain in From, for the log-odds of spam (mail/verdict/sender-term.ts): beside the answer for
 * rules forgery by SPF alone, and the excuse of what mailing lists and forwarders break. Two excuses are open to forgers,
 * who have a domain of their own: they gain that their failure counts as if nothing had been checked.
 */
function senderFinding(
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

/** Whether a host of a trusted domain sealed the message last, and saw it pass DMARC: an earlier sealer may be anybody. */
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
