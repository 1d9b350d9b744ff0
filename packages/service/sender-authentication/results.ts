/**
 * What the four methods found out about a message, whoever asked them: SPF (RFC 7208), DKIM
 * (RFC 6376), DMARC (RFC 9989) and ARC (RFC 8617), in the words of RFC 8601 §2.7.
 */
import { comparedHost } from '../../mail/personalization/sender-address.ts'

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

/** What one method found. */
export interface MethodResult {
  readonly result: ResultWord
  /**
   * What the result is about: the domain of MAIL FROM or HELO (SPF), the signing domain (DKIM,
   * ARC), the domain of From (DMARC). As comparedHost gives it; absent when none was told.
   */
  readonly domain?: string
}

/** What ARC found, and what the first host of the chain claims to have found before it. */
export interface ArcResult extends MethodResult {
  /** DMARC as that host wrote it down; only of a chain that passes. */
  readonly dmarcSeen?: ResultWord
}

/** What all methods found; undefined where a method was not asked. */
export interface MethodResults {
  readonly spf: MethodResult | undefined
  /** One for each signature, topmost first; a lone 'none' when there is none. */
  readonly dkim: readonly MethodResult[]
  readonly dmarc: MethodResult | undefined
  readonly arc: ArcResult | undefined
}

/** Nobody was asked anything. */
export const NO_RESULTS: MethodResults = {
  spf: undefined,
  dkim: [],
  dmarc: undefined,
  arc: undefined,
}

/** A result whose domain may be missing or no domain at all. */
export function methodResult(result: ResultWord, domain: string | undefined): MethodResult {
  const compared = domain === undefined ? undefined : comparedDomain(domain)
  return compared === undefined ? { result } : { result, domain: compared }
}

/**
 * `word` when the standard knows it. Words of one host alone ('bestguesspass') and of older
 * standards say nothing: guessing what they mean would be a way to a pass.
 */
export function resultWord(word: string): ResultWord | undefined {
  const lower = word.toLowerCase()
  return RESULT_WORDS.find((known) => known === lower)
}

/** A domain in the form compared, without the dot of the root; undefined for what is none. */
function comparedDomain(written: string): string | undefined {
  return comparedHost(written.endsWith('.') ? written.slice(0, -1) : written)
}
