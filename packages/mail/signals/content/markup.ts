/** Signals from markup for machines in HTML, as schema.org has it: an order, a parcel, a booking. */
import type { Message } from '../../message/message.ts'
import type { SignalDeclarations } from '../aspect.ts'
import { type Signal, signal } from '../signal.ts'

export const MARKUP_SIGNALS = {
  ORDER_MARKUP: `The markup describes an order.
    schema.org Order`,
  PARCEL_MARKUP: `The markup describes a delivery.
    schema.org ParcelDelivery`,
  INVOICE_MARKUP: `The markup describes an invoice.
    schema.org Invoice`,
  RESERVATION_MARKUP: `The markup describes a booking.
    schema.org FlightReservation`,
  EVENT_MARKUP: `The markup describes an event.
    schema.org Event`,
  OFFER_MARKUP: `The markup describes an offer.
    schema.org DiscountOffer`,
  ACTION_MARKUP: `The markup offers a button.
    schema.org ViewAction`,
} satisfies SignalDeclarations

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
