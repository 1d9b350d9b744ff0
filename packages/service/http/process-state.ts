/** What the threads of a service say of themselves in /ready, put together. */
import type { ListStatus } from '../dns-lists/dns-lists.ts'
import type { ScannerStatus } from '../scanner/scanner.ts'

export interface ProcessState {
  /** How DNS lists do; undefined without lists. */
  readonly lists: readonly ListStatus[] | undefined
  /** How the virus scanner does; undefined without one. */
  readonly scanner: ScannerStatus | undefined
  /** Whether senders are checked by DNS. */
  readonly checksSenders: boolean
}

/** Asks a thread for its state. */
export const PROCESS_STATE = 'state'

/** Of `own` and `others` together. A list or the scanner rests if one of them gives it a rest, since each asks for itself. */
export function stateOfAll(own: ProcessState, others: readonly ProcessState[]): ProcessState {
  const all = [own, ...others]
  const statuses = Map.groupBy(
    others.flatMap(({ lists }) => lists ?? []),
    ({ list }) => list,
  )
  return {
    checksSenders: all.every(({ checksSenders }) => checksSenders),
    scanner: own.scanner && worstOf([own.scanner, ...others.flatMap((it) => it.scanner ?? [])]),
    lists: own.lists?.map((status) => worstOf([status, ...(statuses.get(status.list) ?? [])])),
  }
}

/** One at rest, else one that failed, else the first. */
function worstOf<Status extends ListStatus | ScannerStatus>(
  statuses: readonly [Status, ...Status[]],
): Status {
  const resting = statuses.find(({ resting }) => resting)
  const failed = statuses.find(({ lastFailure }) => lastFailure !== undefined)
  return resting ?? failed ?? statuses[0]
}
