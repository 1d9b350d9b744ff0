/**
 * Kinds of mail whose class is stated, because training has most of their like in another: a security notice that asks
 * its recipient to act is `primary`, not one of the notices of services, and the appeal of a charity or a party for
 * donations is `promotions`, also where it reads like a letter (docs/verdict.md).
 */

import type { Message } from '../message/message.ts'
import type { MessageClass } from '../models/prediction.ts'
import { kindPhrasesIn } from '../signals/content/phrases.ts'
import { webTargets } from '../signals/link-targets.ts'
import type { Signal } from '../signals/signal.ts'
import { signalSet } from '../signals/table.ts'
import { readerText } from '../signals/text.ts'
import type { Allowance } from './allowances.ts'

/** What is added to the log-odds of a class against the others. */
export interface ClassTerm {
  readonly class: MessageClass
  /** CLASS_TERM_LOGIT: the models' word stays where they are surer than 20 to 1. */
  readonly logit: number
}

const CLASS_TERM_LOGIT = 3

/** Characters of a notice at most, and of an appeal: what goes on is a manual or a policy, or a newsletter. */
const NOTICE_LENGTH_MAX = 2_000
const APPEAL_LENGTH_MAX = 1_000

/** News about security, an advisory of a list, an answer. */
const NO_NOTICE = signalSet(
  'LIST_ID',
  'LIST_UNSUBSCRIBE',
  'LIST_PRECEDENCE_BULK',
  'NEWSLETTER_WORDING',
  'SALE_WORDING',
  'ASKS_TO_BUY',
  'REPLY_REFERENCED',
  'THREAD_REFERENCED',
)

/** The term of `message`; undefined where it is of neither kind. */
export function classTermOf(
  message: Message,
  signals: readonly Signal[],
  allowance: Allowance | undefined,
): ClassTerm | undefined {
  const { length } = readerText(message)
  if (length > NOTICE_LENGTH_MAX) return undefined
  const names = new Set(signals.map(({ name }) => name))
  if (allowance?.reason === 'APPEAL' && length <= APPEAL_LENGTH_MAX) {
    return { class: 'promotions', logit: CLASS_TERM_LOGIT }
  }
  if ([...NO_NOTICE].some((name) => names.has(name))) return undefined
  if (webTargets(message).length === 0) return undefined
  const found = kindPhrasesIn(message)
  return found.has('credential') && found.has('mustAct')
    ? { class: 'primary', logit: CLASS_TERM_LOGIT }
    : undefined
}
