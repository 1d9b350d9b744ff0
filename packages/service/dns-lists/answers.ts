/** What the addresses that a list answers with mean (RFC 5782 §2.3). */
import type { ListFailure, ListHit } from '../../mail/verdict/list-findings.ts'
import type { DnsList, ListCode } from './dns-list.ts'

/** What the DNS said: addresses, none when the name does not exist, or the code of an error. */
export type DnsAnswer = readonly string[] | string

/** In place of an answer: the question was not sent, because too many were in flight. */
export const NOT_ASKED = 'EBUSY'

/** Neither hit nor failure when the list does not have the name. */
export interface ReadAnswer {
  readonly hit?: ListHit
  readonly failure?: ListFailure
  /** The address that is no answer of the list. */
  readonly address?: string
}

/** Addresses of one answer that are read. A list answers with four at most. */
const ADDRESSES_MAX = 16

/** What an address of a list is in. Any other is of a server that answers every question with its own address. */
const LIST_ANSWERS = /^127\./

/**
 * Answers that say that the list was not asked: Spamhaus's 127.255.255.0/24 (a misspelt zone, a public
 * resolver, too many questions), and 127.0.0.1 of SURBL and URIBL, which no list uses for an entry.
 */
const REFUSALS = /^127\.255\.255\.\d+$|^127\.0\.0\.1$/

/** What `answer` of `list` says of `listed`. An answer that is none of the list's never counts against a message. */
export function readAnswer(list: DnsList, listed: string, answer: DnsAnswer): ReadAnswer {
  if (typeof answer === 'string') return { failure: 'NO_ANSWER' }
  const addresses = answer.slice(0, ADDRESSES_MAX)
  const foreign = addresses.find((address) => !LIST_ANSWERS.test(address))
  if (foreign !== undefined) return { failure: 'NOT_A_LIST', address: foreign }
  const refusal = addresses.find((address) => REFUSALS.test(address))
  if (refusal !== undefined) return { failure: 'REFUSED', address: refusal }
  const codes = addresses.flatMap((address) => codesOf(list, address))
  const [code] = codes.toSorted((a, b) => b.logOdds - a.logOdds)
  if (code !== undefined) return { hit: { listed, ...code } }
  const [unknown] = addresses
  return unknown === undefined ? {} : { failure: 'UNKNOWN_CODE', address: unknown }
}

function codesOf({ codes }: DnsList, address: string): ListCode[] {
  const exact = codes.get(address)
  if (exact !== undefined) return [exact]
  const last = Number(address.slice(address.lastIndexOf('.') + 1))
  return BITS.flatMap((bit) => ((last & bit) === 0 ? [] : (codes.get(`bit ${bit}`) ?? [])))
}

const BITS = [1, 2, 4, 8, 16, 32, 64, 128]
