/**
 * A verdict in the JSON of Rspamd's `/checkv2`
 * (https://docs.rspamd.com/developers/protocol/#rspamd-http-reply), as its clients read it.
 *
 * The score is that of verdict/reasons.ts. The operator sets which action belongs to which score.
 */
import { REQUIRED_POINTS } from '../../mail/verdict/reasons.ts'
import { summaryOf } from '../on-judged.ts'
import type { Judged } from '../request.ts'
import { headerValue } from './header-value.ts'
import { probabilityText, REASONS_FIELD, reasonsLines } from './message-line.ts'
import type { ReasonsResult } from './results.ts'
import { reasonsResult } from './results.ts'
import type { MessageSummary } from './schemas.ts'

/** Rspamd's names for what a client should do with a message, the mildest first. */
export const ACTIONS = ['greylist', 'add header', 'rewrite subject', 'reject'] as const

export type Action = (typeof ACTIONS)[number]

export interface ActionFrom {
  readonly action: Action
  /** The score from which the action is answered. */
  readonly score: number
}

/** The text before a subject under `rewrite subject`. */
const SUBJECT_MARK = '*** SPAM *** '

/** Fields that only this host may write: the answer tells clients to remove them from incoming messages. */
const OWN_FIELDS = ['X-Tamis-Verdict', 'X-Tamis-Class', REASONS_FIELD, 'X-Spam', 'X-Spam-Flag']

/** Digits of points in answers: enough for the score to be the sum of its symbols. */
const POINTS_UNIT = 1_000_000

/** The actions of a setting: 'add header=5'. `config.ts` has already checked it. */
export function readActions(texts: readonly string[]): ActionFrom[] {
  return texts.map((text) => {
    const at = text.lastIndexOf('=')
    const action = ACTIONS.find((name) => name === text.slice(0, at))
    if (action === undefined) throw new RangeError(`"${text}" is no action`)
    return { action, score: Number(text.slice(at + 1)) }
  })
}

/** @param judged with reasons. */
export function rspamdAnswer(judged: Judged, actions: readonly ActionFrom[]) {
  const answer = reasonsResult(judged)
  const { email } = judged.analysis.detail!
  const action = actionOf(answer.score, actions)
  return {
    is_skipped: false,
    score: answer.score,
    required_score: REQUIRED_POINTS,
    action: action ?? 'no action',
    thresholds: Object.fromEntries(actions.map((each) => [each.action, each.score])),
    symbols: symbolsOf(answer),
    messages: {},
    'message-id': messageIdOf(email.messageId),
    time_real: judged.timing().total / 1_000,
    ...(action === 'rewrite subject' && { subject: headerValue(SUBJECT_MARK + email.subject) }),
    milter: {
      remove_headers: Object.fromEntries(OWN_FIELDS.map((name) => [name, 0])),
      add_headers: fieldsOf(answer, summaryOf(judged)),
    },
  }
}

/** The most severe action whose score is reached. */
function actionOf(score: number, actions: readonly ActionFrom[]): Action | undefined {
  const reached = actions.filter((each) => score >= each.score)
  return ACTIONS.findLast((name) => reached.some(({ action }) => action === name))
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

/** Reasons in the message itself that overrode the models. A field does not say whose rule or memory decided: it may go back to the sender in a bounce. */
const REASONS_TOLD: readonly unknown[] = ['phishtank_match', 'parse_error']

/** The fields that the milter also writes. */
function fieldsOf(answer: ReasonsResult, summary: MessageSummary) {
  const { isSpam, bypassReason, shouldEscalate, classification } = answer
  const words = [
    isSpam ? 'spam' : 'ham',
    `probability=${probabilityText(answer.spamProbability)}`,
    ...(REASONS_TOLD.includes(bypassReason) ? [`reason=${bypassReason}`] : []),
    ...(shouldEscalate ? ['escalate=yes'] : []),
  ]
  // Clients fold a field themselves, if at all.
  const reasons = reasonsLines(summary).join('')
  return {
    'X-Tamis-Verdict': { value: headerValue(words.join('; ')), order: 1 },
    'X-Tamis-Class': { value: headerValue(classification), order: 1 },
    ...(reasons !== '' && { [REASONS_FIELD]: { value: reasons, order: 1 } }),
    ...(isSpam && { 'X-Spam-Flag': { value: 'YES', order: 1 } }),
  }
}

/** The Message-ID as Rspamd gives it: without brackets, and `undef` if there is none. Clients put it into fields and logs. */
function messageIdOf(body: string): string {
  const id = headerValue(body).replace(/^</, '').replace(/>$/, '')
  return id === '' ? 'undef' : id
}
