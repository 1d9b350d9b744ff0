/**
 * A verdict in the JSON of Rspamd's `/checkv2`
 * (https://docs.rspamd.com/developers/protocol/#rspamd-http-reply), as its clients read it.
 *
 * The score is that of verdict/reasons.ts. Spam is marked; the operator's rules say from when on it is refused or held.
 */
import { REQUIRED_POINTS } from '../../mail/verdict/reasons.ts'
import { decisionOf } from '../judge.ts'
import { actionFor, summaryOf } from '../on-judged.ts'
import type { Judged } from '../request.ts'
import { headerValue } from './header-value.ts'
import { judgedAs, REASONS_FIELD, tamisFields, unfolded } from './message-line.ts'
import type { ReasonsResult } from './results.ts'
import { reasonsResult } from './results.ts'
import type { MessageSummary } from './schemas.ts'

/** Fields that only this host may write: the answer tells clients to remove them from incoming messages. */
const OWN_FIELDS = ['X-Tamis-Verdict', 'X-Tamis-Class', REASONS_FIELD, 'X-Spam', 'X-Spam-Flag']

/** Digits of points in answers: enough for the score to be the sum of its symbols. */
const POINTS_UNIT = 1_000_000

/** @param judged with reasons. */
export function rspamdAnswer(judged: Judged) {
  const answer = reasonsResult(judged)
  const { email } = judged.analysis.detail!
  const action = actionFor(decisionOf(judged))
  return {
    is_skipped: false,
    score: answer.score,
    required_score: REQUIRED_POINTS,
    action: action === 'accept' ? (answer.isSpam ? 'add header' : 'no action') : action,
    thresholds: { 'add header': REQUIRED_POINTS },
    symbols: symbolsOf(answer),
    messages: {},
    'message-id': messageIdOf(email.messageId),
    time_real: judged.timing().total / 1_000,
    milter: {
      remove_headers: Object.fromEntries(OWN_FIELDS.map((name) => [name, 0])),
      add_headers: fieldsOf(answer, summaryOf(judged)),
    },
  }
}

/** The symbols of an answer. Clients put them into fields too (X-Spamd-Result). */
function symbolsOf({ reasons }: ReasonsResult) {
  return Object.fromEntries(
    reasons.map(({ name, points, description, evidence }) => {
      const score = Math.round(points * POINTS_UNIT) / POINTS_UNIT
      const options = evidence === undefined ? {} : { options: [headerValue(evidence)] }
      return [name, { name, score, metric_score: score, description, ...options }]
    }),
  )
}

/** The fields that the milter also writes, in one line: clients fold them themselves, if at all. */
function fieldsOf(answer: ReasonsResult, summary: MessageSummary) {
  const fields = tamisFields(judgedAs([answer], answer), summary)
  return {
    ...Object.fromEntries(
      fields.map(({ name, body }) => [name, { value: unfolded(body), order: 1 }]),
    ),
    ...(answer.isSpam && { 'X-Spam-Flag': { value: 'YES', order: 1 } }),
  }
}

/** The Message-ID as Rspamd gives it: without brackets, and `undef` if there is none. Clients put it into fields and logs. */
function messageIdOf(body: string): string {
  const id = headerValue(body).replace(/^</, '').replace(/>$/, '')
  return id === '' ? 'undef' : id
}
