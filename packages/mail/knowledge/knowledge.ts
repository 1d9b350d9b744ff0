/** What is known of the world's senders and hosts: facts that no message tells by itself. */
import type { DomainTable } from './domain-table.ts'
import type { NetworkTable } from './network-table.ts'

/** In the service over shared memory, so that every thread reads one copy. */
export interface Knowledge {
  /** Of the artifact, for logs: '2026.11.1'. */
  readonly version: string
  readonly domains: DomainTable
  /** Of mailing services and large mailbox providers. */
  readonly networks: NetworkTable
}
