/** The parts that classify messages, and their state. */
import { TamisError } from '../../errors/errors.ts'
import type { Analyser } from '../admission/analyser.ts'
import type { Receiver } from '../admission/receive.ts'
import type { BatchedWrites } from '../batched-writes.ts'
import type { Embedder } from '../encoder/embedder.ts'
import type { Feeds } from '../feeds/feeds.ts'
import type { HistoryEntry } from '../history/history-entry.ts'
import type { Judging } from '../judge.ts'
import type { LearnedModels } from '../learned-models/learned-models.ts'
import type { Policies } from '../policies.ts'
import type { OperatorRules } from '../rules/operator-rules.ts'
import type { SenderChecks } from '../sender-authentication/sender-checks.ts'
import type { Shared } from '../threads/shared.ts'
import type { Correspondents } from '../users/correspondents.ts'
import type { Users } from '../users/users.ts'
import { Metrics } from './metrics.ts'
import { PROCESS_STATE, type ProcessState, stateOfAll } from './process-state.ts'

export interface ClassifierParts extends Pick<Judging, 'keys'> {
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

export class Classifier implements Judging {
  readonly users: Users
  readonly correspondents: Correspondents
  readonly rules: OperatorRules
  readonly keys: Judging['keys']
  readonly embedder: Embedder
  readonly receiver: Receiver
  readonly learned: LearnedModels
  readonly history: BatchedWrites<HistoryEntry> | undefined
  readonly analyser: Analyser
  readonly senderChecks: SenderChecks
  readonly feeds: Feeds
  readonly policies: Policies
  readonly modelsVersion: string
  readonly metrics: Metrics
  readonly #shared: Shared
  readonly #isStoreDamaged: () => boolean

  constructor(parts: ClassifierParts) {
    this.users = parts.users
    this.correspondents = parts.correspondents
    this.rules = parts.rules
    this.keys = parts.keys
    this.embedder = parts.embedder
    this.receiver = parts.receiver
    this.learned = parts.learned
    this.history = parts.history
    this.analyser = parts.analyser
    this.senderChecks = parts.senderChecks
    this.feeds = parts.feeds
    this.policies = parts.policies
    this.modelsVersion = parts.modelsVersion
    const { receiver, learned, embedder, shared, correspondents, history } = parts
    this.#shared = shared
    this.#isStoreDamaged = parts.isStoreDamaged
    shared.answer(PROCESS_STATE, () => this.#state())
    this.metrics = new Metrics({
      ready: () => this.notReady === undefined,
      queueDepth: () => this.analyser.queueDepth,
      bufferedBytes: () => receiver.bufferedBytes,
      feeds: { status: () => this.feeds.status() },
      learned,
      modelsVersion: () => this.modelsVersion,
      checksSenders: () => this.senderChecks.asksDns,
      waitsForDns: () => this.senderChecks.waitsForDns,
      embeddingModel: embedder.id,
      shared,
    })
    correspondents.onCounted = (...counted) => this.metrics.correspondents(...counted)
    if (history !== undefined) {
      history.onCounted = (...counted) => this.metrics.historyEntries(...counted)
    }
  }

  /** Why other machines should send their messages elsewhere; undefined if they need not. Those that come are judged. */
  get notReady(): TamisError | undefined {
    if (!this.analyser.ready) {
      return new TamisError('NOT_READY', 'The service does not accept messages now')
    }
    if (!this.#isStoreDamaged()) return undefined
    return new TamisError('STORE_DAMAGED', 'The file of the store is malformed: restore a backup')
  }

  /** The state of all threads of the service. */
  async state(): Promise<ProcessState> {
    const others = (await this.#shared.ask(PROCESS_STATE)) as readonly ProcessState[]
    return stateOfAll(this.#state(), others)
  }

  #state(): ProcessState {
    return {
      lists: this.senderChecks.lists?.status(),
      scanner: this.senderChecks.scanner?.status(),
      checksSenders: this.senderChecks.asksDns,
    }
  }

  get keepsHistory(): boolean {
    return this.history !== undefined
  }
}
