/** When corpus mail arrived and from which domain: the order of a stream, and what limits count by. */
import { parseAddresses } from '../../../mail/message/address.ts'
import { registrableDomain } from '../../../mail/message/domain.ts'
import { headerBody } from '../../../mail/message/message.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { arrivalOf } from '../../../mail/signals/arrival.ts'
import { CORPUS_FACTS } from '../../corpora/facts.ts'
import type { Sample } from '../../corpora/sample.ts'

export interface Delivery {
  /** When it is judged. */
  readonly at: Date
  /** Registrable domain of the From address. */
  readonly domain: string
}

export function deliveryOf({ bytes }: Pick<Sample, 'bytes'>): Delivery {
  const message = parseMessage(memoryOctets(bytes))
  const from = parseAddresses(headerBody(message, 'from') ?? '')[0]?.domain ?? ''
  return {
    at: arrivalOf(message, CORPUS_FACTS),
    domain: registrableDomain(from),
  }
}

/** Messages that arrived in the same second stay in the order of their ids. */
export function inOrderOfArrival<T extends Pick<Sample, 'id'> & Delivery>(
  messages: readonly T[],
): T[] {
  return messages.toSorted(
    (a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  )
}
