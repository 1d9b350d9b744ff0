/**
 * What the DNS says of a message: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 9989) and ARC
 * (RFC 8617), verified here by mailauth. Its strict modes are used: what breaks a standard proves
 * nothing.
 *
 * mailauth's parts are called one by one and not through its `authenticate`, because what a
 * signature is worth is decided between them: one that covers only a part of the body (`l=`)
 * vouches for nothing here, while mailauth would have it pass DMARC.
 *
 * Everything ends by the deadline. What is not known by then is `temperror`.
 */
import { Readable } from 'node:stream'
import type { ARCSigningData, DKIMResult, DKIMVerifyResult } from 'mailauth'
import type { HeaderField, Message } from '../../mail/message/message.ts'
import type { Octets } from '../../mail/message/octets.ts'
import { isAligned } from './alignment.ts'
import { parseArcAuthenticationResults } from './authentication-results.ts'
import { authorDomain } from './author.ts'
import { heloOf } from './helo.ts'
import {
  type DnsResolver,
  isFailedQuestion,
  type MessageResolver,
  type Resolve,
} from './resolver.ts'
import {
  type ArcResult,
  type MethodResult,
  type MethodResults,
  methodResult,
  type ResultWord,
  resultWord,
} from './results.ts'
import {
  BODY_BYTES_MAX,
  messageChunks,
  type SignedMessage,
  signedMessage,
} from './signed-message.ts'

/** RSA keys below it have been broken (RFC 8301 §3.2). */
const RSA_BITS_MIN = 1024

/** Name of the verifying host, for the %{r} macro of explanations (RFC 7208 §7.3); nobody reads them. */
const VERIFIER = 'unknown'

/** Added to the deadline for the code that runs after it; past that, whatever still runs is left to itself. */
const GRACE_MS = 250

/** What is known of the delivery beside the message. */
export interface Delivery {
  /** Of the client that handed the message to the receiving host, canonical text. */
  readonly senderIp?: string
  /** MAIL FROM; '' is the null sender. */
  readonly mailFrom?: string
  /**
   * The clock, by which signatures expire. Not the time of a Received field: in transit that may be
   * the sender's own, and whoever sends an expired signature again could name a day that it covers.
   */
  readonly now: Date
}

export interface Verification {
  readonly results: MethodResults
  /** What mailauth threw over this message, for the log; the methods concerned are `permerror`. */
  readonly failure?: Error
}

/** A verification under way. */
export interface RunningVerification {
  /** Resolves when the octets are no longer needed: the rest is DNS. */
  readonly octetsRead: Promise<void>
  /** Never rejects. */
  readonly verification: Promise<Verification>
}

interface Dkim {
  readonly results: readonly MethodResult[]
  /** True when there are signatures that were not verified, for want of time or for the size of honest mail. */
  readonly isUnread: boolean
  /** What ARC needs of mailauth's reading; undefined when there is no chain to look at. */
  readonly verified: DKIMVerifyResult | undefined
  readonly failure?: Error
}

/**
 * mailauth and what it needs take some 0.3 s and 40 MB to load, which a service without DNS need
 * not spend. To be awaited when the service starts: else the first message pays for it.
 */
export function loadMailauth(): Promise<typeof import('mailauth')> {
  return import('mailauth')
}

/** Verifies `message`, whose bytes are `octets`, within `timeoutMs`. */
export function startVerification(
  octets: Octets,
  message: Pick<Message, 'fields'>,
  delivery: Delivery,
  resolver: DnsResolver,
  timeoutMs: number,
): RunningVerification {
  const octetsRead = Promise.withResolvers<void>()
  const dns = resolver.forMessage(timeoutMs)
  const asked = verifyAll(octets, message, delivery, dns, octetsRead.resolve).catch(
    (error: Error) => ({ results: allMethods('permerror'), failure: error }),
  )
  const verification = Promise.race([asked, overdue(dns)]).finally(() => {
    octetsRead.resolve()
    dns.close()
  })
  return { octetsRead: octetsRead.promise, verification }
}

/** Nothing known in time, and the code that ought to have noticed did not either. */
async function overdue(dns: MessageResolver): Promise<Verification> {
  await dns.expired
  await new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref())
  return { results: allMethods('temperror') }
}

/** The same of every method. */
export function allMethods(word: ResultWord): MethodResults {
  const result = methodResult(word, undefined)
  return { spf: result, dkim: [result], dmarc: result, arc: result }
}

async function verifyAll(
  octets: Octets,
  message: Pick<Message, 'fields'>,
  delivery: Delivery,
  dns: MessageResolver,
  octetsRead: () => void,
): Promise<Verification> {
  const author = authorDomain(message)
  const [spfResult, dkim] = await Promise.all([
    verifySpf(message, delivery, dns),
    verifyDkim(octets, message, delivery, dns, octetsRead),
    // The record of the author's domain, asked for ahead: a sender whose own servers are slow
    // must not use up the time, and turn a DMARC fail into a temperror.
    verifyDmarc(author, undefined, NO_DKIM, dns),
  ])
  const [dmarcResult, arcResult] = await Promise.all([
    verifyDmarc(author, spfResult, dkim, dns),
    verifyArc(dkim, message, dns),
  ])
  return {
    results: { spf: spfResult, dkim: dkim.results, dmarc: dmarcResult, arc: arcResult },
    ...(dkim.failure === undefined ? {} : { failure: dkim.failure }),
  }
}

/** Undefined where the client or the envelope sender is not known: there is nothing to ask. */
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
    // Macros want a name; without one they get the address, as Received fields have it.
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
  octetsRead: () => void,
): Promise<Dkim> {
  const isClaimed = message.fields.some(({ name }) => name === 'dkim-signature')
  const signed = signedMessage(octets, message)
  if (signed === undefined || !(signed.isSigned || signed.hasArc)) {
    octetsRead()
    // Other bounds than that on the body are beyond what honest mail has.
    return unverified(isClaimed ? 'neutral' : 'none', isClaimed && octets.length > BODY_BYTES_MAX)
  }
  try {
    const { dkimVerify } = await loadMailauth()
    const chunks = messageChunks(octets, signed, dns.hasExpired, octetsRead)
    const verified = await dkimVerify(Readable.from(chunks), {
      resolver: mailauthResolver(dns),
      curTime: delivery.now,
      minBitLength: RSA_BITS_MIN,
      strict: true,
    })
    if (!readAlike(signed, verified)) return unverified(isClaimed ? 'neutral' : 'none')
    const results = verified.results.map(dkimResult)
    return { results, isUnread: false, verified: signed.hasArc ? verified : undefined }
  } catch (error) {
    if (dns.hasExpired()) return unverified('temperror', true)
    // A line too long; everything else is an error in mailauth, and of this message alone.
    if (error instanceof RangeError) return unverified('neutral')
    return { ...unverified('permerror'), failure: error as Error }
  } finally {
    octetsRead()
  }
}

function unverified(result: ResultWord, isUnread = false): Dkim {
  return { results: [methodResult(result, undefined)], isUnread, verified: undefined }
}

const NO_DKIM = unverified('none')

/**
 * True when mailauth read the same fields as we did. Where two readers differ on what is a field
 * and where the header ends, a sender can have the one verified and the other shown.
 */
function readAlike({ fields }: SignedMessage, { headers }: DKIMVerifyResult): boolean {
  const parsed = headers?.parsed ?? []
  return parsed.length === fields.length && parsed.every((read, at) => isAlike(read, fields[at]!))
}

function isAlike(read: { key: string; line: Buffer }, field: HeaderField): boolean {
  if (read.key !== field.name) return false
  const line = read.line.toString('latin1')
  return trimmed(line.slice(line.indexOf(':') + 1).replaceAll('\r\n', '')) === field.rawBody
}

/** Without blanks at the ends, as message/header.ts trims: not by `trim`, which takes the byte A0. */
function trimmed(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charAt(start))) start++
  while (end > start && isBlank(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t'
}

/** A signature that leaves a part of the body unsigned (RFC 6376 §8.2) is against our policy. */
function dkimResult({ status, signingDomain }: DKIMResult): MethodResult {
  const isPartial = status.result === 'pass' && (status.underSized ?? 0) > 0
  const word = isPartial ? 'policy' : resultWord(status.result)
  return methodResult(word ?? 'permerror', signingDomain)
}

/** 'none' where the domain publishes no record; undefined where there is no one domain to ask about. */
async function verifyDmarc(
  author: string | undefined,
  spfResult: MethodResult | undefined,
  dkim: Dkim,
  dns: MessageResolver,
): Promise<MethodResult | undefined> {
  if (author === undefined) return undefined
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
  return methodResult(word === 'fail' ? failWord(author, spfResult, dkim) : word, author)
}

/**
 * 'fail' when all that could have passed was asked. It is 'temperror' when the DNS did not answer
 * for the author's own domain; that of others would not have helped, and a forger could name one
 * that never answers. It is 'neutral', not decided, when we were not told who sent it from where,
 * or did not read its signatures: a message of a domain with SPF alone is not forged for that.
 */
function failWord(author: string, spfResult: MethodResult | undefined, dkim: Dkim): ResultWord {
  const asked = [...(spfResult === undefined ? [] : [spfResult]), ...dkim.results]
  const isOpen = asked.some(
    ({ result, domain }) => result === 'temperror' && isAligned(domain, author, 'relaxed'),
  )
  if (isOpen) return 'temperror'
  return spfResult === undefined || dkim.isUnread ? 'neutral' : 'fail'
}

/**
 * The chain as it stands, with the domain of its last sealer. A chain that passes proves that
 * the sealers saw the message so, and not who they are: anybody can seal. It vouches for nobody.
 */
async function verifyArc(
  { verified }: Dkim,
  message: Pick<Message, 'fields'>,
  dns: MessageResolver,
): Promise<ArcResult> {
  if (verified?.arc === undefined) return methodResult('none', undefined)
  const { arc } = await loadMailauth()
  // mailauth calls a key that could not be fetched a failure of the chain.
  let isOpen = verified.arc.lastEntry?.messageSignature?.status.result === 'temperror'
  const resolve: Resolve = (name, type) =>
    dns.resolve(name, type).catch((error: unknown) => {
      if (isFailedQuestion(error)) isOpen = true
      throw error
    })
  // mailauth's types have ARCData without `chain: false`, which its code reads.
  const found = await arc(verified.arc as Parameters<typeof arc>[0], {
    resolver: mailauthResolver({ resolve }),
    minBitLength: RSA_BITS_MIN,
    strict: true,
  })
  const word = resultWord(found.status.result) ?? 'permerror'
  const seen = word === 'pass' ? firstSealersDmarc(message) : undefined
  return {
    ...methodResult(word === 'fail' && isOpen ? 'temperror' : word, sealerOf(verified.arc)),
    ...(seen === undefined ? {} : { dmarcSeen: seen }),
  }
}

function sealerOf({ lastEntry }: ARCSigningData): string | undefined {
  const sealer = lastEntry?.['arc-seal']?.parsed?.d?.value
  return typeof sealer === 'string' ? sealer : undefined
}

function firstSealersDmarc({ fields }: Pick<Message, 'fields'>): ResultWord | undefined {
  const first = fields
    .filter(({ name }) => name === 'arc-authentication-results')
    .map(({ rawBody }) => parseArcAuthenticationResults(rawBody))
    .find((results) => results?.instance === 1)
  const dmarc = first?.statements.find(({ method }) => method === 'dmarc')
  return dmarc === undefined ? undefined : resultWord(dmarc.result)
}

/** mailauth's type names text records and addresses only, while it asks for MX as well. */
function mailauthResolver({ resolve }: Pick<MessageResolver, 'resolve'>) {
  return resolve as (name: string, type: string) => Promise<string[]>
}
