/**
 * Examples of what goes in and out: one message, and what the service says of it, shortened where
 * it would be long. A test sends each to a service and holds the answer against the example.
 */
import { DIMENSIONS } from '../../embedding/embedding-model.ts'

/** The raw message of all stream forms. */
export const MESSAGE = [
  'From: Harbour Street Books <orders@example.net>',
  'To: sam@example.com',
  'Subject: Your order 1048-77215 is confirmed',
  'Date: Fri, 7 Nov 2025 18:03:28 +0000',
  'Message-ID: <order-1048-77215@example.net>',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Thank you for your order, Sam.',
  '',
  '1 x The Salt Path, paperback    10.99',
  'Delivery                         2.95',
  'Total                           13.94',
  '',
  'We will write again when the parcel leaves our warehouse:',
  'https://www.example.net/orders/1048-77215',
  '',
].join('\r\n')

export const USER_ID = 'user-4711'

export const SENDER_HEADERS = {
  'X-Sender-IP': '192.0.2.25',
  'X-Sender-Email': 'orders@example.net',
} as const

export const STREAM_HEADERS = { ...SENDER_HEADERS, 'X-User-ID': USER_ID } as const

export const PATH = '/var/mail/incoming/1.eml'

export const FEEDBACK_ID = '2d94fd2c-e957-4b3b-94ff-3982fd104fb2'

export const JOB_ID = '60a2572b-44b0-491d-8871-f85196c17e50'

const CREATED_AT = '2026-11-21T19:10:02.156Z'

export const FULL_RESULT = {
  isSpam: false,
  spamProbability: 0.3878,
  classification: 'transactions',
  textSpamScore: 0.612,
  metaSpamScore: 0.3368,
  confidenceMargin: 0.5757,
  entropy: 0.9634,
  disagreement: 0.2751,
  shouldEscalate: false,
  bypassReason: null,
  senderAuthenticated: false,
}

/** Of the reasons the weightiest. */
export const REASONS_RESULT = {
  ...FULL_RESULT,
  score: 1.3,
  requiredScore: 5,
  reasons: [
    {
      name: 'TAMIS_BASE',
      points: 3.718,
      description: 'Where the score begins: what is the same for all messages.',
    },
    {
      name: 'ORDER_NUMBER',
      points: -0.31,
      description: 'The number of an order or a booking is given.',
      evidence: 'order',
    },
  ],
}

export const RECIPIENTS_RESULT = {
  shared: FULL_RESULT,
  recipients: [
    { userId: USER_ID, ...FULL_RESULT },
    {
      userId: 'user-4712',
      ...FULL_RESULT,
      isSpam: true,
      spamProbability: 1,
      confidenceMargin: 0.0365,
      entropy: 0,
      bypassReason: 'user_rule',
    },
  ],
}

const CLASS_VERDICT = {
  classification: 'transactions',
  confidence: 0.953,
  classificationProbabilities: {
    primary: 0.012,
    promotions: 0.002,
    updates: 0.033,
    transactions: 0.953,
  },
  personalizationSource: null,
}

export const TABS_RESULT = { ...CLASS_VERDICT, elapsedMs: 4 }

/** Of each list the first entries: there are dozens. */
export const DIAGNOSTIC_RESULT = {
  email: {
    bytes: 495,
    subject: 'Your order 1048-77215 is confirmed',
    from: 'Harbour Street Books <orders@example.net>',
    date: 'Fri, 7 Nov 2025 18:03:28 +0000',
    messageId: '<order-1048-77215@example.net>',
    parts: [{ type: 'text/plain', depth: 0, bytes: 255 }],
    attachments: [],
    oddities: [],
    language: 'en',
    reading: {
      subject: {
        text: 'Your order 1048-77215 is confirmed',
        marks: [{ start: 0, end: 4, logit: -0.021 }],
      },
      body: { text: 'Thank you for your order.', marks: [], unread: null },
    },
    authentication: null,
  },
  result: FULL_RESULT,
  models: {
    text: {
      inputs: { 'subject word "order"': 0.0845, 'message pair "your order"': 0.087 },
      outputs: { logit: 0.4556, probability: 0.612, features: 71 },
    },
    meta: {
      inputs: { FROM_ROLE: 1, ORDER_NUMBER: 1, 'links 1': 1 },
      outputs: { logit: -0.6774, probability: 0.3368 },
    },
    tabs: {
      inputs: { 'text features': 71, ORDER_NUMBER: 1 },
      outputs: { primary: 0.012, promotions: 0.002, updates: 0.033, transactions: 0.953 },
    },
    embedding: { model: 'tamis-static-2026.11.2', inputs: { terms: 34 }, outputs: {} },
  },
  urlScanner: {
    links: [
      {
        href: 'https://www.example.net/orders/1048-77215',
        text: 'https://www.example.net/orders/1048-77215',
        source: 'text',
        host: 'www.example.net',
        registrableDomain: 'example.net',
        leadsTo: 'https://www.example.net/orders/1048-77215',
        leadsToDomain: 'example.net',
        shows: null,
        match: null,
      },
    ],
    match: null,
  },
  tabs: CLASS_VERDICT,
  personalization: {
    rule: null,
    memory: null,
    classRule: null,
    classMemory: null,
    available: true,
  },
  explanation: {
    logit: -0.4566,
    probability: 0.3878,
    threshold: 0.9635,
    signals: [
      { name: 'FROM_ROLE', evidence: 'orders@example.net' },
      { name: 'ORDER_NUMBER', evidence: 'order' },
    ],
    for: [{ feature: 'meta: DATE_IN_PAST', value: 1, logit: 0.9759 }],
    against: [{ feature: 'meta: ORDER_NUMBER', value: 1, logit: -0.31 }],
  },
  timing: { parse: 0.24, signals: 4.55, features: 0.35, models: 0.07, total: 15.42 },
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
  versions: [
    {
      version: 1,
      state: 'promoted',
      base: '2026.11.2',
      createdAt: CREATED_AT,
      metrics: { corrections: 2, promotions: 2 },
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
