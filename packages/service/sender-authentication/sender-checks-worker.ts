/** The thread that verifies senders by DNS, with the only resolver of the process. */
import { workerData } from 'node:worker_threads'
import { bodyOctets } from '../admission/body-octets.ts'
import type { MessageBody } from '../admission/message-body.ts'
import { answerCalls } from '../threads/answer-calls.ts'
import { DnsResolver } from './resolver.ts'
import { type AuthenticatedSender, startAuthentication } from './sender-authentication.ts'
import { steadyNow } from './steady-clock.ts'
import { type Delivery, loadMailauth } from './verify.ts'

export interface VerifyWorkerData {
  /** DNS servers; empty for the machine's. */
  readonly dnsServers: readonly string[]
  /** Time for one question, in milliseconds. */
  readonly queryTimeoutMs: number
}

export interface VerifyTask {
  readonly body: MessageBody
  readonly delivery: Delivery
  /** The deadline on the clock of `steadyNow`, so that waiting for this thread counts. */
  readonly deadline: number
}

const { dnsServers, queryTimeoutMs } = workerData as VerifyWorkerData

const resolver = new DnsResolver({ servers: dnsServers, queryTimeoutMs })

// Otherwise the first message would wait for it, and be too late.
await loadMailauth()

export type VerifyCalls = typeof CALLS

const CALLS = {
  /** To be called before the first message. */
  ready: () => {},
  verify: async ({ body, delivery, deadline }: VerifyTask): Promise<AuthenticatedSender> => {
    const timeoutMs = Math.max(1, deadline - steadyNow())
    const settings = { authservIds: [], resolver, timeoutMs }
    return await startAuthentication(bodyOctets(body), delivery, settings).sender
  },
}

answerCalls(CALLS)
