/**
 * The tables, as Kysely's types see them; migrations/ makes them.
 *
 * Times are milliseconds since 1970, truth values 0 or 1, lists and objects JSON text: the same in
 * both databases, so that one set of queries serves both.
 */
import type { Generated, Kysely } from 'kysely'
import type { Authority } from '../../mail/learning/learn-event.ts'
import type { MessageClass } from '../../mail/models/prediction.ts'
import type { Kind, RuleType } from '../../mail/personalization/kinds.ts'
import type { BypassReason } from '../../mail/verdict/verdict.ts'
import type { ModelState } from '../learned-models/model-version.ts'
import type { DeletionKind } from '../users/correction.ts'
import type { CorrespondentKind } from '../users/correspondent.ts'

/** What changed: one user or all, the promoted model, keys, or the operator's rules. */
export type ChangeTopic = 'user' | 'models' | 'keys' | 'rules'

export type DatabaseKind = 'sqlite' | 'postgres'

export type Queries = Kysely<Tables>

export interface Tables {
  installation: { id: number; secret: Uint8Array }
  api_keys: ApiKeysTable
  rules: RulesTable
  corrections: CorrectionsTable
  correspondents: CorrespondentsTable
  changes: ChangesTable
  history: HistoryTable
  jobs: JobsTable
  learning: LearningTable
  tombstones: TombstonesTable
  model_versions: ModelVersionsTable
  operator_rules: { id: number; text: string; updated_at: number }
}

interface ApiKeysTable {
  id: string
  name: string
  namespace: string | null
  /** SHA-256 of the key. */
  hash: Uint8Array
  scopes: string
  entitlements: string
  requests_per_minute_max: number | null
  created_at: number
  revoked_at: number | null
}

interface RulesTable {
  /** In the order they were made: two in one millisecond have an order too. */
  seq: Generated<number>
  id: string
  user_id: string
  kind: Kind
  rule_type: RuleType
  pattern: string
  label: string
  unverified: number
  authenticated_domain: string | null
  created_at: number
  /** The key of the message that the rule was made from; null for a rule by pattern. */
  message_key: Uint8Array | null
}

/** The log: the source of truth, from which rules, memory and models derive. */
interface CorrectionsTable {
  seq: Generated<number>
  feedback_id: string
  user_id: string
  authority: Authority
  kind: Kind
  label: string
  message_key: Uint8Array
  sender_key: Uint8Array
  domain_key: Uint8Array
  authenticated_domain: string | null
  /** Null where `authenticated_domain` is there, From names no one address. */
  claimed_domain: string | null
  rule_pattern: string | null
  feature_version: string
  embedding_model: string
  created_at: number
  ended_at: number | null
  features: Uint8Array
  memory: Uint8Array
}

interface CorrespondentsTable {
  /** It names the user too. */
  key: Uint8Array
  kind: CorrespondentKind
  user_id: string
  times: number
  first_at: number
  last_at: number
}

interface ChangesTable {
  seq: Generated<number>
  user_key: Uint8Array | null
  topic: ChangeTopic
  created_at: number
}

/** Judged messages, one row a recipient; null for what a message does not have. */
interface HistoryTable {
  seq: Generated<number>
  judged_at: number
  message_id: string | null
  sender: string | null
  sender_domain: string | null
  envelope_sender: string | null
  user_id: string | null
  is_spam: number
  spam_probability: number
  threshold: number
  bypass_reason: BypassReason | null
  classification: MessageClass
  should_escalate: number
  /** As HistoryEntry has them. */
  reasons: string
  elapsed_ms: number
  queue_id: string | null
  /** As in corrections. */
  message_key: Uint8Array | null
}

interface JobsTable {
  id: string
  namespace: string | null
  /** 1 while models may have learned from the user. */
  is_learned: number
  created_at: number
  finished_at: number | null
}

/** One row, which is there once something was learned. */
interface LearningTable {
  id: number
  /** How often the lease was taken: tells its holder from one that lost it. */
  attempt: number
  lease_until: number
  is_queued: number
  progress: string
  finished_at: number | null
}

interface TombstonesTable {
  user_key: Uint8Array
  kind: DeletionKind
  job_id: string
  deleted_at: number
}

interface ModelVersionsTable {
  version: number
  base_version: string
  deltas: Uint8Array
  learned_to_seq: number
  state: ModelState
  metrics: string
  created_at: number
}
