/**
 * Examples of what goes in and out: one message, and what the service says of it, shortened where
 * it would be long. A test sends each to a service and holds the answer's shape against the example.
 */
import { DIMENSIONS } from '../../../mail/embedding/embedding-model.ts'
import { CLASS_VERDICT, DETAILS, SCORE, VERDICT } from './example-answers.ts'
import { MESSAGE, SENDER_HEADERS } from './example-message.ts'

export { MESSAGE }

export const USER_ID = 'user-4711'

export const STREAM_HEADERS = { ...SENDER_HEADERS, 'X-User-ID': USER_ID } as const

export const PATH = '/var/mail/incoming/1.eml'

export const FEEDBACK_ID = '2d94fd2c-e957-4b3b-94ff-3982fd104fb2'

export const JOB_ID = '60a2572b-44b0-491d-8871-f85196c17e50'

const CREATED_AT = '2026-11-21T19:10:02.156Z'

/** Of a verdict that a rule of the user made. */
const BLOCKED = {
  isSpam: true,
  spamProbability: 1,
  confidenceMargin: Math.round(1e4 * (1 - DETAILS.explanation.threshold)) / 1e4,
  entropy: 0,
  bypassReason: 'user_rule',
}

export const FULL_RESULT = VERDICT

/** Of the reasons the weightiest. */
export const REASONS_RESULT = { ...VERDICT, ...SCORE }

export const RECIPIENTS_RESULT = {
  shared: VERDICT,
  recipients: [
    { userId: USER_ID, ...VERDICT },
    { userId: 'user-4712', ...VERDICT, ...BLOCKED },
  ],
}

export const TABS_RESULT = { ...CLASS_VERDICT, elapsedMs: 4 }

/** Of each list the first entries: there are dozens. */
export const DIAGNOSTIC_RESULT = {
  ...DETAILS,
  result: VERDICT,
  tabs: CLASS_VERDICT,
  timing: {
    parse: 0.24,
    signals: 4.55,
    features: 0.35,
    models: 0.07,
    queue: 0.02,
    worker: 9.31,
    sender: 0.11,
    decision: 0.88,
    total: 15.42,
  },
}

/** As long as a real one, and 1 long as a vector; the numbers of a real one say no more. */
export const EMBEDDING_RESULT = {
  embedding: Array.from(
    { length: DIMENSIONS },
    (_, index) => Math.round(1e4 * Math.sqrt(2 / DIMENSIONS) * Math.sin(index)) / 1e4,
  ),
}

export const SPAM_FEEDBACK_RESULT = {
  status: 'success',
  userId: USER_ID,
  feedbackId: FEEDBACK_ID,
}

export const TABS_FEEDBACK_RESULT = {
  status: 'success',
  userId: USER_ID,
  classification: 'updates',
  feedbackId: '69c812ea-9b8a-4c18-9041-8b4cd8b23a6d',
}

const RULE = {
  id: 'ecd4e435-45b3-43ca-82e2-f4ea8aa4cb9b',
  userId: USER_ID,
  ruleType: 'Sender',
  pattern: 'orders@example.net',
  source: 'explicit',
  unverified: true,
  createdAt: CREATED_AT,
}

export const SPAM_RULE = { ...RULE, label: 'ham' }

export const CLASS_RULE = { ...RULE, classification: 'transactions' }

export const MEMORY_RESULT = {
  userId: USER_ID,
  items: [
    {
      feedbackId: FEEDBACK_ID,
      kind: 'spam',
      label: 'ham',
      embeddingModel: 'tamis-static-2026.11.2',
      similarityKey: 'H7rANruquRhZVfq0Pm9_tzkF5J8MgTTOCiigtdHFEQo',
      createdAt: CREATED_AT,
    },
  ],
}

export const DELETED_DATA = {
  status: 'deleted',
  userId: USER_ID,
  deletedAt: CREATED_AT,
  deleted: { rules: 2, memory: 2, feedback: 2 },
  jobId: JOB_ID,
}

export const JOB_RESULT = {
  jobId: JOB_ID,
  kind: 'rebuild',
  state: 'done',
  createdAt: CREATED_AT,
  finishedAt: '2026-11-21T19:10:04.027Z',
}

export const MODELS_RESULT = {
  base: '2026.11.2',
  learning: { mode: 'users', promoted: 2, refused: 0 },
  versions: [
    {
      version: 1,
      state: 'promoted',
      base: '2026.11.2',
      createdAt: CREATED_AT,
      metrics: { corrections: 12, promotions: 2, refused: 0 },
    },
  ],
}

const FEEDS = [{ feed: 'phishtank', entries: 61_024, ageSeconds: 1_804, lastFailure: null }]

const SET_ASIDE = { features: 0, embeddings: 0 }

export const STATS_RESULT = {
  users: 41,
  rules: 118,
  corrections: { spam: 1_204, tabs: 377 },
  setAside: SET_ASIDE,
  models: '2026.11.2',
  embeddingModel: 'tamis-static-2026.11.2',
  queueDepth: 0,
  feeds: FEEDS,
}

export const RECENT_RESULT = {
  stepSeconds: 5,
  steps: [
    {
      at: '2026-11-20T12:00:05.000Z',
      messages: 212,
      refused: 0,
      spam: 31,
      ham: 181,
      overridden: 14,
      escalated: 9,
      classes: { primary: 61, promotions: 40, updates: 83, transactions: 28 },
      latencyMs: { p50: 2.41, p95: 6.87, p99: 14.8 },
      queueDepth: 3,
      feeds: { phishtank: 1_804 },
    },
  ],
}

export const MODEL_CARDS = {
  models: [
    {
      name: 'text',
      version: '2026.11.2',
      card: '# Text model\n\n**What it is.** Logistic regression on words and word pairs …',
      manifest: { featureVersion: 't3-262144-m9244a323', seed: 20261121 },
    },
  ],
}

export const READY_RESULT = { status: 'ready', setAside: SET_ASIDE, feeds: FEEDS }

export const METRICS_TEXT = [
  '# HELP tamis_verdicts_total Full classifications; reason is what overrode the models, or none',
  '# TYPE tamis_verdicts_total counter',
  'tamis_verdicts_total{tenant="default",verdict="spam",reason="none"} 1204',
  '',
].join('\n')
