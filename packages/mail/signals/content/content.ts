/**
 * Signals from what a message contains: facts by which mail of one class is known, an order number,
 * a one-time code, a price, a quoted reply, a patch.
 *
 * They serve the class of a message more than its being spam: spam imitates them all. Evidence is
 * the phrase that gave it away and never what stood beside it: codes and amounts are the reader's.
 */
import type { Message } from '../../message/message.ts'
import type { Signal } from '../signal.ts'
import { markupSignals } from './markup.ts'
import { numberSignals } from './numbers.ts'
import { contentOf } from './phrases-found.ts'
import { priceSignals } from './prices.ts'
import { purposeSignals } from './purposes.ts'
import { reportSignals } from './reports.ts'
import { threadSignals } from './threads.ts'
import { wordingSignals } from './wording.ts'

export function contentSignals(message: Message): Signal[] {
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
