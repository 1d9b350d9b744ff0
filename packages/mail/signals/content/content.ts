/**
 * Signals from what a message contains: facts by which mail of one class is known, an order number,
 * a one-time code, a price, a quoted reply, a patch.
 *
 * They serve the class of a message more than its being spam: spam imitates them all. Evidence is
 * the phrase that gave it away and never what stood beside it: codes and amounts are the reader's.
 */
import type { Message } from '../../message/message.ts'
import { aspect } from '../aspect.ts'
import type { Signal } from '../signal.ts'
import { MARKUP_SIGNALS, markupSignals } from './markup.ts'
import { NUMBER_SIGNALS, numberSignals } from './numbers.ts'
import { contentOf } from './phrases-found.ts'
import { PRICE_SIGNALS, priceSignals } from './prices.ts'
import { PURPOSE_SIGNALS, purposeSignals } from './purposes.ts'
import { REPORT_SIGNALS, reportSignals } from './reports.ts'
import { THREAD_SIGNALS, threadSignals } from './threads.ts'
import { WORDING_SIGNALS, wordingSignals } from './wording.ts'

export const contentAspect = aspect('content', contentSignals, {
  ...PRICE_SIGNALS,
  ...NUMBER_SIGNALS,
  ...WORDING_SIGNALS,
  ...PURPOSE_SIGNALS,
  ...MARKUP_SIGNALS,
  ...REPORT_SIGNALS,
  ...THREAD_SIGNALS,
})

function contentSignals(message: Message): Signal[] {
  const content = contentOf(message)
  return [
    ...priceSignals(content),
    ...numberSignals(content),
    ...wordingSignals(content),
    ...purposeSignals(content),
    ...markupSignals(message),
    ...reportSignals(message),
    ...threadSignals(message, content),
  ]
}
