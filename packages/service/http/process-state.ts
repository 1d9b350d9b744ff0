/** What the processes of a service say of themselves in /stats and /ready, put together. */
import type { ListStatus } from '../dns-lists/dns-lists.ts'
import { topic } from '../siblings/siblings.ts'

export interface ProcessState {
  /** Requests that wait to be judged. */
  readonly queueDepth: number
  /** How DNS lists do; undefined without lists. */
  readonly lists: readonly ListStatus[] | undefined
}

/** Asks a process for its state. */
export const PROCESS_STATE = topic<[], ProcessState>('process state')

/** Of `own` and `others` together. A list rests if one of them gives it a rest: each asks it for itself. */
export function stateOfAll(own: ProcessState, others: readonly ProcessState[]): ProcessState {
  const all = [own, ...others]
  const statuses = Map.groupBy(
    others.flatMap(({ lists }) => lists ?? []),
    ({ list }) => list,
  )
  return {
    queueDepth: all.reduce((sum, { queueDepth }) => sum + queueDepth, 0),
    lists: own.lists?.map((status) => worstOf([status, ...(statuses.get(status.list) ?? [])])),
  }
}

/** One at rest, else one that failed, else the first. */
function worstOf(statuses: readonly [ListStatus, ...ListStatus[]]): ListStatus {
  const resting = statuses.find(({ resting }) => resting)
  const failed = statuses.find(({ lastFailure }) => lastFailure !== undefined)
  return resting ?? failed ?? statuses[0]
}
