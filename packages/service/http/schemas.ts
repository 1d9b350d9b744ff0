/**
 * The shape of every request and answer. Validation, types and the OpenAPI document come from
 * here; names and types are those of the interface, by section.
 */
import { type Static, type TInteger, Type } from 'typebox'
import { DIMENSIONS } from '../../mail/embedding/embedding-model.ts'
import { CLASSES } from '../../mail/models/prediction.ts'
import { KINDS, RULE_TYPES } from '../../mail/personalization/kinds.ts'
import { ARRIVAL_FALLBACKS } from '../../mail/signals/signal.ts'
import { MODEL_STATES } from '../taught-models/model-version.ts'
import { CLASS_FEEDBACK_STATUSES, SPAM_FEEDBACK_STATUSES } from '../users/correction.ts'
import { JOB_STATES } from '../users/job.ts'

const Probability = (description: string, example: number) =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [example] })

const MessageClass = Type.Enum([...CLASSES], {
  type: 'string',
  description: 'Message class',
  examples: ['transactions'],
})

/** One of `names` or null; an enum and not a union, which would be tried branch by branch for every answer. */
function NameOrNull<const Name extends string>(names: readonly Name[], description: string) {
  return Type.Unsafe<Name | null>({
    type: ['string', 'null'],
    enum: [...names, null],
    description,
    examples: [null],
  })
}

/** Interface §2.1. */
export const FullResult = Type.Object(
  {
    isSpam: Type.Boolean({ description: 'Whether the message is considered spam' }),
    spamProbability: Probability('0 = not spam, 1 = definitely spam', 0.031),
    classification: MessageClass,
    textSpamScore: Probability('Score of the text analysis model', 0.045),
    metaSpamScore: Probability('Score of the header and metadata model', 0.028),
    confidenceMargin: Probability('Distance from the decision boundary', 0.87),
    entropy: Probability('Uncertainty in bits; lower = more certain', 0.2),
    disagreement: Probability('Degree to which the two models disagree', 0.017),
    shouldEscalate: Type.Boolean({ description: 'True when human review is recommended' }),
    bypassReason: NameOrNull(
      ['user_rule', 'knn_memory', 'phishtank_match', 'parse_error'],
      'Set when a rule overrode the model, null otherwise',
    ),
    senderAuthenticated: Type.Boolean({
      description: 'Whether the sender passed SPF, DKIM and DMARC authentication',
    }),
  },
  { title: 'FullResult', description: 'Spam verdict and class', additionalProperties: false },
)

/** A verdict in points, with its reasons: beyond the interface. */
export const ReasonsResult = Type.Object(
  {
    ...FullResult.properties,
    score: Type.Number({
      description:
        'Log-odds of spamProbability, shifted so that the threshold is at `requiredScore`, in tenths, from -15 to 25',
      examples: [-3.1],
    }),
    requiredScore: Type.Number({ description: 'Spam from here on', examples: [5] }),
    reasons: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'A signal, or `TAMIS_` and what else there is' }),
          points: Type.Number({ description: 'They add up to `score`' }),
          description: Type.Optional(Type.String()),
          evidence: Type.Optional(Type.String({ description: 'May hold words of the message' })),
        },
        { additionalProperties: false },
      ),
      { description: 'The weightiest first' },
    ),
  },
  {
    title: 'ReasonsResult',
    description: 'Spam verdict and class, with a score and its reasons',
    additionalProperties: false,
  },
)

/** One message, several recipients: beyond the interface. */
export const RecipientsResult = Type.Object(
  {
    shared: FullResult,
    recipients: Type.Array(
      Type.Object(
        {
          userId: Type.String({ description: 'As it stands in `X-User-IDs`' }),
          ...FullResult.properties,
        },
        { additionalProperties: false },
      ),
      { description: 'The verdict for each of `X-User-IDs`, in their order' },
    ),
  },
  {
    title: 'RecipientsResult',
    description:
      '`shared`: the verdict for whoever has taught nothing; `recipients`: for each user',
    additionalProperties: false,
  },
)

/** Interface §2.2, without the time. */
const classVerdictFields = {
  classification: MessageClass,
  confidence: Probability('Confidence in the assigned class', 0.94),
  classificationProbabilities: Type.Object(
    {
      primary: Probability('', 0.01),
      promotions: Probability('', 0.02),
      updates: Probability('', 0.03),
      transactions: Probability('', 0.94),
    },
    { description: 'Probability of each class; they sum to 1', additionalProperties: false },
  ),
  personalizationSource: NameOrNull(
    ['tabs_rule', 'tabs_knn'],
    'Set when personalization was applied, null otherwise',
  ),
}

/** Interface §2.2. */
export const TabsResult = Type.Object(
  {
    ...classVerdictFields,
    elapsedMs: Type.Integer({
      minimum: 0,
      description: 'From the body received to the answer, in milliseconds, rounded up',
      examples: [2],
    }),
  },
  { title: 'TabsResult', description: 'The class', additionalProperties: false },
)

const Group = (description: string) => Type.Object({}, { description, additionalProperties: true })

/** Interface §2.3: the groups are fixed, the fields in them may vary between versions. */
export const DiagnosticResult = Type.Object(
  {
    email: Group('What was read of the message'),
    result: FullResult,
    models: Group('Inputs and outputs of each model, raw also when overridden'),
    urlScanner: Group('Links of the message, and the feed entry that one of them matched'),
    tabs: Type.Object(classVerdictFields, { additionalProperties: false }),
    personalization: Group('Rule and memory of the user that applied'),
    explanation: Type.Union([Group('What spoke for and against spam'), Type.Null()]),
    timing: Type.Record(Type.String(), Type.Number(), { description: 'Milliseconds per stage' }),
  },
  {
    title: 'DiagnosticResult',
    description: 'All that led to the verdict',
    additionalProperties: false,
  },
)

export const ErrorResult = Type.Object(
  {
    error: Type.String({ description: 'What went wrong, for people; may change' }),
    code: Type.String({ description: 'What went wrong, for programs: see docs/errors.md' }),
    queueDepth: Type.Optional(
      Type.Integer({ description: 'Requests that wait, with QUEUE_TIMEOUT and QUEUE_FULL' }),
    ),
    header: Type.Optional(Type.String({ description: 'The header, with HEADER_INVALID' })),
    field: Type.Optional(Type.String({ description: 'The field, with FIELD_INVALID' })),
    retryAfterS: Type.Optional(Type.Integer({ description: 'Seconds to wait, with RATE_LIMITED' })),
    streamForm: Type.Optional(
      Type.String({ description: 'The path to use instead, with PATH_FORMS_DISABLED' }),
    ),
  },
  { title: 'Error', description: 'No verdict: see docs/errors.md', additionalProperties: false },
)

/** Headers of the stream forms. Documentation: metadata-headers.ts reads them. */
export const StreamHeaders = Type.Object({
  'x-sender-ip': Type.Optional(
    Type.String({
      description:
        'IPv4 or IPv6 address of the sending client; brackets and the prefix `IPv6:` are accepted, empty and `unknown` mean none',
      examples: ['192.0.2.25'],
    }),
  ),
  'x-sender-email': Type.Optional(
    Type.String({
      description:
        'Envelope sender, with or without angle brackets; empty and `<>` are the null sender',
      examples: ['bounce@shop.example.com'],
    }),
  ),
  'x-user-id': Type.Optional(
    Type.String({
      description: 'Recipient, 1 to 256 visible characters, UTF-8; empty means none',
      examples: ['user-4711'],
    }),
  ),
  'x-arrival-fallback': Type.Optional(
    Type.Enum([...ARRIVAL_FALLBACKS], {
      type: 'string',
      description:
        'A message is judged at the time of its topmost Received field. This says what it is judged at where that tells no time: `now`, the default, for mail that has just come; `date`, its Date, for mail from a folder',
    }),
  ),
})

const { 'x-user-id': _, ...senderHeaders } = StreamHeaders.properties

/** Documentation, as StreamHeaders. */
export const RecipientsHeaders = Type.Object({
  ...senderHeaders,
  'x-user-ids': Type.String({
    description: 'JSON array of at most 100 recipients, each of 1 to 256 visible characters',
    examples: ['["user-4711", "user-4712"]'],
  }),
})

/** Body of the stream forms. Documentation: the body is streamed, not validated. */
export const MessageStream = Type.String({
  contentMediaType: 'message/rfc822',
  description: 'The raw message',
  examples: ['From: a@example.com\r\nSubject: Hello\r\n\r\nHello\r\n'],
})

const pathField = Type.String({
  minLength: 1,
  description: 'Absolute path of the .eml file',
  examples: ['/var/mail/incoming/1.eml'],
})
const senderEmailField = Type.Optional(Type.String({ description: 'Envelope sender' }))
const userIdField = Type.Optional(Type.String({ description: 'Recipient; empty means none' }))
const senderIpField = Type.Optional(Type.String({ description: 'Address of the sending client' }))

/** Interface §4.1 and §4.5. */
export const ClassifyPathBody = Type.Object(
  {
    path: pathField,
    ipAddress: senderIpField,
    senderEmail: senderEmailField,
    userId: userIdField,
  },
  { title: 'ClassifyPathBody', additionalProperties: false },
)

/** Interface §4.3, where the address has another name. */
export const TabsPathBody = Type.Object(
  {
    path: pathField,
    senderIp: senderIpField,
    senderEmail: senderEmailField,
    userId: userIdField,
  },
  { title: 'TabsPathBody', additionalProperties: false },
)

const requiredUserId = Type.String({
  minLength: 1,
  maxLength: 1_024,
  description: 'The user: 1 to 256 visible characters',
  examples: ['user-4711'],
})
const feedbackId = Type.String({
  description: 'Names the correction, to take it back with `DELETE /feedback/{feedbackId}`',
})

/** Interface §4.9. Documentation, as StreamHeaders. */
export const FeedbackHeaders = Type.Object({
  ...StreamHeaders.properties,
  'x-user-id': Type.String({ description: 'Who corrects' }),
  'x-is-spam': Type.Enum(['true', 'false'], { type: 'string' }),
  'x-skip-rule-creation': Type.Optional(
    Type.Enum(['true', 'false'], {
      type: 'string',
      description: '`true`: no Sender rule is made from this correction',
    }),
  ),
})

/** Beyond the interface. */
export const WithdrawHeaders = Type.Object({
  ...StreamHeaders.properties,
  'x-user-id': Type.String({ description: 'Who takes it back' }),
})

/** Interface §4.11. */
export const TabsFeedbackHeaders = Type.Object({
  ...StreamHeaders.properties,
  'x-user-id': Type.String({ description: 'Who corrects' }),
  'x-classification': Type.Enum([...CLASSES, 'automatic'], { type: 'string' }),
})

/** Interface §4.8. */
export const FeedbackPathBody = Type.Object(
  {
    path: pathField,
    userId: requiredUserId,
    isSpam: Type.Boolean({ description: 'true: spam; false: not spam' }),
    ipAddress: senderIpField,
    senderEmail: senderEmailField,
  },
  { title: 'FeedbackPathBody', additionalProperties: false },
)

const correctClassification = Type.Enum([...CLASSES, 'automatic'], {
  type: 'string',
  description: 'The right class; `automatic` returns to the model',
})

/** Interface §4.10. */
export const TabsFeedbackPathBody = Type.Object(
  { path: pathField, userId: requiredUserId, correctClassification },
  { title: 'TabsFeedbackPathBody', additionalProperties: false },
)

/** Interface §2.5. */
export const SpamFeedbackResult = Type.Object(
  {
    status: Type.Enum([...SPAM_FEEDBACK_STATUSES], {
      type: 'string',
      description:
        '`success`: recorded, and counted for the model that all users share; `personalization_only`: recorded for this user alone, the global model was deliberately not taught; `already_recorded`: nothing has changed',
    }),
    userId: requiredUserId,
    feedbackId,
  },
  { title: 'SpamFeedbackResult', additionalProperties: false },
)

/** Beyond the interface. */
export const WithdrawnFeedback = Type.Object(
  {
    status: Type.Enum(['removed', 'none'], {
      type: 'string',
      description: '`none`: the user had said nothing about this message',
    }),
    userId: requiredUserId,
  },
  { title: 'WithdrawnFeedback', additionalProperties: false },
)

/** Interface §2.6. */
export const TabsFeedbackResult = Type.Object(
  {
    status: Type.Enum([...CLASS_FEEDBACK_STATUSES], {
      type: 'string',
      description:
        '`success`: recorded; `reset`: what was taught about the message is taken back; `already_recorded`: nothing has changed',
    }),
    userId: requiredUserId,
    classification: correctClassification,
    feedbackId,
  },
  { title: 'TabsFeedbackResult', additionalProperties: false },
)

export const FeedbackParams = Type.Object({
  feedbackId: Type.String({ minLength: 1, maxLength: 64 }),
})

export const RemovedFeedback = Type.Object(
  { status: Type.Literal('removed'), feedbackId },
  { title: 'RemovedFeedback', additionalProperties: false },
)

const ruleType = Type.Enum([...RULE_TYPES], { type: 'string', description: 'What it goes by' })
const pattern = Type.String({
  minLength: 1,
  maxLength: 1_024,
  description:
    'A Sender rule has an address or a domain; a List rule a List-Id, address or host; a Thread rule a Message-ID; a Template rule what a rule made from a message says',
  examples: ['ann@example.com'],
})

/** Shapes of rules about spam (`label`) or about classes (`classification`); interface §2.7. */
export function ruleSchemas<const Field extends string, const Label extends string>({
  field,
  header,
  labels,
}: {
  readonly field: Field
  readonly header: string
  readonly labels: readonly Label[]
}) {
  const label = Type.Enum([...labels], { type: 'string', description: 'What the rule says' })
  const made = { userId: requiredUserId, ruleType, ...under(field, label) }
  const title = field === 'label' ? 'SpamRule' : 'ClassRule'
  const closed = { additionalProperties: false }
  const record = Type.Object(
    {
      id: Type.String(),
      ...made,
      pattern,
      source: Type.Enum(['explicit', 'correction'], {
        type: 'string',
        description: '`correction`: made by itself from a correction',
      }),
      unverified: Type.Boolean({
        description: 'True when it was not made from an authenticated message',
      }),
      createdAt: Type.String({ format: 'date-time' }),
    },
    { title, ...closed },
  )
  return {
    headers: Type.Object({
      ...StreamHeaders.properties,
      'x-user-id': Type.String({ description: 'Whose rule it is' }),
      'x-rule-type': ruleType,
      [header.toLowerCase()]: label,
    }),
    pathBody: Type.Object({ path: pathField, ...made }, { title: `${title}PathBody`, ...closed }),
    body: Type.Object({ ...made, pattern }, { title: `${title}Body`, ...closed }),
    record,
    list: Type.Object(
      { userId: requiredUserId, rules: Type.Array(record) },
      { title: `${title}s`, ...closed },
    ),
  }
}

/** A computed name would lose its type. */
function under<Field extends string, Value>(field: Field, value: Value): Record<Field, Value> {
  return { [field]: value } as Record<Field, Value>
}

export const RemoveRuleBody = Type.Object(
  { userId: requiredUserId, ruleType, pattern },
  { title: 'RemoveRuleBody', additionalProperties: false },
)

export const RemovedRules = Type.Object(
  { status: Type.Literal('removed'), removed: Type.Integer({ minimum: 1 }) },
  { title: 'RemovedRules', additionalProperties: false },
)

export const UserBody = Type.Object(
  { userId: requiredUserId },
  { title: 'UserBody', additionalProperties: false },
)

export const UserQuery = Type.Object({ userId: requiredUserId }, { additionalProperties: false })

export const DeletedData = Type.Object(
  {
    status: Type.Literal('deleted'),
    userId: requiredUserId,
    deletedAt: Type.String({ format: 'date-time' }),
    deleted: Type.Object(
      {
        rules: Type.Integer({ description: 'Explicit rules' }),
        memory: Type.Integer({ description: 'Corrections that were remembered' }),
        feedback: Type.Integer({ description: 'Corrections in the log' }),
      },
      { additionalProperties: false },
    ),
    jobId: Type.String({ description: 'Rebuilds the models without the user: `GET /jobs/{id}`' }),
  },
  { title: 'DeletedData', additionalProperties: false },
)

export const ModelVersion = Type.Object(
  { version: Type.Union([Type.Integer(), Type.Null()], { description: 'At work from now on' }) },
  { title: 'ModelVersion', additionalProperties: false },
)

export const ModelsResult = Type.Object(
  {
    base: Type.String({ description: 'Version of the shipped models' }),
    learning: Type.Object(
      {
        mode: Type.Enum(['users', 'operator', 'off'], {
          type: 'string',
          description: 'TAMIS_LEARNING: what moves the shared model',
        }),
        promoted: Type.Integer({ description: 'How often what was learned was put to work' }),
        refused: Type.Integer({
          description:
            'How often it was not, since the canary set (docs/corrections.md) was judged worse by it',
        }),
      },
      {
        additionalProperties: false,
        description: 'Of the log of corrections as it is now, learned from in order',
      },
    ),
    versions: Type.Array(
      Type.Object(
        {
          version: Type.Integer(),
          state: Type.Enum([...MODEL_STATES], { type: 'string' }),
          base: Type.String(),
          createdAt: Type.String({ format: 'date-time' }),
          metrics: Type.Object({}, { additionalProperties: true }),
        },
        { additionalProperties: false },
      ),
      { description: 'Newest first' },
    ),
  },
  { title: 'ModelsResult', additionalProperties: false },
)

export const JobParams = Type.Object({ jobId: Type.String({ minLength: 1, maxLength: 64 }) })

export const JobResult = Type.Object(
  {
    jobId: Type.String(),
    kind: Type.String({ description: '`rebuild`: the models, without a user who left' }),
    state: Type.Enum([...JOB_STATES], { type: 'string' }),
    createdAt: Type.String({ format: 'date-time' }),
    finishedAt: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { title: 'JobResult', additionalProperties: false },
)

export const MemoryResult = Type.Object(
  {
    userId: requiredUserId,
    items: Type.Array(
      Type.Object(
        {
          feedbackId,
          kind: Type.Enum([...KINDS], { type: 'string' }),
          label: Type.String({ description: '`spam` or `ham`, or a class' }),
          embeddingModel: Type.String({ description: 'Made the vector that is compared' }),
          similarityKey: Type.String({
            description: 'Equal for corrections of one message; nothing can be read from it',
          }),
          createdAt: Type.String({ format: 'date-time' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'MemoryResult', additionalProperties: false },
)

/** Interface §2.4, and several at once. */
export const EmbedTextBody = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        description: 'Text of any length, of which the beginning counts',
        examples: ['Your parcel arrives tomorrow'],
      }),
    ),
    texts: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 256,
        description: 'Instead of `text`: several at once',
      }),
    ),
  },
  { title: 'EmbedTextBody', additionalProperties: false },
)

const Embedding = Type.Array(Type.Number({ minimum: -1, maximum: 1 }), {
  minItems: DIMENSIONS,
  maxItems: DIMENSIONS,
  description: '384 numbers, 1 long (L2); all 0 for a text without a known word',
})

export const EmbedTextResult = Type.Object(
  {
    embedding: Type.Optional(Embedding),
    embeddings: Type.Optional(
      Type.Array(Embedding, { description: 'With `texts`: one for each, in order' }),
    ),
  },
  { title: 'EmbedTextResult', additionalProperties: false },
)

export const Health = Type.Object(
  { status: Type.Literal('ok') },
  { title: 'Health', description: 'It lives', additionalProperties: false },
)

const SetAside = Type.Object(
  {
    features: Type.Integer({ description: 'Corrections that no model learns from' }),
    embeddings: Type.Integer({ description: 'Memories that are compared by their words alone' }),
  },
  {
    description:
      'Corrections made with another version of Tamis or another embedding model; for callers with the scope admin, null while the store is away',
    additionalProperties: false,
  },
)

const FeedState = Type.Object(
  {
    feed: Type.String(),
    entries: Type.Integer(),
    ageSeconds: Type.Union([Type.Integer(), Type.Null()], {
      description: 'Since its source last gave it or said that nothing has changed',
    }),
    lastFailure: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last attempt to get it failed: see docs/feeds.md',
    }),
  },
  { additionalProperties: false },
)

export const StatsResult = Type.Object(
  {
    users: Type.Integer({ description: 'Users who have corrected anything' }),
    rules: Type.Integer({ description: 'Rules that users have made themselves' }),
    corrections: Type.Object({
      spam: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Null where the licence has no spam detection',
      }),
      tabs: Type.Integer(),
    }),
    setAside: SetAside,
    models: Type.String({ description: 'Version of the shipped models' }),
    embeddingModel: Type.String(),
    queueDepth: Type.Integer({ description: 'Requests that wait for a worker' }),
    feeds: Type.Array(FeedState),
  },
  { title: 'Stats', additionalProperties: false },
)

const classCounts = Object.fromEntries(CLASSES.map((name) => [name, Type.Integer()])) as Record<
  (typeof CLASSES)[number],
  TInteger
>

export const RecentQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Only steps that began later: the `at` of the last one that was over',
      }),
    ),
  },
  { additionalProperties: false },
)

export const RecentResult = Type.Object(
  {
    stepSeconds: Type.Number({ description: 'Length of a step' }),
    steps: Type.Array(
      Type.Object(
        {
          at: Type.String({ format: 'date-time', description: 'When it began' }),
          messages: Type.Integer({ description: 'Messages that were judged' }),
          refused: Type.Integer({ description: 'Requests to judge one that ended in 5xx or 429' }),
          spam: Type.Integer(),
          ham: Type.Integer(),
          overridden: Type.Integer({ description: 'Verdicts with a bypassReason' }),
          escalated: Type.Integer({ description: 'Verdicts that a person should look at' }),
          classes: Type.Object(classCounts, { additionalProperties: false }),
          latencyMs: Type.Union(
            [
              Type.Object(
                { p50: Type.Number(), p95: Type.Number(), p99: Type.Number() },
                { additionalProperties: false },
              ),
              Type.Null(),
            ],
            {
              description:
                'Milliseconds from the header of a request to the end of its answer, to a tenth',
            },
          ),
          queueDepth: Type.Integer({ description: 'The most requests that were seen to wait' }),
          feeds: Type.Record(Type.String(), Type.Union([Type.Integer(), Type.Null()]), {
            description: 'Age of each URL feed in seconds',
          }),
        },
        { additionalProperties: false },
      ),
      { description: 'Oldest first; where nothing happened there is none; the last is not over' },
    ),
  },
  { title: 'RecentWork', additionalProperties: false },
)

export const ModelCards = Type.Object(
  {
    models: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          version: Type.String(),
          card: Type.Union([Type.String(), Type.Null()], {
            description: 'What it is meant for and known to fail on, in Markdown',
          }),
          manifest: Type.Object({}, { additionalProperties: true, description: 'How it was made' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'ModelCards', additionalProperties: false },
)

export const Ready = Type.Object(
  {
    status: Type.Literal('ready'),
    setAside: Type.Optional(Type.Union([SetAside, Type.Null()])),
    feeds: Type.Optional(Type.Array(FeedState)),
  },
  { title: 'Ready', description: 'It takes messages', additionalProperties: false },
)

export type FeedState = Static<typeof FeedState>
export type FeedbackPathBody = Static<typeof FeedbackPathBody>
export type TabsFeedbackPathBody = Static<typeof TabsFeedbackPathBody>
export type SpamFeedbackResult = Static<typeof SpamFeedbackResult>
export type TabsFeedbackResult = Static<typeof TabsFeedbackResult>
export type FeedbackParams = Static<typeof FeedbackParams>
export type JobParams = Static<typeof JobParams>
export type RemoveRuleBody = Static<typeof RemoveRuleBody>
export type UserBody = Static<typeof UserBody>
export type UserQuery = Static<typeof UserQuery>
export type EmbedTextBody = Static<typeof EmbedTextBody>
export type RecentQuery = Static<typeof RecentQuery>
export type RecentResult = Static<typeof RecentResult>
export type FullResult = Static<typeof FullResult>
export type ReasonsResult = Static<typeof ReasonsResult>
export type WithdrawnFeedback = Static<typeof WithdrawnFeedback>
export type RecipientsResult = Static<typeof RecipientsResult>
export type TabsResult = Static<typeof TabsResult>
export type DiagnosticResult = Static<typeof DiagnosticResult>
