/** The route that searches the history of judged messages. It is not in the interface. */
import { TamisError } from '../../../errors/errors.ts'
import { reasonDescription } from '../../../mail/verdict/reasons.ts'
import { sentenceOf, sentenceText } from '../../../mail/verdict/sentence.ts'
import { shownMessageId } from '../../../mail/verdict/summary.ts'
import { callerOf } from '../../access/caller.ts'
import { shownUser, storedUser, usersOf } from '../../access/namespace.ts'
import type { HistoryPlace, HistoryQuery, KeptEntry } from '../../history/history-entry.ts'
import { type Static, Type } from '../../json-schema.ts'
import { invalidField } from '../field-errors.ts'
import { isUserId, USER_ID_RULE } from '../metadata.ts'
import { Limit, shownOf } from '../page-of.ts'
import { ok, operation } from '../route.ts'
import {
  CLOSED,
  Closed,
  CORRECTED_SENDER_FIELDS,
  Described,
  FEEDBACK_ID_FIELD,
  FLAGS,
  FullResult,
  Integer,
  ListOf,
  NameOf,
  Sentence,
  Text,
  Time,
} from '../schemas.ts'

/** Entries in one answer: what a person scrolls through, some 100 kB. */
const ENTRIES_MAX = 200

const ENTRIES_DEFAULT = 50

/** The longest text that is searched for: no Message-ID in the history is longer. */
const SOUGHT_LENGTH_MAX = 1_024

const Sought = (description: string, example: string) =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: SOUGHT_LENGTH_MAX, description, examples: [example] }),
  )

const HistorySearch = Closed({
  messageId: Sought('Message-ID, with or without its brackets', '<order-1048-77215@example.net>'),
  queueId: Sought('The mail server’s name for the message', '4fxQ2b1Kz9z2'),
  recipient: Sought('The user', 'user-4711'),
  verdict: Type.Optional(NameOf(['spam', 'ham'])),
  escalated: Type.Optional(NameOf(FLAGS, 'Whether a person should review it')),
  needs: Type.Optional(
    NameOf(['review'], 'Mail that is escalated, and that its user has not corrected since'),
  ),
  limit: Limit(ENTRIES_MAX, ENTRIES_DEFAULT, 'entries'),
  cursor: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}-[0-9]{1,15}$',
      description: '`cursor` of an answer, for the entries after it; the rest stays the same',
    }),
  ),
})

const { isSpam, spamProbability, classification, shouldEscalate, bypassReason } =
  FullResult.properties

/** The correction behind a reason. */
const CORRECTION = Type.Object(
  {
    feedbackId: FEEDBACK_ID_FIELD,
    label: Text('`spam` or `ham`'),
    ...CORRECTED_SENDER_FIELDS,
    createdAt: Time(),
  },
  {
    ...CLOSED,
    description:
      'The correction of the recipient that decided, which `DELETE /feedback/{feedbackId}` withdraws; absent for other reasons',
  },
)

const HistoryResult = Described('HistoryResult', 'Judged messages, one entry per recipient', {
  days: Integer('Days for which entries are kept'),
  entries: ListOf('Newest first', {
    id: Text('Id of the entry'),
    judgedAt: Time(),
    messageId: Type.Optional(Text('Without its brackets, at most 200 printable ASCII characters')),
    sender: Type.Optional(Text('Address in From, if it has exactly one; the sender’s claim')),
    senderDomain: Type.Optional(Text('Domain of the first address in From')),
    envelopeSender: Type.Optional(Text('If the caller gave it; empty for the null sender')),
    userId: Type.Optional(
      Text(
        'The recipient, or the user who sent an outgoing message; absent for a verdict without a user',
      ),
    ),
    ...{ isSpam, spamProbability },
    threshold: Type.Number({
      description:
        'The recipient’s threshold: above it the message is spam, unless `bypassReason` decided',
    }),
    ...{ bypassReason, classification, shouldEscalate },
    sentence: Type.Optional(Sentence),
    reasons: ListOf('At most five, the strongest first', {
      name: Text('Name of a signal, or of another reason (`TAMIS_…`)'),
      points: Type.Number({ description: 'Log-odds; negative values are evidence against spam' }),
      description: Type.Optional(Text('Absent for a reason from another version')),
      correction: Type.Optional(CORRECTION),
    }),
    elapsedMs: Integer('From the body received to the verdict'),
    queueId: Type.Optional(Text('The mail server’s name for the message, if the asker gave it')),
  }),
  cursor: Type.Optional(Text('If there may be more entries')),
})

export type HistoryResult = Static<typeof HistoryResult>

export const HISTORY = [
  operation({
    method: 'GET',
    path: '/history',
    scope: 'admin',
    ofNamespace: true,
    operationId: 'history',
    tag: 'Operate',
    summary: 'Searches the history of judged messages: why a message got its verdict',
    description:
      'Metadata and reasons of messages to users of the key’s namespace, or to none, without subject and text, for `TAMIS_HISTORY_DAYS`. There is one entry for each recipient; the diagnostic and requests for only the class make none. An entry appears about a second after the verdict.',
    query: HistorySearch,
    answers: ok('The entries', HistoryResult),
    handler: async (request, { store, historyDays: days }): Promise<HistoryResult> => {
      const { limit = ENTRIES_DEFAULT, ...wanted } = request.query
      const caller = callerOf(request)
      const query = queryOf(wanted)
      if (days === 0)
        throw new TamisError('HISTORY_OFF', 'No history is kept: set TAMIS_HISTORY_DAYS')
      const found = await store.historyOf(
        {
          ...query,
          ...(query.userId !== undefined && { userId: storedUser(caller, query.userId) }),
          users: usersOf(caller),
        },
        limit + 1,
      )
      const { shown, last } = shownOf(found, limit)
      const entries = shown.map((entry) => entryOf(entry))
      return { days, entries, ...(last && { cursor: nameOf(last.place) }) }
    },
  }),
]

/** What `wanted` searches for. @throws TamisError FIELD_INVALID */
function queryOf(wanted: Omit<Static<typeof HistorySearch>, 'limit'>): Omit<HistoryQuery, 'users'> {
  const { messageId, queueId, recipient, verdict, escalated, needs, cursor } = wanted
  if (recipient !== undefined && !isUserId(recipient))
    throw invalidField('recipient', `is not ${USER_ID_RULE}`)
  return {
    ...(messageId !== undefined && { messageId: shownMessageId(bracketed(messageId.trim())) }),
    ...(queueId !== undefined && { queueId: queueId.trim() }),
    ...(recipient !== undefined && { userId: recipient }),
    ...(verdict !== undefined && { isSpam: verdict === 'spam' }),
    ...(escalated !== undefined && { shouldEscalate: escalated === 'true' }),
    ...(needs !== undefined && { needsReview: true }),
    ...(cursor !== undefined && { after: placeOf(cursor) }),
  }
}

function nameOf({ judgedAt, seq }: HistoryPlace): string {
  return `${judgedAt}-${seq}`
}

function placeOf(name: string): HistoryPlace {
  const [judgedAt, seq] = name.split('-').map(Number)
  return { judgedAt: judgedAt!, seq: seq! }
}

function entryOf({
  place,
  judgedAt,
  reasons,
  userId = '',
  ...entry
}: KeptEntry): HistoryResult['entries'][number] {
  // An entry without reasons was made under a licence without spam detection.
  const sentence = reasons.length > 0 && sentenceOf(entry, reasons, entry.senderDomain ?? '')
  return {
    id: nameOf(place),
    judgedAt: judgedAt.toISOString(),
    ...entry,
    ...(shownUser(userId) !== '' && { userId: shownUser(userId) }),
    ...(sentence && { sentence: sentenceText(sentence) }),
    reasons: reasons.map((reason) => {
      const { name, points, correction } = reason
      const description = reasonDescription(reason)
      return {
        ...{ name, points },
        ...(description !== undefined && { description }),
        ...(correction && {
          correction: { ...correction, createdAt: correction.createdAt.toISOString() },
        }),
      }
    }),
  }
}

/** An entry has a long Message-ID cut with its first bracket, so the one that is sought needs it too. */
function bracketed(messageId: string): string {
  return messageId.startsWith('<') ? messageId : `<${messageId}>`
}
