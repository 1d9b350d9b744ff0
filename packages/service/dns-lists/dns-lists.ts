/**
 * Asks DNS lists about messages, and keeps how the lists are doing.
 *
 * A list that does not answer would make every message wait for the deadline, and one that refuses asks
 * to be left alone. So a list that fails is given a rest, and the verdicts are made without it: a
 * failure is counted and logged, and never speaks against a message.
 */
import { isIPv4 } from 'node:net'
import { isInNetworks, isPublicAddress, networkTable } from '../../mail/knowledge/network-table.ts'
import type { ListNames } from '../../mail/urls/list-names.ts'
import type { ListFailure, ListFinding, ListHit } from '../../mail/verdict/evidence.ts'
import { Health } from './health.ts'
import type { DnsList, ListCode } from './settings.ts'

/** Rest of a list that does not answer, in milliseconds: then one message more may wait in vain. */
const UNANSWERED_REST_MS = 60_000

/** Rest of a list that refuses, in milliseconds. To go on asking may get an address blocked for good. */
const REFUSED_REST_MS = 10 * 60_000

/** Least time between two log lines about the same failure of a list, in milliseconds. */
const LOG_INTERVAL_MS = 60 * 60_000

export interface DnsListsSettings {
  readonly lists: readonly DnsList[]
  /** Asks the DNS for the addresses of names; the answers are in step. Never rejects, and resolves by a deadline. */
  readonly lookUp: (names: readonly string[]) => Promise<readonly DnsAnswer[]>
  readonly log: { warn(fields: object, text: string): void }
  /** A clock in milliseconds, for tests. */
  readonly now?: () => number
}

/** How a list is doing. */
export interface ListStatus {
  readonly list: string
  /** Whether it is being given a rest. */
  readonly resting: boolean
  /** Why the last message that asked it went without its answer; undefined when it got one. */
  readonly lastFailure: ListFailure | undefined
}

interface Asked {
  readonly list: DnsList
  readonly health: Health<ListFailure>
}

export class DnsLists {
  readonly #lookUp: DnsListsSettings['lookUp']
  readonly #lists: readonly Asked[]

  constructor({ lists, lookUp, log, now }: DnsListsSettings) {
    this.#lookUp = lookUp
    this.#lists = lists.map((list) => ({
      list,
      health: new Health({
        restMs: UNANSWERED_REST_MS,
        logIntervalMs: LOG_INTERVAL_MS,
        // Without what the list was asked about.
        log: (fields) =>
          log.warn(
            { list: list.name, ...fields },
            'A DNS list failed; verdicts are made without it (docs/lists.md)',
          ),
        now,
      }),
    }))
  }

  status(): ListStatus[] {
    return this.#lists.map(({ list, health }) => ({
      list: list.name,
      resting: health.rests,
      lastFailure: health.lastFailure,
    }))
  }

  /** What each list says of a message with these names, delivered by `senderIp`. Never rejects. */
  async ask(names: ListNames, senderIp: string | undefined): Promise<ListFinding[]> {
    const listable = { ...names, senderIp }
    const asked = this.#lists.map((each) => {
      const { rests } = each.health
      return { ...each, rests, questions: rests ? [] : questionsOf(each.list, listable) }
    })
    const looked = asked.flatMap(({ questions }) => questions.map(({ name }) => name))
    const answers = looked.length === 0 ? [] : await this.#lookUp(looked)
    let next = 0
    return asked.map(({ list, health, rests, questions }) => {
      const own = answers.slice(next, next + questions.length)
      next += questions.length
      if (!rests) return findingOf({ list, health }, questions, own)
      return { list: list.name, lookups: 0, hits: [], failure: health.lastFailure ?? null }
    })
  }
}

function findingOf(
  { list, health }: Asked,
  questions: readonly ListQuestion[],
  answers: readonly DnsAnswer[],
): ListFinding {
  const read = questions.map(({ listed }, at) =>
    readAnswer(list, listed, answers[at] ?? 'ETIMEOUT'),
  )
  const { failure, address } = worstOf(read) ?? {}
  const isRefused = failure !== undefined && REFUSING.has(failure)
  // A question that was not sent says nothing of the list.
  if (questions.length > 0 && answers.length === questions.length && !answers.includes(NOT_ASKED)) {
    const isSilent = read.every((each) => each.failure === 'NO_ANSWER')
    const details = address === undefined ? {} : { answer: address }
    health.note(failure, isSilent, details, isRefused ? REFUSED_REST_MS : 0)
  }
  const hits = read.flatMap(({ hit }) => hit ?? [])
  return {
    list: list.name,
    lookups: questions.length,
    hits: isRefused ? [] : hits.toSorted((a, b) => b.logOdds - a.logOdds),
    failure: failure ?? null,
  }
}

/** Failures after which nothing more is asked for a while, and nothing that was answered beside them counts. */
const REFUSING: ReadonlySet<ListFailure> = new Set(['REFUSED', 'NOT_A_LIST'])

const WORST_FIRST: readonly ListFailure[] = ['REFUSED', 'NOT_A_LIST', 'NO_ANSWER', 'UNKNOWN_CODE']

function worstOf(read: readonly ReadAnswer[]): ReadAnswer | undefined {
  const failed = WORST_FIRST.map((reason) => read.find(({ failure }) => failure === reason))
  return failed.find((each) => each !== undefined)
}

/** What the addresses that a list answers with mean (RFC 5782 §2.3). */

/** What the DNS said: addresses, none when the name does not exist, or the code of an error. */
export type DnsAnswer = readonly string[] | string

/** In place of an answer: the question was not sent, because too many were in flight. */
export const NOT_ASKED = 'EBUSY'

/** Neither hit nor failure when the list does not have the name. */
interface ReadAnswer {
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

/** The names that a list is asked for (RFC 5782 §2): addresses backwards, domains as they are, and the zone. */

/** What of a message can be listed. */
interface Listable extends ListNames {
  /** The client that delivered it, in canonical text; undefined when it is not known. */
  readonly senderIp: string | undefined
}

interface ListQuestion {
  /** The domain or address that the list may hold. */
  readonly listed: string
  /** The name to look up. */
  readonly name: string
}

/**
 * Networks, besides those of homes and machines themselves, from which no mail comes: for benchmarks,
 * multicast and the future (RFC 6890), 6to4 relays. Those for documentation may be asked about.
 */
const RESERVED = networkTable([
  '192.0.0.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '224.0.0.0/3',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  'fec0::/10',
  'ff00::/8',
])

/** Groups of an IPv6 address, and hexadecimal digits of a group. */
const GROUPS = 8
const GROUP_DIGITS = 4

/** What `list` is asked about a message; nothing about private and reserved addresses. */
export function questionsOf(
  list: DnsList,
  { senderIp, domains, addresses }: Listable,
): ListQuestion[] {
  const asked = {
    ip: senderIp === undefined ? [] : [senderIp],
    domain: domains,
    url: [...domains, ...addresses],
  }[list.kind]
  return asked.flatMap((listed) => {
    const label = labelsOf(listed)
    return label === undefined ? [] : [{ listed, name: `${label}.${list.zone}` }]
  })
}

function labelsOf(listed: string): string | undefined {
  const isIp = isIPv4(listed) || listed.includes(':')
  if (!isIp) return listed
  return isAskedAbout(listed) ? reversed(listed) : undefined
}

function isAskedAbout(address: string): boolean {
  return isPublicAddress(address) && !isInNetworks(RESERVED, address)
}

/** '66.2.0.192' for '192.0.2.66'; for IPv6 each of the 32 digits is a label. */
function reversed(address: string): string {
  if (isIPv4(address)) return address.split('.').reverse().join('.')
  return [...ipv6Digits(address)].reverse().join('.')
}

function ipv6Digits(address: string): string {
  const [before = [], after = []] = address
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':')))
  const zeros = Array<string>(GROUPS - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].map((group) => group.padStart(GROUP_DIGITS, '0')).join('')
}
