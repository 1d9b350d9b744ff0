/**
 * The thread that verifies senders, looks names up in DNS lists, and has messages scanned. The first two have a resolver each, so
 * that neither takes the other's places and remembered answers.
 */
import type { NetConnectOpts } from 'node:net'
import { workerData } from 'node:worker_threads'
import { bodyOctets, type MessageBody } from '../admission/message-body.ts'
import { type DnsAnswer, NOT_ASKED } from '../dns-lists/dns-lists.ts'
import { type Scanned, scanWithClamd } from '../scanner/clamd.ts'
import { answerCalls, steadyNow } from '../threads/calls.ts'
import {
  DnsResolver,
  isFailedQuestion,
  isUnsentQuestion,
  type MessageResolver,
} from './resolver.ts'
import { type AuthenticatedSender, verifiedSender } from './sender-authentication.ts'
import { type Delivery, loadMailauth } from './verify.ts'

export interface VerifyThreadData {
  /** Hosts whose seals excuse a failure; their fields were read before. */
  readonly authservIds: readonly string[]
  /** DNS servers to verify with, those of the machine for an empty list; undefined for no verification. */
  readonly dnsServers: readonly string[] | undefined
  /** DNS servers to ask about lists; undefined when there are no lists. */
  readonly listServers: readonly string[] | undefined
  /** Time for one question, in milliseconds. */
  readonly queryTimeoutMs: number
  /** Where clamd listens; undefined for no scans. */
  readonly clamd: NetConnectOpts | undefined
}

export interface VerifyTask {
  readonly body: MessageBody
  readonly delivery: Delivery
  /** The deadline on the clock of `steadyNow`, so that waiting for this thread counts. */
  readonly deadline: number
}

export interface LookUpTask {
  readonly names: readonly string[]
  /** As of a VerifyTask. */
  readonly deadline: number
}

export interface ScanTask {
  readonly body: MessageBody
  /** As of a VerifyTask. */
  readonly deadline: number
}

/** Messages verified at once, and as many whose names are looked up, or that are scanned or wait for it. */
const AT_ONCE_MAX = 1_024

/** Scans at once: clamd's default for its threads (MaxThreads). It scans no more of them sooner. */
const SCANS_MAX = 10

const { authservIds, dnsServers, listServers, queryTimeoutMs, clamd } =
  workerData as VerifyThreadData

const resolver = dnsServers && new DnsResolver({ servers: dnsServers, queryTimeoutMs })
const listResolver = listServers && new DnsResolver({ servers: listServers, queryTimeoutMs })

// Otherwise the first message would wait for it, and be too late.
if (resolver !== undefined) await loadMailauth()

export type VerifyCalls = typeof CALLS

const CALLS = {
  /** To be called before the first message. */
  ready: () => {},
  verify: bounded(({ body, delivery, deadline }: VerifyTask): Promise<AuthenticatedSender> => {
    const timeoutMs = Math.max(1, deadline - steadyNow())
    return verifiedSender(bodyOctets(body), delivery, authservIds, resolver!, timeoutMs)
  }),
  /** The addresses of each name, in step; none for one that does not exist. */
  lookUp: bounded(async ({ names, deadline }: LookUpTask): Promise<DnsAnswer[]> => {
    // Their number is bounded where they are drawn (dns-lists.ts).
    const dns = listResolver!.forMessage(Math.max(1, deadline - steadyNow()), names.length)
    try {
      return await Promise.all(names.map((name) => addressesOf(dns, name)))
    } finally {
      dns.close()
    }
  }),
  /** What clamd says of a message. */
  scan: bounded(async ({ body, deadline }: ScanTask): Promise<Scanned> => {
    await scanPlace()
    try {
      return await scanWithClamd(bodyOctets(body), clamd!, deadline - steadyNow())
    } finally {
      freeScanPlace()
    }
  }),
}

/** `work`, of which AT_ONCE_MAX may be in progress; undefined beyond that. */
function bounded<Task, Answer>(work: (task: Task) => Promise<Answer>) {
  let count = 0
  return async (task: Task): Promise<Answer | undefined> => {
    if (count >= AT_ONCE_MAX) return undefined
    count += 1
    try {
      return await work(task)
    } finally {
      count -= 1
    }
  }
}

let scans = 0
const waiting: (() => void)[] = []

/** Resolves when fewer than SCANS_MAX are under way. Each ends by its deadline, so whoever waits for longer finds its own past. */
async function scanPlace(): Promise<void> {
  if (scans < SCANS_MAX) scans += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
}

/** The place of the one that has ended goes to the one that has waited longest. */
function freeScanPlace(): void {
  const next = waiting.shift()
  if (next === undefined) scans -= 1
  else next()
}

async function addressesOf(dns: MessageResolver, name: string): Promise<DnsAnswer> {
  try {
    return (await dns.resolve(name, 'A')) as string[]
  } catch (error) {
    if (isUnsentQuestion(error)) return NOT_ASKED
    return isFailedQuestion(error) ? (error as NodeJS.ErrnoException).code! : []
  }
}

answerCalls(CALLS)
