/** The thread on which senders are verified by DNS, with the one resolver of the process. */
import { workerData } from 'node:worker_threads'
import { bodyOctets } from '../admission/body-octets.ts'
import type { MessageBody } from '../admission/message-body.ts'
import { DnsResolver } from './resolver.ts'
import { type AuthenticatedSender, startAuthentication } from './sender-authentication.ts'
import { type Delivery, loadMailauth } from './verify.ts'

export interface VerifyWorkerData {
  /** Empty for those of the machine. */
  readonly dnsServers: readonly string[]
  readonly timeoutMs: number
}

export interface VerifyTask {
  readonly body: MessageBody
  readonly delivery: Delivery
}

const { dnsServers, timeoutMs } = workerData as VerifyWorkerData

/** Half of the message's time for one question, so that one silent server leaves time for others. */
const resolver = new DnsResolver({ servers: dnsServers, queryTimeoutMs: Math.ceil(timeoutMs / 2) })

/** To be asked before the first message, which would else wait for what verification needs. */
export async function load(): Promise<void> {
  await loadMailauth()
}

export async function verify({ body, delivery }: VerifyTask): Promise<AuthenticatedSender> {
  const settings = { authservIds: [], resolver, timeoutMs }
  return await startAuthentication(bodyOctets(body), delivery, settings).sender
}
