/**
 * What the schemas of the routes cannot say of an operation: its name, its task, what it is for,
 * an example of each request and answer, and which errors it may end in. The order is that of the
 * document.
 */
import type { ErrorCode } from '../../../mail/errors.ts'
import { SENDER_HEADERS } from './example-message.ts'
import {
  CLASS_RULE,
  DELETED_DATA,
  DIAGNOSTIC_RESULT,
  EMBEDDING_RESULT,
  FEEDBACK_ID,
  FULL_RESULT,
  JOB_ID,
  JOB_RESULT,
  MEMORY_RESULT,
  METRICS_TEXT,
  MODEL_CARDS,
  MODELS_RESULT,
  PATH,
  READY_RESULT,
  REASONS_RESULT,
  RECENT_RESULT,
  RECIPIENTS_RESULT,
  SPAM_FEEDBACK_RESULT,
  SPAM_RULE,
  STATS_RESULT,
  STREAM_HEADERS,
  TABS_FEEDBACK_RESULT,
  TABS_RESULT,
  USER_ID,
} from './examples.ts'

/** Tasks, in the order in which a newcomer meets them. */
export const TAGS = {
  Classify: 'What is this message?',
  Correct:
    'A user says that a verdict or a class was wrong. The next such message is judged right.',
  Rules: 'What a user allows, blocks, or wants filed under a class.',
  Users: 'What is known of a user, and how it is forgotten.',
  Models: 'What all users of a tenant have taught the models they share.',
  Operate: 'For whoever keeps the service running.',
  'Path forms':
    'Files on the disk of the service instead of messages in the request. They answer 501 until `TAMIS_PATH_ROOTS` names folders that may be read.',
} as const

export type Tag = keyof typeof TAGS

export interface Answer {
  readonly description: string
  readonly example: unknown
}

export interface OperationText {
  /** Also the name of the client's method. */
  readonly id: string
  readonly tag: Tag
  readonly description: string
  /** An example of what is sent beside the message. */
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly params?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** Arguments of the client's method, where they are not the body, or the message and its headers. */
  readonly clientArguments?: string
  readonly answers: Readonly<Record<number, Answer>>
  readonly errors: readonly ErrorCode[]
}

/** What any request with a body may end in. */
const BODY: readonly ErrorCode[] = [
  'BODY_TRUNCATED',
  'REQUEST_TIMEOUT',
  'MESSAGE_TOO_LARGE',
  'CONTENT_TYPE_UNSUPPORTED',
]

const JSON_BODY: readonly ErrorCode[] = ['FIELD_INVALID', ...BODY]

/** What any classification may end in. */
const ANALYSIS: readonly ErrorCode[] = [
  'NOT_A_MESSAGE',
  'BUFFERS_FULL',
  'QUEUE_FULL',
  'QUEUE_TIMEOUT',
  'NOT_READY',
  'SHUTTING_DOWN',
]

const STREAM: readonly ErrorCode[] = ['HEADER_INVALID', ...BODY, ...ANALYSIS]

const FILE: readonly ErrorCode[] = [
  'PATH_FORMS_DISABLED',
  'PATH_NOT_READABLE',
  ...JSON_BODY,
  ...ANALYSIS,
]

const SAME_AS_STREAM = (path: string) =>
  `As \`${path}\`, of a file on the disk of the service. Announced, and switched off by default.`

const QUOTED_USER = `'${USER_ID}'`

const RULE_PATTERN = { userId: USER_ID, ruleType: 'Sender', pattern: 'orders@example.net' }

/** Rules about spam and rules about classes differ in what a rule says. */
function ruleTexts(
  prefix: string,
  infix: '' | 'Tabs',
  says: Readonly<Record<string, string>>,
  header: Readonly<Record<string, string>>,
  rule: object,
): Record<string, OperationText> {
  const about = infix === '' ? 'spam' : 'classes'
  const made = { description: 'The rule is made', example: rule }
  const there = { description: 'The rule was there already', example: rule }
  const name = infix === '' ? 'rules' : 'tabsRules'
  return {
    [`POST ${prefix}/rules/create-stream`]: {
      id: `create${infix}RuleStream`,
      tag: 'Rules',
      description:
        'The pattern is drawn from the message: its sender, list, thread, or its like (`Template`). If the message is authenticated, so is the rule: an allow then decides about messages authenticated for the same domain; without that proof it gives way to feeds and to models that are sure of spam (docs/senders.md).',
      headers: { ...STREAM_HEADERS, 'X-Rule-Type': 'Sender', ...header },
      answers: { 201: made, 200: there },
      errors: [...STREAM, 'RULES_FULL', 'FIELD_INVALID', 'STORE_UNAVAILABLE'],
    },
    [`POST ${prefix}/rules`]: {
      id: `create${infix}Rule`,
      tag: 'Rules',
      description:
        'By its pattern, without a message. A `Sender` rule takes an address, or a domain for all of its addresses.',
      body: { ...RULE_PATTERN, ...says },
      answers: { 201: made, 200: there },
      errors: [...JSON_BODY, 'RULES_FULL', 'STORE_UNAVAILABLE'],
    },
    [`GET ${prefix}/rules`]: {
      id: name,
      tag: 'Rules',
      description: `All rules of a user about ${about}, newest first; those made from corrections by themselves are among them.`,
      query: { userId: USER_ID },
      clientArguments: QUOTED_USER,
      answers: {
        200: { description: 'The rules', example: { userId: USER_ID, rules: [rule] } },
      },
      errors: ['FIELD_INVALID', 'STORE_UNAVAILABLE'],
    },
    [`DELETE ${prefix}/rules/remove`]: {
      id: `remove${infix}Rule`,
      tag: 'Rules',
      description: 'By type and pattern, as the list shows them; explicit ones and automatic ones.',
      body: RULE_PATTERN,
      answers: {
        200: { description: 'It is gone', example: { status: 'removed', removed: 1 } },
      },
      errors: [...JSON_BODY, 'NOT_FOUND', 'STORE_UNAVAILABLE'],
    },
  }
}

/** By method and path as the document has them. */
export const OPERATION_TEXTS: Readonly<Record<string, OperationText>> = {
  'POST /classify-stream': {
    id: 'classifyStream',
    tag: 'Classify',
    description:
      'The operation for mail flow. Send the raw message; the headers are optional and make the verdict better. On any answer but 200 deliver the message without classification.',
    headers: STREAM_HEADERS,
    answers: { 200: { description: 'The verdict', example: FULL_RESULT } },
    errors: STREAM,
  },
  'POST /classify-stream/recipients': {
    id: 'classifyStreamRecipients',
    tag: 'Classify',
    description:
      'For mail servers, which hold one message for all recipients of a transaction: it is analysed once and decided for each of up to 100 users. Beyond the interface.',
    headers: { ...SENDER_HEADERS, 'X-User-IDs': '["user-4711", "user-4712"]' },
    answers: { 200: { description: 'The verdicts', example: RECIPIENTS_RESULT } },
    errors: STREAM,
  },
  'POST /classify-stream/reasons': {
    id: 'classifyStreamReasons',
    tag: 'Classify',
    description:
      'For clients that expect a score, a required score and named tests, as other filters have them. The points of the reasons add up to the score; the example is shortened. Beyond the interface.',
    headers: STREAM_HEADERS,
    answers: { 200: { description: 'The verdict', example: REASONS_RESULT } },
    errors: STREAM,
  },
  'POST /tabs/classify-stream': {
    id: 'tabsClassifyStream',
    tag: 'Classify',
    description: 'The class and the probability of each, for those who filter spam elsewhere.',
    headers: STREAM_HEADERS,
    answers: { 200: { description: 'The class', example: TABS_RESULT } },
    errors: STREAM,
  },
  'POST /classify/diagnostic-stream': {
    id: 'diagnosticStream',
    tag: 'Classify',
    description:
      'All that led to a verdict: signals with their evidence, what each model was given and gave, contributions that add up, links, time by stage. The fields inside the groups may vary between versions. The example is shortened.',
    headers: STREAM_HEADERS,
    answers: { 200: { description: 'The breakdown', example: DIAGNOSTIC_RESULT } },
    errors: STREAM,
  },
  'POST /classify/embed-text': {
    id: 'embedText',
    tag: 'Classify',
    description:
      'The model with which messages are compared to what a user has taught. Not queued: it answers while all workers are busy. With `texts` instead of `text` it answers `embeddings`, up to 256 at once.',
    body: { text: 'Your parcel arrives tomorrow' },
    clientArguments: "'Your parcel arrives tomorrow'",
    answers: { 200: { description: 'The embedding', example: EMBEDDING_RESULT } },
    errors: JSON_BODY,
  },
  'POST /feedback-stream': {
    id: 'feedbackStream',
    tag: 'Correct',
    description:
      'The user’s own mail is judged by it at once: by a memory of this message and its like, and a rule for its sender unless `X-Skip-Rule-Creation` is `true`. Within limits that keep liars out, the models that all users share learn from it too.',
    headers: { ...STREAM_HEADERS, 'X-Is-Spam': 'false' },
    answers: { 200: { description: 'Recorded', example: SPAM_FEEDBACK_RESULT } },
    errors: [...STREAM, 'STORE_UNAVAILABLE'],
  },
  'POST /tabs/feedback-stream': {
    id: 'tabsFeedbackStream',
    tag: 'Correct',
    description:
      '`automatic` takes back what the user taught about this message: what was said of it, and a class rule that was made from it.',
    headers: { ...STREAM_HEADERS, 'X-Classification': 'updates' },
    answers: { 200: { description: 'Recorded', example: TABS_FEEDBACK_RESULT } },
    errors: [...STREAM, 'STORE_UNAVAILABLE'],
  },
  'POST /feedback/withdraw-stream': {
    id: 'withdrawFeedbackStream',
    tag: 'Correct',
    description:
      'For callers who have the message and not the `feedbackId`. Nothing happens where the user has said nothing of it. Beyond the interface.',
    headers: STREAM_HEADERS,
    answers: {
      200: { description: 'Taken back', example: { status: 'removed', userId: USER_ID } },
    },
    errors: [...STREAM, 'STORE_UNAVAILABLE'],
  },
  'DELETE /feedback/{feedbackId}': {
    id: 'removeFeedback',
    tag: 'Correct',
    description: 'As if the correction had not been made.',
    params: { feedbackId: FEEDBACK_ID },
    clientArguments: `'${FEEDBACK_ID}'`,
    answers: {
      200: {
        description: 'Taken back',
        example: { status: 'removed', feedbackId: FEEDBACK_ID },
      },
    },
    errors: ['NOT_FOUND', 'STORE_UNAVAILABLE'],
  },
  ...ruleTexts('/personalization', '', { label: 'ham' }, { 'X-Label': 'ham' }, SPAM_RULE),
  ...ruleTexts(
    '/personalization/tabs',
    'Tabs',
    { classification: 'transactions' },
    { 'X-Classification': 'transactions' },
    CLASS_RULE,
  ),
  'GET /personalization/memory': {
    id: 'memory',
    tag: 'Users',
    description: 'Each correction that is remembered: when, what, under which id. No text.',
    query: { userId: USER_ID },
    clientArguments: QUOTED_USER,
    answers: { 200: { description: 'The memory', example: MEMORY_RESULT } },
    errors: ['FIELD_INVALID', 'STORE_UNAVAILABLE'],
  },
  'DELETE /personalization/tabs/data': {
    id: 'deleteTabsData',
    tag: 'Users',
    description:
      'Rules, memory and corrections about classes; what the user taught about spam stays.',
    body: { userId: USER_ID },
    clientArguments: QUOTED_USER,
    answers: { 200: { description: 'Deleted', example: DELETED_DATA } },
    errors: [...JSON_BODY, 'STORE_UNAVAILABLE'],
  },
  'DELETE /personalization/data': {
    id: 'deleteData',
    tag: 'Users',
    description:
      'For requests to be forgotten: everything of the user goes at once, and the job rebuilds the shared models as if the user had never been there. Doing it again does no harm.',
    body: { userId: USER_ID },
    clientArguments: QUOTED_USER,
    answers: { 200: { description: 'Deleted', example: DELETED_DATA } },
    errors: [...JSON_BODY, 'STORE_UNAVAILABLE'],
  },
  'GET /jobs/{jobId}': {
    id: 'job',
    tag: 'Users',
    description: 'How far the rebuilding after a deletion has come.',
    params: { jobId: JOB_ID },
    clientArguments: `'${JOB_ID}'`,
    answers: { 200: { description: 'The job', example: JOB_RESULT } },
    errors: ['NOT_FOUND', 'STORE_UNAVAILABLE'],
  },
  'GET /models': {
    id: 'models',
    tag: 'Models',
    description: 'The shipped models and the versions learned from corrections, newest first.',
    answers: { 200: { description: 'The models', example: MODELS_RESULT } },
    errors: ['STORE_UNAVAILABLE'],
  },
  'GET /models/cards': {
    id: 'modelCards',
    tag: 'Models',
    description:
      'The card and the manifest of each model at work: meant for, trained on, known to fail on.',
    answers: { 200: { description: 'The cards', example: MODEL_CARDS } },
    errors: [],
  },
  'POST /models/promote': {
    id: 'promoteModels',
    tag: 'Models',
    description: 'At once, where the service would wait for its own checks.',
    answers: { 200: { description: 'At work now', example: { version: 1 } } },
    errors: ['STORE_UNAVAILABLE'],
  },
  'POST /models/rollback': {
    id: 'rollbackModels',
    tag: 'Models',
    description: 'What is at work now is rejected.',
    answers: { 200: { description: 'At work now', example: { version: null } } },
    errors: ['STORE_UNAVAILABLE'],
  },
  'GET /health': {
    id: 'health',
    tag: 'Operate',
    description: 'For a supervisor that restarts what does not answer. Needs no key.',
    answers: { 200: { description: 'It lives', example: { status: 'ok' } } },
    errors: [],
  },
  'GET /ready': {
    id: 'ready',
    tag: 'Operate',
    description:
      'For a load balancer. Needs no key; whoever has one with the scope `admin` is told more.',
    answers: { 200: { description: 'It takes messages', example: READY_RESULT } },
    errors: ['NOT_READY'],
  },
  'GET /stats': {
    id: 'stats',
    tag: 'Operate',
    description: 'Counts of the tenant, the models at work, the queue, the feeds.',
    answers: { 200: { description: 'The counts', example: STATS_RESULT } },
    errors: ['STORE_UNAVAILABLE'],
  },
  'GET /stats/recent': {
    id: 'recentStats',
    tag: 'Operate',
    description:
      'The mail of the tenant in steps of five seconds, for a person who watches; `/metrics` is for keeping.',
    query: { after: '2026-11-20T12:00:00.000Z' },
    answers: { 200: { description: 'The steps', example: RECENT_RESULT } },
    errors: ['FIELD_INVALID'],
  },
  'GET /metrics': {
    id: 'metrics',
    tag: 'Operate',
    description: 'In the text format of Prometheus.',
    answers: { 200: { description: 'The numbers', example: METRICS_TEXT } },
    errors: [],
  },
  'GET /openapi.json': {
    id: 'openApi',
    tag: 'Operate',
    description: 'For generators of clients. `/docs` is the same for people.',
    answers: { 200: { description: 'The document', example: { openapi: '3.1.0' } } },
    errors: [],
  },
  'POST /classify': {
    id: 'classifyPath',
    tag: 'Path forms',
    description: SAME_AS_STREAM('/classify-stream'),
    body: {
      path: PATH,
      ipAddress: '192.0.2.25',
      senderEmail: 'orders@example.net',
      userId: USER_ID,
    },
    answers: { 200: { description: 'The verdict', example: FULL_RESULT } },
    errors: FILE,
  },
  'POST /tabs/classify': {
    id: 'tabsClassifyPath',
    tag: 'Path forms',
    description: `${SAME_AS_STREAM('/tabs/classify-stream')} The address is \`senderIp\` here.`,
    body: {
      path: PATH,
      senderIp: '192.0.2.25',
      senderEmail: 'orders@example.net',
      userId: USER_ID,
    },
    answers: { 200: { description: 'The class', example: TABS_RESULT } },
    errors: FILE,
  },
  'POST /classify/diagnostic': {
    id: 'diagnosticPath',
    tag: 'Path forms',
    description: SAME_AS_STREAM('/classify/diagnostic-stream'),
    body: { path: PATH },
    answers: { 200: { description: 'The breakdown', example: DIAGNOSTIC_RESULT } },
    errors: FILE,
  },
  'POST /feedback': {
    id: 'feedbackPath',
    tag: 'Path forms',
    description: SAME_AS_STREAM('/feedback-stream'),
    body: { path: PATH, userId: USER_ID, isSpam: false },
    answers: { 200: { description: 'Recorded', example: SPAM_FEEDBACK_RESULT } },
    errors: [...FILE, 'STORE_UNAVAILABLE'],
  },
  'POST /tabs/feedback': {
    id: 'tabsFeedbackPath',
    tag: 'Path forms',
    description: SAME_AS_STREAM('/tabs/feedback-stream'),
    body: { path: PATH, userId: USER_ID, correctClassification: 'updates' },
    answers: { 200: { description: 'Recorded', example: TABS_FEEDBACK_RESULT } },
    errors: [...FILE, 'STORE_UNAVAILABLE'],
  },
  'POST /personalization/rules/create': {
    id: 'createRulePath',
    tag: 'Path forms',
    description: SAME_AS_STREAM('/personalization/rules/create-stream'),
    body: { path: PATH, userId: USER_ID, ruleType: 'Sender', label: 'ham' },
    answers: {
      201: { description: 'The rule is made', example: SPAM_RULE },
      200: { description: 'The rule was there already', example: SPAM_RULE },
    },
    errors: [...FILE, 'RULES_FULL', 'STORE_UNAVAILABLE'],
  },
  'POST /personalization/tabs/rules/create': {
    id: 'createTabsRulePath',
    tag: 'Path forms',
    description: SAME_AS_STREAM('/personalization/tabs/rules/create-stream'),
    body: { path: PATH, userId: USER_ID, ruleType: 'Sender', classification: 'transactions' },
    answers: {
      201: { description: 'The rule is made', example: CLASS_RULE },
      200: { description: 'The rule was there already', example: CLASS_RULE },
    },
    errors: [...FILE, 'RULES_FULL', 'STORE_UNAVAILABLE'],
  },
}
