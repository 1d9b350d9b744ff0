/** The results of SPF, DKIM, DMARC and ARC, from us or from a trusted host, in the words of RFC 8601 §2.7. */
import { comparedHost } from '../../mail/personalization/sender-address.ts'
import { DMARC_POLICIES, type DmarcPolicy } from '../../mail/verdict/evidence.ts'

const RESULT_WORDS = [
  'pass',
  'fail',
  'softfail',
  'neutral',
  'none',
  'policy',
  'temperror',
  'permerror',
] as const

export type ResultWord = (typeof RESULT_WORDS)[number]

/** The result of one method. */
export interface MethodResult {
  readonly result: ResultWord
  /** The domain of MAIL FROM or HELO (SPF), the signing domain (DKIM, ARC), or that of From (DMARC), as comparedHost gives it. */
  readonly domain?: string
}

/** The result of DMARC, and what the domain asks for where it fails. */
export interface DmarcResult extends MethodResult {
  /** Absent where the domain has no record, and where a trusted host does not tell it. */
  readonly policy?: DmarcPolicy
}

/** The results of all methods; undefined for a method that was not used. */
export interface MethodResults {
  readonly spf: MethodResult | undefined
  /** One for each signature, topmost first; a lone 'none' when there is none. */
  readonly dkim: readonly MethodResult[]
  readonly dmarc: DmarcResult | undefined
  readonly arc: MethodResult | undefined
}

/** The results when no method was used. */
export const NO_RESULTS: MethodResults = {
  spf: undefined,
  dkim: [],
  dmarc: undefined,
  arc: undefined,
}

/** A result, given a domain that may be missing or invalid. */
export function methodResult(result: ResultWord, domain: string | undefined): MethodResult {
  const compared = domain === undefined ? undefined : comparedDomain(domain)
  return compared === undefined ? { result } : { result, domain: compared }
}

/** `result` with a policy, given the word for one. */
export function dmarcResult(result: MethodResult, word: string | undefined): DmarcResult {
  const lower = word?.toLowerCase()
  const policy = DMARC_POLICIES.find((known) => known === lower)
  return policy === undefined ? result : { ...result, policy }
}

/** `word` when the standard defines it. A guess at words of single hosts ('bestguesspass') could be abused to get a pass. */
export function resultWord(word: string): ResultWord | undefined {
  const lower = word.toLowerCase()
  return RESULT_WORDS.find((known) => known === lower)
}

/** A domain in the form compared, without the dot of the root; undefined when it is not a domain. */
function comparedDomain(written: string): string | undefined {
  return comparedHost(written.endsWith('.') ? written.slice(0, -1) : written)
}
