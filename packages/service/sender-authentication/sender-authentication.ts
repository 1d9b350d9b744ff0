/**
 * The one answer to "did this message prove who it is from?": from the fields of a trusted host if there
 * are any, else from our own verification, else unknown.
 *
 * A pass is a DMARC pass for the domain of From. If that domain publishes no DMARC record, it is an SPF
 * or DKIM pass that is aligned with it; if no record was asked for, or the DNS did not answer, it is one
 * for exactly that domain, which would pass whatever the record. A fail is a DMARC fail of any domain in From, or a From
 * that names no author: SPF alone fails for every forwarded message.
 */
import type { Message } from '../../mail/message/message.ts'
import type { Octets } from '../../mail/message/octets.ts'
import { parseMessage } from '../../mail/message/parse.ts'
import type { SenderAuthentication } from '../../mail/personalization/rules.ts'
import type { SenderFinding } from '../../mail/verdict/sender-term.ts'
import { type AlignmentMode, authorDomain, authorDomains, isAligned } from './author.ts'
import { senderFinding, type Way } from './finding.ts'
import type { DnsResolver } from './resolver.ts'
import { type MethodResults, NO_RESULTS } from './results.ts'
import { trustedResults } from './trusted-results.ts'
import { type Delivery, startVerification } from './verify.ts'

/** The results that the answer was made from. */
export interface AuthenticationDetails extends MethodResults {
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

export interface AuthenticationSettings {
  /** Hosts whose Authentication-Results count; none by default. */
  readonly authservIds: readonly string[]
  /** The resolver for verifying by DNS; undefined when that is switched off. */
  readonly resolver: DnsResolver | undefined
  /** Time for the whole verification of one message, in milliseconds. */
  readonly timeoutMs: number
}

/** A check in progress. */
export interface RunningAuthentication {
  /** Resolves when the octets are no longer needed, so that they can be handed on. */
  readonly octetsRead: Promise<void>
  /** Never rejects, and resolves by the deadline. */
  readonly sender: Promise<AuthenticatedSender>
}

/** Options to read only the fields of a message. */
const FIELDS_ONLY = { outOfTime: () => true }

/** Begins to find out who sent the message in `octets`. */
export function startAuthentication(
  octets: Octets,
  delivery: Delivery,
  { authservIds, resolver, timeoutMs }: AuthenticationSettings,
): RunningAuthentication {
  if (authservIds.length === 0 && resolver === undefined) return finished(UNKNOWN_AUTHENTICATION)
  const message = parseMessage(octets, FIELDS_ONLY)
  const trusted = trustedResults(message, authservIds)
  const way = { ...delivery, authservIds }
  const told =
    trusted === undefined
      ? UNKNOWN_AUTHENTICATION
      : answered(message, trusted, 'trusted field', way)
  if (told.result !== 'unknown' || resolver === undefined) return finished(told)

  const { octetsRead, verification } = startVerification(
    octets,
    message,
    delivery,
    resolver,
    timeoutMs,
  )
  const sender = verification.then(({ results, failure }) => ({
    ...answered(message, results, 'verified', way),
    ...(failure === undefined ? {} : { failure }),
  }))
  return { octetsRead, sender }
}

/** The answer when nothing was checked. */
export const UNKNOWN_AUTHENTICATION: AuthenticatedSender = {
  result: 'unknown',
  details: { ...NO_RESULTS, source: 'none' },
  finding: { result: 'unknown' },
}

function finished(sender: AuthenticatedSender): RunningAuthentication {
  return { octetsRead: Promise.resolve(), sender: Promise.resolve(sender) }
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
export function senderAuthentication(
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
