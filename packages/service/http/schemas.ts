/**
 * Schemas that several routes share; the schemas of a single route stand with that route. Validation,
 * types, the OpenAPI document and the client's types are made from them. Names and types are those of
 * the interface, by section.
 */

import { ERRORS, type ErrorCode } from '../../errors/errors.ts'
import { CLASSES } from '../../mail/models/prediction.ts'
import { ARRIVAL_FALLBACKS } from '../../mail/signals/signal.ts'
import { BYPASS_REASONS, PERSONALIZATION_SOURCES } from '../../mail/verdict/verdict.ts'
import { type Properties, type Schema, type Static, Type } from '../json-schema.ts'

/** Options for an object that has no other fields. */
export const CLOSED = { additionalProperties: false } as const

/** The most bytes of a small JSON body: room for a pattern of 1,024 characters and a user id of 256, in escapes of at most twelve bytes (`\\ud83d\\ude00`). */
export const SMALL_BODY_BYTES_MAX = 16 * 1024

/** An object that has no other fields. */
export function Closed<Fields extends Properties>(fields: Fields) {
  return Type.Object(fields, CLOSED)
}

/** The same with a title, under which the OpenAPI document has it and the client its type. */
export function Component<Fields extends Properties>(title: string, fields: Fields) {
  return Type.Object(fields, { title, ...CLOSED })
}

/** The same with a description. */
export function Described<Fields extends Properties>(
  title: string,
  description: string,
  fields: Fields,
) {
  return Type.Object(fields, { title, description, ...CLOSED })
}

/** A list of objects that have no other fields. */
export function ListOf<Fields extends Properties>(description: string, fields: Fields) {
  return Type.Array(Closed(fields), { description })
}

export const Text = (description: string, ...examples: readonly string[]) =>
  Type.String({ description, ...(examples.length > 0 && { examples }) })

export const Integer = (description: string) => Type.Integer({ description })

/** What `schema` describes, or null. */
export function OrNull<S extends Schema>(schema: S, description: string) {
  return Type.Union([schema, Type.Null()], { description })
}

export const Time = (description?: string) =>
  Type.String({ format: 'date-time', ...(description !== undefined && { description }) })

/** What a user can say about the class of a message; `automatic` withdraws a correction. */
export const CLASS_LABELS = [...CLASSES, 'automatic'] as const

/** A flag in a header. */
export const FLAGS = ['true', 'false'] as const

/** One of `names`. */
export function NameOf<const Name extends string>(names: readonly Name[], description?: string) {
  return Type.Enum(names, { type: 'string', ...(description && { description }) })
}

/** One of `names` or null. It is an enum and not a union, whose branches would all be tried for every answer. */
function NameOrNull<const Name extends string>(names: readonly Name[], description: string) {
  return Type.Of<Name | null>({
    type: ['string', 'null'],
    enum: [...names, null],
    description,
    examples: [null],
  })
}

const Probability = (description: string, example: number) =>
  Type.Number({ minimum: 0, maximum: 1, description, examples: [example] })

/** What belongs to each class, with examples: those of Apple Mail. */
export const CLASS_DEFINITIONS: Readonly<Record<(typeof CLASSES)[number], string>> = {
  primary:
    'person-to-person mail, and anything time-sensitive that needs the recipient now: replies, appointments made by a person, one-time codes, sign-in and security alerts, invitations from people',
  promotions:
    'wants the recipient to buy, donate, sign up or come back: sales, offers, coupons, launches, win-backs',
  updates:
    'automated or list information that does not sell: newsletters and digests, social notifications, list posts, service and policy notices, reports, build and issue notices, reminders, bounces',
  transactions:
    'about one purchase, order, payment, delivery, booking, bill, subscription charge, refund, ticket or account statement of this recipient',
}

/** The same as the description of a field. */
export const CLASSES_DEFINED: string = CLASSES.map(
  (name) => `\`${name}\`: ${CLASS_DEFINITIONS[name]}`,
).join('. ')

const MessageClass = Type.Enum(CLASSES, {
  type: 'string',
  description: `Message class. ${CLASSES_DEFINED}`,
  examples: ['transactions'],
})

/** Beside `isSpam`. */
const ClassOfAll = Type.Enum(CLASSES, {
  type: 'string',
  description: `Message class. ${CLASSES_DEFINED}. Spam has one too: that of the mail it looks like, which says nothing for it. File by it only if \`isSpam\` is false`,
  examples: ['transactions'],
})

/** The answer of interface §2.1. */
export const FullResult = Described('FullResult', 'Spam verdict and class', {
  isSpam: Type.Boolean({ description: 'Whether the message is considered spam' }),
  spamProbability: Probability('0 = not spam, 1 = definitely spam', 0.031),
  classification: ClassOfAll,
  textSpamScore: Probability('Score of the text analysis model', 0.045),
  metaSpamScore: Probability('Score of the header and metadata model', 0.028),
  confidenceMargin: Probability('Distance from the decision boundary', 0.87),
  entropy: Probability('Uncertainty in bits; lower = more certain', 0.2),
  disagreement: Probability('Degree to which the two models disagree', 0.017),
  shouldEscalate: Type.Boolean({ description: 'True when human review is recommended' }),
  bypassReason: NameOrNull(BYPASS_REASONS, 'Set when a rule overrode the model, null otherwise'),
  senderAuthenticated: Type.Boolean({
    description: 'Whether the sender passed SPF, DKIM and DMARC authentication',
  }),
})

export type FullResult = Static<typeof FullResult>

/** The verdict and its strongest reasons in words. */
export const Sentence = Text(
  'What the message is, and why, in one sentence; absent without spam detection, and where recipients differ',
)

/** Beyond the interface: which message it is, and why it was judged so. It says nothing of a user and has no text of the message. */
export const MessageSummary = Described(
  'MessageSummary',
  'Identity of the message, and the strongest reasons in it; with `X-Summary`',
  {
    messageId: Text('Message-ID without its brackets, at most 200 printable ASCII characters'),
    senderDomain: Text('Domain of the address in From, or empty'),
    sentence: Type.Optional(Sentence),
    reasons: ListOf('At most five, the strongest first', {
      name: Text('Name of a signal, or of another reason (`TAMIS_…`)'),
      points: Type.Number({ description: 'Log-odds; negative values are evidence against spam' }),
      description: Type.String(),
    }),
  },
)

export type MessageSummary = Static<typeof MessageSummary>

/** An object with `value` for each class. */
export function byClass<Value>(value: (index: number) => Value) {
  return Object.fromEntries(CLASSES.map((name, index) => [name, value(index)])) as Record<
    (typeof CLASSES)[number],
    Value
  >
}

const CLASS_EXAMPLES = [0.01, 0.02, 0.03, 0.94]

/** The answer of interface §2.2, without the time. */
export const CLASS_VERDICT_FIELDS = {
  classification: MessageClass,
  confidence: Probability('Confidence in the assigned class', 0.94),
  classificationProbabilities: Type.Object(
    byClass((index) => Probability('', CLASS_EXAMPLES[index]!)),
    { description: 'Probability of each class; they sum to 1', ...CLOSED },
  ),
  personalizationSource: NameOrNull(
    PERSONALIZATION_SOURCES,
    'Set when personalization was applied, null otherwise',
  ),
}

export const ErrorResult = Described('Error', 'No verdict: see docs/errors.md', {
  error: Text('What went wrong, for people; may change'),
  code: Type.Of<ErrorCode>({
    type: 'string',
    enum: Object.keys(ERRORS),
    description: 'What went wrong, for programs: see docs/errors.md',
  }),
  queueDepth: Type.Optional(Integer('Waiting requests, with QUEUE_TIMEOUT and QUEUE_FULL')),
  header: Type.Optional(Text('The header, with HEADER_INVALID')),
  field: Type.Optional(Text('The field, with FIELD_INVALID')),
  line: Type.Optional(Integer('The line of the text in that field, from 1')),
  column: Type.Optional(Integer('The column of that line, from 1')),
  retryAfterS: Type.Optional(Integer('Seconds to wait, with RATE_LIMITED')),
  streamForm: Type.Optional(Text('The path to use instead, with PATH_FORMS_DISABLED')),
})

const SENDER_FIELDS = {
  'X-Sender-IP': Type.Optional(
    Text(
      'IPv4 or IPv6 address of the sending client; brackets and the prefix `IPv6:` are accepted, empty and `unknown` mean none',
      '192.0.2.25',
    ),
  ),
  'X-Sender-Email': Type.Optional(
    Text(
      'Envelope sender, with or without angle brackets; empty and `<>` are the null sender',
      'orders@example.net',
    ),
  ),
}

const ARRIVAL_FIELD = {
  'X-Arrival-Fallback': Type.Optional(
    NameOf(
      ARRIVAL_FALLBACKS,
      'A message is judged at the time of its topmost Received field. This is the time to use if that field has no time: `now`, the default, for mail that has just arrived; `date`, its Date, for mail from a folder; empty means none',
    ),
  ),
}

/** How the mail server names the message: kept in the history. */
export const QUEUE_ID_FIELD = {
  'X-Queue-ID': Type.Optional(
    Text(
      'The mail server’s name for the message, 1 to 64 printable ASCII characters, for the history; empty means none',
    ),
  ),
}

/** Asks for a MessageSummary. */
export const SUMMARY_FIELD = {
  'X-Summary': Type.Optional(
    NameOf(
      FLAGS,
      '`true` adds `summary` to the answer, for a log line or a header field; empty means none',
    ),
  ),
}

/** Whether a message comes in, or a user sends it. */
export const DIRECTIONS = ['incoming', 'outgoing'] as const

export type Direction = (typeof DIRECTIONS)[number]

/** The metadata headers of a message. */
export const MessageHeaders = Type.Object(
  {
    ...SENDER_FIELDS,
    'X-User-ID': Type.Optional(
      Text('Recipient, 1 to 256 visible characters, UTF-8; empty means none', 'user-4711'),
    ),
    ...ARRIVAL_FIELD,
  },
  { title: 'Delivery', description: 'What is known of a message beside its bytes' },
)

/** The same for a route about one user; `user` describes that user. */
export function headersOfUser(user: string) {
  return { ...MessageHeaders.properties, 'X-User-ID': Text(user, 'user-4711') }
}

export const PATH_FIELD = Type.String({
  minLength: 1,
  description: 'Absolute path of the .eml file',
  examples: ['/var/mail/incoming/1.eml'],
})
export const SENDER_EMAIL_FIELD = Type.Optional(Text('Envelope sender'))
export const SENDER_IP_FIELD = Type.Optional(Text('Address of the sending client'))
export const RECIPIENT_FIELD = Type.Optional(Text('Recipient; empty means none'))

/** The body of interface §4.1 and §4.5. */
export const ClassifyPathBody = Component('ClassifyPathBody', {
  path: PATH_FIELD,
  ipAddress: SENDER_IP_FIELD,
  senderEmail: SENDER_EMAIL_FIELD,
  userId: RECIPIENT_FIELD,
})

export const USER_ID_FIELD = Type.String({
  minLength: 1,
  maxLength: 1_024,
  description: 'The user: 1 to 256 visible characters',
  examples: ['user-4711'],
})

export const UserQuery = Closed({ userId: USER_ID_FIELD })

export const FEEDBACK_ID_FIELD = Text(
  'Id of the correction, to withdraw it with `DELETE /feedback/{feedbackId}`',
)

/** Of whose mail a correction was. */
export const CORRECTED_SENDER_FIELDS = {
  authenticatedDomain: Type.Optional(
    Text('Domain of the sender, if the message was authenticated'),
  ),
  claimedDomain: Type.Optional(
    Text(
      'Domain in From of a message that was not authenticated, which anyone can write; absent if From does not have exactly one address, or an earlier release made the correction',
    ),
  ),
}
