/**
 * Asks DNS lists about messages, and keeps how the lists are doing.
 *
 * A list that does not answer would make every message wait for the deadline, and one that refuses asks
 * to be left alone. So a list that fails is given a rest, and the verdicts are made without it: a
 * failure is counted and logged, and never speaks against a message.
 */
import type { ListNames } from '../../mail/urls/list-names.ts'
import type { ListFailure, ListFinding, ListHit } from '../../mail/verdict/list-findings.ts'
import { type DnsAnswer, NOT_ASKED, type ReadAnswer, readAnswer } from './answers.ts'
import type { DnsList } from './dns-list.ts'
import { type ListQuestion, questionsOf } from './questions.ts'

/** Messages in a row without any answer of a list, after which it is given a rest. */
const UNANSWERED_MAX = 3

/** Rest of a list that does not answer, in milliseconds: then one message more may wait in vain. */
const UNANSWERED_REST_MS = 60_000

/** Rest of a list that refuses, in milliseconds. To go on asking may get an address blocked for good. */
const REFUSED_REST_MS = 10 * 60_000

/** Least time between two log lines about the same failure of a list, in milliseconds. */
const LOG_INTERVAL_MS = 60 * 60_000

export interface DnsListsSettings {
  readonly lists: readonly DnsList[]
  /** Domains of the operator's own; nothing is asked about them, nor about names above or below. */
  readonly ownDomains: readonly string[]
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

interface State {
  readonly list: DnsList
  readonly loggedAt: Map<ListFailure, number>
  lastFailure: ListFailure | undefined
  unanswered: number
  restUntil: number
}

export class DnsLists {
  readonly #settings: DnsListsSettings
  readonly #states: readonly State[]
  readonly #now: () => number

  constructor(settings: DnsListsSettings) {
    this.#settings = settings
    this.#now = settings.now ?? (() => performance.now())
    this.#states = settings.lists.map((list) => ({
      list,
      loggedAt: new Map(),
      lastFailure: undefined,
      unanswered: 0,
      restUntil: Number.NEGATIVE_INFINITY,
    }))
  }

  status(): ListStatus[] {
    const now = this.#now()
    return this.#states.map(({ list, lastFailure, restUntil }) => ({
      list: list.name,
      resting: restUntil > now,
      lastFailure,
    }))
  }

  /** What each list says of a message with these names, delivered by `senderIp`. Never rejects. */
  async ask(names: ListNames, senderIp: string | undefined): Promise<ListFinding[]> {
    const listable = { ...names, domains: names.domains.filter(this.#isForeign), senderIp }
    const now = this.#now()
    const asked = this.#states.map((state) => ({
      state,
      rests: state.restUntil > now,
      questions: state.restUntil > now ? [] : questionsOf(state.list, listable),
    }))
    const looked = asked.flatMap(({ questions }) => questions.map(({ name }) => name))
    const answers = looked.length === 0 ? [] : await this.#settings.lookUp(looked)
    let next = 0
    return asked.map(({ state, rests, questions }) => {
      const own = answers.slice(next, next + questions.length)
      next += questions.length
      if (!rests) return this.#read(state, questions, own)
      return { list: state.list.name, lookups: 0, hits: [], failure: state.lastFailure ?? null }
    })
  }

  readonly #isForeign = (domain: string): boolean =>
    !this.#settings.ownDomains.some(
      (own) => domain === own || domain.endsWith(`.${own}`) || own.endsWith(`.${domain}`),
    )

  #read(
    state: State,
    questions: readonly ListQuestion[],
    answers: readonly DnsAnswer[],
  ): ListFinding {
    const { list } = state
    const read = questions.map(({ listed }, at) =>
      readAnswer(list, listed, answers[at] ?? 'ETIMEOUT'),
    )
    const worst = worstOf(read)
    const failure = worst?.failure
    // A question that was not sent says nothing of the list.
    const wereAsked = answers.length === questions.length && !answers.includes(NOT_ASKED)
    if (questions.length > 0 && wereAsked) this.#note(state, worst, read)
    const isRefused = failure !== undefined && REFUSING.has(failure)
    return {
      list: list.name,
      lookups: questions.length,
      hits: isRefused ? [] : weightiestFirst(read.flatMap(({ hit }) => hit ?? [])),
      failure: failure ?? null,
    }
  }

  /** Keeps how the list did for a message, and gives it a rest where that is due. */
  #note(state: State, worst: ReadAnswer | undefined, read: readonly ReadAnswer[]): void {
    const now = this.#now()
    const isSilent = read.every(({ failure }) => failure === 'NO_ANSWER')
    state.lastFailure = worst?.failure
    state.unanswered = isSilent ? state.unanswered + 1 : 0
    if (worst?.failure === undefined) return
    if (REFUSING.has(worst.failure)) state.restUntil = now + REFUSED_REST_MS
    else if (state.unanswered >= UNANSWERED_MAX) state.restUntil = now + UNANSWERED_REST_MS
    this.#logOnce(state, worst.failure, worst.address)
  }

  /** Logs each kind of failure of a list once an hour, without what the list was asked about. */
  #logOnce({ list, loggedAt }: State, reason: ListFailure, address: string | undefined): void {
    const now = this.#now()
    if (now - (loggedAt.get(reason) ?? Number.NEGATIVE_INFINITY) < LOG_INTERVAL_MS) return
    loggedAt.set(reason, now)
    const answer = address === undefined ? {} : { answer: address }
    this.#settings.log.warn(
      { list: list.name, reason, ...answer },
      'A DNS list failed; verdicts are made without it (docs/lists.md)',
    )
  }
}

/** Failures after which nothing more is asked for a while, and nothing that was answered beside them counts. */
const REFUSING: ReadonlySet<ListFailure> = new Set(['REFUSED', 'NOT_A_LIST'])

const WORST_FIRST: readonly ListFailure[] = ['REFUSED', 'NOT_A_LIST', 'NO_ANSWER', 'UNKNOWN_CODE']

function worstOf(read: readonly ReadAnswer[]): ReadAnswer | undefined {
  const failed = WORST_FIRST.map((reason) => read.find(({ failure }) => failure === reason))
  return failed.find((each) => each !== undefined)
}

function weightiestFirst(hits: readonly ListHit[]): ListHit[] {
  return hits.toSorted((a, b) => b.logOdds - a.logOdds)
}
