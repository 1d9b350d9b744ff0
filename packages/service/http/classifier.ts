/** The parts that classify messages, and their state. */
import { TamisError } from '../../errors/errors.ts'
import type { Analyser } from '../admission/analyser.ts'
import type { Receiver } from '../admission/receive.ts'
import type { BatchedWrites } from '../batched-writes.ts'
import type { ListStatus } from '../dns-lists/dns-lists.ts'
import type { Embedder } from '../encoder/embedder.ts'
import type { Feeds } from '../feeds/feeds.ts'
import type { HistoryEntry } from '../history/history-entry.ts'
import type { LearnedModels } from '../learned-models/learned-models.ts'
import { onJudged } from '../on-judged.ts'
import type { Policies } from '../policies.ts'
import type { Service } from '../request.ts'
import type { OperatorRules } from '../rules/operator-rules.ts'
import type { ScannerStatus } from '../scanner/scanner.ts'
import type { SenderChecks } from '../sender-authentication/sender-checks.ts'
import type { Shared } from '../threads/shared.ts'
import type { Correspondents } from '../users/correspondents.ts'
import type { MessageKeys } from '../users/message-keys.ts'
import type { Users } from '../users/users.ts'
import { Metrics } from './metrics.ts'

export interface ClassifierParts {
  readonly keys: MessageKeys
  readonly embedder: Embedder
  readonly rules: OperatorRules
  readonly users: Users
  /** With whom users write. */
  readonly correspondents: Correspondents
  readonly receiver: Receiver
  readonly learned: LearnedModels
  /** Undefined while the history is off. */
  readonly history: BatchedWrites<HistoryEntry> | undefined
  readonly analyser: Analyser
  readonly senderChecks: SenderChecks
  readonly feeds: Feeds
  readonly policies: Policies
  /** The version of the shipped models. */
  readonly modelsVersion: string
  /** Leads to the other threads of the service. */
  readonly shared: Shared
  /** Whether the file of the store was found to be malformed, on this thread or another. */
  readonly isStoreDamaged: () => boolean
}

/** The parts, with what is to be known of them. */
export interface Classifier
  extends Omit<ClassifierParts, 'shared' | 'isStoreDamaged'>,
    Pick<Service, 'onJudged'> {
  readonly metrics: Metrics
  /** Why other machines should send their messages elsewhere; undefined if they need not. Those that come are judged. */
  readonly notReady: TamisError | undefined
  /** The state of all threads of the service. */
  state(): Promise<ProcessState>
}

export function classifierOf({ shared, isStoreDamaged, ...parts }: ClassifierParts): Classifier {
  const { analyser, senderChecks, correspondents, history } = parts
  const ownState = (): ProcessState => ({
    lists: senderChecks.lists?.status(),
    scanner: senderChecks.scanner?.status(),
    checksSenders: senderChecks.asksDns,
  })
  shared.answer(PROCESS_STATE, ownState)
  const notReady = () => {
    if (!analyser.ready) {
      return new TamisError('NOT_READY', 'The service does not accept messages now')
    }
    if (!isStoreDamaged()) return undefined
    return new TamisError('STORE_DAMAGED', 'The file of the store is malformed: restore a backup')
  }
  const metrics = new Metrics({ ...parts, shared, ready: () => notReady() === undefined })
  correspondents.onCounted = (outcome, count) => metrics.count('correspondents', { outcome }, count)
  if (history !== undefined) {
    history.onCounted = (outcome, count) => metrics.count('history_entries', { outcome }, count)
  }
  return {
    ...parts,
    metrics,
    onJudged: (caller, judged) => onJudged({ ...parts, metrics }, caller, judged),
    get notReady() {
      return notReady()
    },
    state: async () =>
      stateOfAll(ownState(), (await shared.ask(PROCESS_STATE)) as readonly ProcessState[]),
  }
}

/** What a thread of the service says of itself in /ready. */
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
