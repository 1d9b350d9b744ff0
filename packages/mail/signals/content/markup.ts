/** Signals from markup for machines in HTML, as schema.org has it: an order, a parcel, a booking. */
import type { Message } from '../../message/message.ts'
import type { SignalDeclarations } from '../aspect.ts'
import { type Signal, signal } from '../signal.ts'
import type { SignalName } from '../signals.ts'

export const MARKUP_SIGNALS = {
  ORDER_MARKUP: {
    description: 'The markup describes an order.',
    example: 'schema.org Order',
    since: '0.1.0',
  },
  PARCEL_MARKUP: {
    description: 'The markup describes a delivery.',
    example: 'schema.org ParcelDelivery',
    since: '0.1.0',
  },
  INVOICE_MARKUP: {
    description: 'The markup describes an invoice.',
    example: 'schema.org Invoice',
    since: '0.1.0',
  },
  RESERVATION_MARKUP: {
    description: 'The markup describes a booking.',
    example: 'schema.org FlightReservation',
    since: '0.1.0',
  },
  EVENT_MARKUP: {
    description: 'The markup describes an event.',
    example: 'schema.org Event',
    since: '0.1.0',
  },
  OFFER_MARKUP: {
    description: 'The markup describes an offer.',
    example: 'schema.org DiscountOffer',
    since: '0.1.0',
  },
  ACTION_MARKUP: {
    description: 'The markup offers a button.',
    example: 'schema.org ViewAction',
    since: '0.1.0',
  },
} satisfies SignalDeclarations

/** schema.org types and their kin -> the signal, https://schema.org/docs/gs.html and Gmail's markup. */
const MARKUP: readonly (readonly [RegExp, SignalName])[] = [
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
