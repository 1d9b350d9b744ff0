/** Signals from markup for machines in HTML, as schema.org has it: an order, a parcel, a booking. */
import type { Message } from '../../message/message.ts'
import { type Signal, signal } from '../signal.ts'

/** schema.org types and their kin -> the signal, https://schema.org/docs/gs.html and Gmail's markup. */
const MARKUP: readonly (readonly [RegExp, string])[] = [
  [/^(?:Order|OrderStatus|OrderItem)$/, 'ORDER_MARKUP'],
  [/^ParcelDelivery$/, 'PARCEL_MARKUP'],
  [/^Invoice$/, 'INVOICE_MARKUP'],
  [/Reservation$|^BoardingPass$|^Flight$/, 'RESERVATION_MARKUP'],
  [/^RsvpAction$|^(?:[A-Z][a-z]+)?Event$/, 'EVENT_MARKUP'],
  [/^(?:DiscountOffer|PromotionCard|SaleEvent)$/, 'OFFER_MARKUP'],
  [/Action$/, 'ACTION_MARKUP'],
]

export function markupSignals(message: Message): Signal[] {
  const found: Signal[] = []
  const types = new Set(message.texts.flatMap((body) => body.html?.schemaTypes ?? []))
  if (types.size === 0) return found
  for (const [pattern, name] of MARKUP) {
    const type = [...types].find((candidate) => pattern.test(candidate))
    if (type !== undefined) found.push(signal(name, type))
  }
  return found
}
