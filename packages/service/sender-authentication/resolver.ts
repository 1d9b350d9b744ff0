/**
 * The only access to the DNS: the questions of all messages, each with a deadline, shared while they are in flight and
 * remembered for a while after. The sender chooses the questions, so that everything is bounded. One that cannot be answered in
 * time fails like one to an unreachable server (ETIMEOUT), which SPF, DKIM and DMARC report as `temperror`.
 */
import { Resolver } from 'node:dns/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/** Questions in flight at once; further ones fail, so that a dead DNS server cannot fill memory. */
const IN_FLIGHT_MAX = 1_024

/** Times a question is sent. UDP loses packets; the second attempt finds most answers. */
const TRIES = 2

/** Questions for one message: SPF may need some 30, DKIM and ARC one for each key, DMARC eight for each domain. */
const QUESTIONS_PER_MESSAGE_MAX = 100

/** Answers remembered. Bounds memory, with ANSWER_LENGTH_MAX, to some 16 MB. */
const CACHE_ENTRIES_MAX = 4_096

/** Characters of one text record, of which keys have up to 3,000. Stops an SPF record that mailauth reads in quadratic time. */
const TEXT_LENGTH_MAX = 4_096

/** Characters of an answer, as JSON, that is remembered; longer ones (up to 64 KB by TCP) are asked for again. */
const ANSWER_LENGTH_MAX = 4_096

/** Time for which answers are remembered that come without TTL (all but addresses): the shortest that owners commonly set. */
const ANSWER_TTL_MS = 5 * 60_000

/** Longest time that an answer is remembered, whatever its TTL: the removal of a record has to take effect soon. */
const ANSWER_TTL_MAX_MS = 60 * 60_000

/** The time for "no such name" and "no such record": shorter, since records are added more often than removed. */
const NEGATIVE_TTL_MS = 60_000

/** The time for failures (RFC 9520 §3.2: at least one second). Spares a dead server the same question a hundred times a second. */
const FAILURE_TTL_MS = 5_000

/** Longest name that DNS allows (RFC 1035 §2.3.4). */
const NAME_LENGTH_MAX = 253

/** Error codes that mean that there is no such record; all others are failures. */
const NEGATIVE_CODES: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])

interface ResolverSettings {
  /** `address` or `address:port`; empty for the machine's servers. */
  readonly servers: readonly string[]
  /** Time for one question, both tries together, in milliseconds. */
  readonly queryTimeoutMs: number
  /** A clock in milliseconds, for tests. */
  readonly now?: () => number
}

/** Asks as `dns.promises.resolve` does: rejects with an Error whose `code` is a DNS error code. */
export type Resolve = (name: string, type: string) => Promise<unknown[]>

/** Asks the questions of one message. */
export interface MessageResolver {
  readonly resolve: Resolve
  /** Past the deadline all questions fail, also those in flight. */
  readonly hasExpired: () => boolean
  /** Stops the clock; to be called after the last question. */
  close(): void
}

/** Why a question has no answer. Each caller gets an error of its own, since mailauth writes to it. */
class DnsError extends Error {
  readonly code: string
  /** True when the question was not sent, because too many were in flight. */
  readonly isOwn: boolean

  constructor(code: string, name: string, type: string, isOwn = false) {
    super(`${code} ${type} ${name}`)
    this.code = code
    this.isOwn = isOwn
  }
}

/** True when a question failed because too many others were in flight: it says nothing of the server. */
export function isUnsentQuestion(error: unknown): boolean {
  return error instanceof DnsError && error.isOwn
}

/** True when a question failed, false when its answer was that there is no such record. */
export function isFailedQuestion(error: unknown): boolean {
  return error instanceof DnsError && !NEGATIVE_CODES.has(error.code)
}

/** The outcome of a question, which never rejects, so that many callers can share it. */
type Outcome =
  | { readonly records: readonly unknown[]; readonly ttlMs: number }
  | { readonly code: string; readonly ttlMs: number; readonly isOwn?: boolean }

export class DnsResolver {
  readonly #resolver: Resolver
  readonly #remembered: LRUCache<string, Outcome>
  readonly #underWay = new Map<string, Promise<Outcome>>()
  #inFlight = 0

  /** @throws TypeError when a server is not an address. */
  constructor({ servers, queryTimeoutMs, now = () => performance.now() }: ResolverSettings) {
    const tryMs = Math.max(1, Math.floor(queryTimeoutMs / TRIES))
    this.#resolver = new Resolver({ timeout: tryMs, tries: TRIES, maxTimeout: tryMs })
    if (servers.length > 0) this.#resolver.setServers(servers)
    this.#remembered = new LRUCache({
      max: CACHE_ENTRIES_MAX,
      maxEntrySize: ANSWER_LENGTH_MAX,
      sizeCalculation: (outcome) => JSON.stringify(outcome).length,
      ttlResolution: 0,
      perf: { now },
    })
  }

  /** How much is kept, for tests. */
  get load(): { inFlight: number; remembered: number } {
    return { inFlight: this.#inFlight, remembered: this.#remembered.size }
  }

  /** A resolver for one message. All its questions are answered or fail within `timeoutMs` from now. */
  forMessage(timeoutMs: number, questionsMax = QUESTIONS_PER_MESSAGE_MAX): MessageResolver {
    let questions = 0
    let isExpired = false
    const { promise: expired, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => {
      isExpired = true
      resolve(undefined)
    }, timeoutMs)
    const ask = async (name: string, type: string): Promise<unknown[]> => {
      let outcome: Outcome | undefined = this.#recall(name, type)
      // A remembered answer does not count as a question, and is given even after the deadline.
      if (outcome === undefined && !isExpired && ++questions <= questionsMax) {
        outcome = await Promise.race([this.#outcomeOf(name, type), expired])
      }
      if (outcome !== undefined && 'records' in outcome) return [...outcome.records]
      throw new DnsError(outcome?.code ?? 'ETIMEOUT', name, type, outcome?.isOwn)
    }
    return { resolve: ask, hasExpired: () => isExpired, close: () => clearTimeout(timer) }
  }

  /** Ends the questions in flight. */
  close(): void {
    this.#resolver.cancel()
  }

  #recall(name: string, type: string): Outcome | undefined {
    if (!isName(name)) return { code: 'EBADNAME', ttlMs: 0 }
    return this.#remembered.get(keyOf(name, type))
  }

  #outcomeOf(name: string, type: string): Promise<Outcome> {
    const key = keyOf(name, type)
    const asking = this.#underWay.get(key)
    if (asking !== undefined) return asking
    const asked = this.#query(name, type).then((outcome) => {
      this.#underWay.delete(key)
      // The library takes 0 for ever.
      if (outcome.ttlMs > 0) this.#remembered.set(key, outcome, { ttl: outcome.ttlMs })
      return outcome
    })
    this.#underWay.set(key, asked)
    return asked
  }

  async #query(name: string, type: string): Promise<Outcome> {
    if (this.#inFlight >= IN_FLIGHT_MAX) return { code: 'ETIMEOUT', ttlMs: 0, isOwn: true }
    this.#inFlight += 1
    try {
      return await this.#send(name, type)
    } catch (error) {
      const { code = 'EUNKNOWN' } = error as NodeJS.ErrnoException
      return { code, ttlMs: NEGATIVE_CODES.has(code) ? NEGATIVE_TTL_MS : FAILURE_TTL_MS }
    } finally {
      this.#inFlight -= 1
    }
  }

  async #send(name: string, type: string): Promise<Outcome> {
    if (type === 'A' || type === 'AAAA') {
      const resolve = type === 'A' ? 'resolve4' : 'resolve6'
      const addresses = await this.#resolver[resolve](name, { ttl: true })
      const ttlMs = Math.min(ANSWER_TTL_MAX_MS, ...addresses.map(({ ttl }) => ttl * 1_000))
      return { records: addresses.map(({ address }) => address), ttlMs }
    }
    const found = (await this.#resolver.resolve(name, type)) as unknown[]
    const records = type === 'TXT' ? found.filter(isShortText) : found
    return { records, ttlMs: ANSWER_TTL_MS }
  }
}

function isShortText(strings: unknown): boolean {
  return (strings as string[]).join('').length <= TEXT_LENGTH_MAX
}

function keyOf(name: string, type: string): string {
  return `${type} ${name.toLowerCase()}`
}

/** True for a name without empty labels, without labels above 63 octets, and of visible ASCII (RFC 1035 §2.3.4): the library would refuse others later. */
function isName(name: string): boolean {
  const labels = name.endsWith('.') ? name.slice(0, -1) : name
  return (
    name.length <= NAME_LENGTH_MAX && /^[!-\-/-~]{1,63}(?:\.[!-\-/-~]{1,63}){0,126}$/.test(labels)
  )
}

/** A name that every resolver of the internet knows, and that tells it nothing of whoever asks: a root server's (RFC 8109 §3). */
const EXISTING_NAME = 'a.root-servers.net'

/** Time for the answer, in milliseconds: a resolver that takes longer would leave most messages without results. */
const DEADLINE_MS = 1_000

/** Pauses between two questions, in milliseconds: a machine that is starting has its network in seconds; later, one packet a minute costs nothing. */
const PAUSE_MS_MIN = 1_000
const PAUSE_MS_MAX = 60_000

/** Whether one of `servers` answers in time; those of the machine for an empty list. Asks once, twice when the packet is lost. */
export async function dnsAnswers(servers: readonly string[]): Promise<boolean> {
  const resolver = new DnsResolver({ servers, queryTimeoutMs: DEADLINE_MS })
  const dns = resolver.forMessage(DEADLINE_MS, 1)
  try {
    await dns.resolve(EXISTING_NAME, 'A')
    return true
  } catch {
    return false
  } finally {
    dns.close()
    resolver.close()
  }
}

/** Resolves when a server answers, asked in ever longer pauses, or when `signal` aborts. Whether one does. */
export async function dnsAnswersAtLast(
  servers: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  for (let pauseMs = PAUSE_MS_MIN; !signal.aborted; pauseMs = Math.min(2 * pauseMs, PAUSE_MS_MAX)) {
    await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => {})
    if (!signal.aborted && (await dnsAnswers(servers))) return !signal.aborted
  }
  return false
}
