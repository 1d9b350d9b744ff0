/**
 * The one answer to "did this message prove who it is from?": from the fields of a trusted host if there
 * are any, else from our own verification, else unknown.
 *
 * A pass is a DMARC pass for the domain of From. If that domain publishes no DMARC record, it is an SPF
 * or DKIM pass that is aligned with it; if no record was asked for, or the DNS did not answer, it is one
 * for exactly that domain, which would pass whatever the record. A fail is a DMARC fail: SPF alone fails
 * for every forwarded message.
 */
import type { Message } from '../../mail/message/message.ts'
import type { Octets } from '../../mail/message/octets.ts'
import { parseMessage } from '../../mail/message/parse.ts'
import type { SenderAuthentication } from '../../mail/personalization/rules.ts'
import { type AlignmentMode, authorDomain, hasRepeatedFrom, isAligned } from './author.ts'
import type { DnsResolver } from './resolver.ts'
import { type MethodResults, NO_RESULTS } from './results.ts'
import { trustedResults } from './trusted-results.ts'
import { type Delivery, startVerification, type Verification } from './verify.ts'

/** The results that the answer was made from. */
export interface AuthenticationDetails extends MethodResults {
  /** Where the results come from: a host that the operator trusts, or this service. */
  readonly source: 'trusted field' | 'verified' | 'none'
}

export type AuthenticatedSender = SenderAuthentication & {
  readonly details: AuthenticationDetails
  /** True when signatures were checked, and none of the domain in From holds. */
  readonly signatureFailed: boolean
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
  const told =
    trusted === undefined ? UNKNOWN_AUTHENTICATION : answered(message, trusted, 'trusted field')
  if (told.result !== 'unknown' || resolver === undefined) return finished(told)

  const { octetsRead, verification } = startVerification(
    octets,
    message,
    delivery,
    resolver,
    timeoutMs,
  )
  return { octetsRead, sender: verification.then((found) => verifiedSender(message, found)) }
}

/** The answer when nothing was checked. */
export const UNKNOWN_AUTHENTICATION: AuthenticatedSender = {
  result: 'unknown',
  details: { ...NO_RESULTS, source: 'none' },
  signatureFailed: false,
}

function finished(sender: AuthenticatedSender): RunningAuthentication {
  return { octetsRead: Promise.resolve(), sender: Promise.resolve(sender) }
}

function verifiedSender(
  message: Pick<Message, 'fields'>,
  { results, failure }: Verification,
): AuthenticatedSender {
  const sender = answered(message, results, 'verified')
  return failure === undefined ? sender : { ...sender, failure }
}

function answered(
  message: Pick<Message, 'fields'>,
  results: MethodResults,
  source: 'trusted field' | 'verified',
): AuthenticatedSender {
  return {
    ...senderAuthentication(message, results),
    details: { ...results, source },
    signatureFailed: ownSignatureFailed(message, results),
  }
}

/** Whether signatures were checked, and none holds for the domain in From. A key that could not be had proves nothing. */
function ownSignatureFailed(
  message: Pick<Message, 'fields'>,
  { dkim }: Pick<MethodResults, 'dkim'>,
): boolean {
  if (dkim.length === 0 || dkim.some(({ result }) => result === 'temperror')) return false
  const author = authorDomain(message)
  return !dkim.some(
    ({ result, domain }) =>
      result === 'pass' && author !== undefined && isAligned(domain, author, 'relaxed'),
  )
}

/** What `results` prove about the sender of `message`. */
export function senderAuthentication(
  message: Pick<Message, 'fields'>,
  results: MethodResults,
): SenderAuthentication {
  const domain = authorDomain(message)
  const { dmarc } = results
  // Only forgers write two From fields, one that is signed and one that is shown.
  if (dmarc?.result === 'fail' || hasRepeatedFrom(message)) return { result: 'fail' }
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
