/**
 * Verifies a message by DNS with mailauth: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 9989) and ARC (RFC 8617), in strict
 * modes. A result that is not known by the deadline is `temperror`.
 *
 * Its parts are called one by one, because the worth of a signature is decided in between: one that covers only a part of the
 * body (`l=`) vouches for nothing here.
 */
import { Readable } from 'node:stream'
import type { ARCSigningData, DKIMResult, DKIMVerifyResult } from 'mailauth'
import type { HeaderField, Message } from '../../mail/message/message.ts'
import type { Octets } from '../../mail/message/octets.ts'
import { clientClause } from '../../mail/personalization/claims.ts'
import { comparedHost } from '../../mail/personalization/sender-address.ts'
import { DMARC_POLICIES } from '../../mail/verdict/evidence.ts'
import { authorDomain, authorDomains, isAligned, isLiteral } from './author.ts'
import {
  type DnsResolver,
  isFailedQuestion,
  type MessageResolver,
  type Resolve,
} from './resolver.ts'
import {
  type DmarcResult,
  dmarcResult,
  type MethodResult,
  type MethodResults,
  methodResult,
  type ResultWord,
  resultWord,
} from './results.ts'
import { acceptableKeys, isRefusedKey } from './signature-keys.ts'
import {
  BODY_BYTES_MAX,
  messageChunks,
  type SignedMessage,
  signedMessage,
} from './signed-message.ts'

/** Shortest RSA key accepted; shorter ones have been broken (RFC 8301 §3.2). */
const RSA_BITS_MIN = 1024

/** Name of the verifying host, for the %{r} macro of explanations (RFC 7208 §7.3); nobody reads them. */
const VERIFIER = 'unknown'

/** What is known of the delivery besides the message. */
export interface Delivery {
  /** IP address of the client that handed the message to the receiving host, in canonical text. */
  readonly senderIp?: string
  /** MAIL FROM; '' is the null sender. */
  readonly mailFrom?: string
  /** The current time, by which signatures expire: a Received field may be the sender's own. */
  readonly now: Date
}

export interface Verification {
  readonly results: MethodResults
  /** What mailauth threw over this message, for the log; the methods concerned are `permerror`. */
  readonly failure?: Error
}

interface Dkim {
  readonly results: readonly MethodResult[]
  /** True when signatures were not verified for lack of time, or because of a size that honest mail may have. */
  readonly isUnread: boolean
  /** What ARC needs from mailauth's reading, and where its keys are asked for; undefined when there is no chain. */
  readonly verified: { readonly reading: DKIMVerifyResult; readonly keys: Resolve } | undefined
  readonly failure?: Error
}

/** Loads mailauth, which takes 0.3 s and 40 MB: awaited at the start, or the first message pays for it. */
export function loadMailauth(): Promise<typeof import('mailauth')> {
  return import('mailauth')
}

/** Verifies `message`, whose bytes are `octets`: by the deadline all questions have failed. Never rejects. */
export async function verifyMessage(
  octets: Octets,
  message: Pick<Message, 'fields'>,
  delivery: Delivery,
  resolver: DnsResolver,
  timeoutMs: number,
): Promise<Verification> {
  const dns = resolver.forMessage(timeoutMs)
  try {
    return await verifyAll(octets, message, delivery, dns)
  } catch (error) {
    return { results: allMethods('permerror'), failure: error as Error }
  } finally {
    dns.close()
  }
}

/** The same result for every method. */
export function allMethods(word: ResultWord): MethodResults {
  const result = methodResult(word, undefined)
  return { spf: result, dkim: [result], dmarc: result, arc: result }
}

async function verifyAll(
  octets: Octets,
  message: Pick<Message, 'fields'>,
  delivery: Delivery,
  dns: MessageResolver,
): Promise<Verification> {
  const authors = authorDomains(message).domains.filter((domain) => !isLiteral(domain))
  const [spfResult, dkim] = await Promise.all([
    verifySpf(message, delivery, dns),
    verifyDkim(octets, message, delivery, dns),
    // The records of the authors' domains are asked for ahead: a sender with slow servers must not use
    // up the time, and so turn a DMARC fail into a temperror.
    Promise.all(authors.map((author) => verifyDmarc(author, undefined, NO_DKIM, dns))),
  ])
  const [dmarcResults, arcResult] = await Promise.all([
    Promise.all(authors.map((author) => verifyDmarc(author, spfResult, dkim, dns))),
    verifyArc(dkim),
  ])
  const worst = worstOf(dmarcResults)
  // Where From does not name one domain, only a failure says something (RFC 9989 §5.3.1).
  const hasAuthor = authorDomain(message) !== undefined
  const dmarcResult = hasAuthor || worst?.result === 'fail' ? worst : undefined
  return {
    results: { spf: spfResult, dkim: dkim.results, dmarc: dmarcResult, arc: arcResult },
    ...(dkim.failure === undefined ? {} : { failure: dkim.failure }),
  }
}

/** The result of SPF; undefined when the client or the envelope sender is not known. */
async function verifySpf(
  message: Pick<Message, 'fields'>,
  { senderIp, mailFrom }: Delivery,
  dns: MessageResolver,
): Promise<MethodResult | undefined> {
  if (senderIp === undefined || mailFrom === undefined) return undefined
  const helo = heloOf(message, senderIp)
  if (mailFrom === '' && helo === undefined) return methodResult('none', undefined)
  const { spf } = await loadMailauth()
  const { status, domain } = await spf({
    ip: senderIp,
    sender: mailFrom,
    // Macros need a name; without one they get the address, as in Received fields.
    helo: helo ?? `[${senderIp}]`,
    mta: VERIFIER,
    resolver: mailauthResolver(dns),
    strict: true,
  })
  return methodResult(resultWord(status.result) ?? 'permerror', domain)
}

async function verifyDkim(
  octets: Octets,
  message: Pick<Message, 'fields'>,
  delivery: Delivery,
  dns: MessageResolver,
): Promise<Dkim> {
  const isClaimed = message.fields.some(({ name }) => name === 'dkim-signature')
  const signed = signedMessage(octets, message)
  if (signed === undefined || !(signed.isSigned || signed.hasArc)) {
    // Honest mail only ever exceeds the bound on the body.
    return unverified(isClaimed ? 'neutral' : 'none', isClaimed && octets.length > BODY_BYTES_MAX)
  }
  try {
    const { dkimVerify } = await loadMailauth()
    const chunks = messageChunks(octets, signed, dns.hasExpired)
    const keys = acceptableKeys(signed.fields, dns)
    const reading = await dkimVerify(Readable.from(chunks), {
      resolver: mailauthResolver({ resolve: keys }),
      curTime: delivery.now,
      minBitLength: RSA_BITS_MIN,
      strict: true,
    })
    if (!readAlike(signed, reading)) return unverified(isClaimed ? 'neutral' : 'none')
    const results = reading.results.map(dkimResult)
    return { results, isUnread: false, verified: signed.hasArc ? { reading, keys } : undefined }
  } catch (error) {
    if (dns.hasExpired()) return unverified('temperror', true)
    // A RangeError means a line that is too long; anything else is an error in mailauth with this message.
    if (error instanceof RangeError) return unverified('neutral')
    return { ...unverified('permerror'), failure: error as Error }
  }
}

function unverified(result: ResultWord, isUnread = false): Dkim {
  return { results: [methodResult(result, undefined)], isUnread, verified: undefined }
}

const NO_DKIM = unverified('none')

/** True when mailauth read the same fields as we did: else one version could be verified and another shown. */
function readAlike({ fields }: SignedMessage, { headers }: DKIMVerifyResult): boolean {
  const parsed = headers?.parsed ?? []
  return parsed.length === fields.length && parsed.every((read, at) => isAlike(read, fields[at]!))
}

function isAlike(read: { key: string; line: Buffer }, field: HeaderField): boolean {
  if (read.key !== field.name) return false
  const line = read.line.toString('latin1')
  return trimmed(line.slice(line.indexOf(':') + 1).replaceAll('\r\n', '')) === field.rawBody
}

/** `text` without blanks at its ends, as message/header.ts trims: not by `trim`, which takes the byte A0. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && ' \t'.includes(text.charAt(start))) start++
  while (end > start && ' \t'.includes(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** The result for one signature. One that leaves a part of the body unsigned (RFC 6376 §8.2) is against our policy. */
function dkimResult({ status, signingDomain }: DKIMResult): MethodResult {
  if (isRefusedKey(status.comment)) return methodResult('permerror', signingDomain)
  const isPartial = status.result === 'pass' && (status.underSized ?? 0) > 0
  const word = isPartial ? 'policy' : resultWord(status.result)
  return methodResult(word ?? 'permerror', signingDomain)
}

/** From the worst on; other words are no results of DMARC. */
const WORST_FIRST: readonly ResultWord[] = ['fail', 'permerror', 'temperror', 'neutral', 'none']

/** Of the results for the domains in From, the one that counts: the worst, and of failures that under the strictest policy. */
function worstOf(results: readonly (DmarcResult | undefined)[]): DmarcResult | undefined {
  const rank = ({ result, policy = 'none' }: DmarcResult) => {
    const at = WORST_FIRST.indexOf(result)
    return (at < 0 ? WORST_FIRST.length : at) * 10 - DMARC_POLICIES.indexOf(policy)
  }
  return results.filter((result) => result !== undefined).sort((a, b) => rank(a) - rank(b))[0]
}

/** The result of DMARC for one domain in From: 'none' when it publishes no record. */
async function verifyDmarc(
  author: string,
  spfResult: MethodResult | undefined,
  dkim: Dkim,
  dns: MessageResolver,
): Promise<DmarcResult | undefined> {
  const passed = dkim.results.flatMap(({ result, domain }) =>
    result === 'pass' && domain !== undefined ? [{ domain }] : [],
  )
  const { dmarc } = await loadMailauth()
  const found = await dmarc({
    headerFrom: author,
    spfDomains: spfResult?.result === 'pass' && spfResult.domain ? [spfResult.domain] : [],
    dkimDomains: passed,
    resolver: mailauthResolver(dns),
    strict: true,
  })
  if (found === false) return undefined
  const word = resultWord(found.status.result) ?? 'permerror'
  const result = methodResult(word === 'fail' ? failWord(author, spfResult, dkim) : word, author)
  return dmarcResult(result, found.policy)
}

/**
 * 'fail' when everything that could have passed was checked; 'temperror' when the DNS did not answer for the author's own domain;
 * 'neutral', not decided, when client or envelope is unknown or signatures were not read: SPF alone might have passed.
 */
function failWord(author: string, spfResult: MethodResult | undefined, dkim: Dkim): ResultWord {
  const asked = [...(spfResult === undefined ? [] : [spfResult]), ...dkim.results]
  const isOpen = asked.some(
    ({ result, domain }) => result === 'temperror' && isAligned(domain, author, 'relaxed'),
  )
  if (isOpen) return 'temperror'
  return spfResult === undefined || dkim.isUnread ? 'neutral' : 'fail'
}

/** The result of the chain, with the domain of its last sealer. It proves what sealers saw, not that they can be trusted. */
async function verifyArc({ verified }: Dkim): Promise<MethodResult> {
  const chain = verified?.reading.arc
  if (verified === undefined || chain === undefined) return methodResult('none', undefined)
  const { arc } = await loadMailauth()
  // mailauth calls a key that could not be fetched a failure of the chain.
  const { result, comment } = chain.lastEntry?.messageSignature?.status ?? {}
  let isOpen = result === 'temperror' && !isRefusedKey(comment)
  const resolve: Resolve = (name, type) =>
    verified.keys(name, type).catch((error: unknown) => {
      if (isFailedQuestion(error)) isOpen = true
      throw error
    })
  // mailauth's types have ARCData without `chain: false`, which its code reads.
  const found = await arc(chain as Parameters<typeof arc>[0], {
    resolver: mailauthResolver({ resolve }),
    minBitLength: RSA_BITS_MIN,
    strict: true,
  })
  const word = resultWord(found.status.result) ?? 'permerror'
  return methodResult(word === 'fail' && isOpen ? 'temperror' : word, sealerOf(chain))
}

function sealerOf({ lastEntry }: ARCSigningData): string | undefined {
  const sealer = lastEntry?.['arc-seal']?.parsed?.d?.value
  return typeof sealer === 'string' ? sealer : undefined
}

/** mailauth's type names text records and addresses only, while it asks for MX as well. */
function mailauthResolver({ resolve }: Pick<MessageResolver, 'resolve'>) {
  return resolve as (name: string, type: string) => Promise<string[]>
}

/**
 * The name by which the client at `senderIp` (canonical text) introduced itself (HELO, RFC 5321 §4.1.1.1), which SPF
 * checks when the envelope sender is null (RFC 7208 §2.3). It is in the topmost Received field, if that names the
 * client's address. No more trust is needed: HELO is the client's own claim, and SPF asks its domain.
 */
export function heloOf(message: Pick<Message, 'fields'>, senderIp: string): string | undefined {
  const clause = clientClause(message, senderIp)
  if (clause === undefined) return undefined
  // Exim writes the name into the comment: 'from host ([192.0.2.1] helo=name)'.
  const helo =
    /[\s(]e?helo=([^\s)]{1,255})/i.exec(clause)?.[1] ??
    /^from\s{1,9}([^\s;(]{1,255})/i.exec(clause)?.[1]
  return helo === undefined ? undefined : comparedHost(helo)
}
