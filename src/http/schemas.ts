/**
 * The shape of every request and answer. Validation, types and the OpenAPI document come from
 * here; names and types are those of the interface, by section.
 */
import { type Static, Type } from 'typebox'
import { CLASSES } from '../models/prediction.ts'

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
      description: 'Recipient, 1 to 256 visible characters, UTF-8',
      examples: ['user-4711'],
    }),
  ),
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
const userIdField = Type.Optional(Type.String({ description: 'Recipient' }))
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

export const Health = Type.Object(
  { status: Type.Literal('ok') },
  { title: 'Health', description: 'It lives', additionalProperties: false },
)

export const Ready = Type.Object(
  { status: Type.Literal('ready') },
  { title: 'Ready', description: 'It takes messages', additionalProperties: false },
)

export type FullResult = Static<typeof FullResult>
export type TabsResult = Static<typeof TabsResult>
export type DiagnosticResult = Static<typeof DiagnosticResult>
