/** When corpus mail arrived and from which domain: the order of a stream, and what limits count by. */
import { parseAddresses } from '../../message/address.ts'
import { registrableDomain } from '../../message/domain.ts'
import { headerBody } from '../../message/message.ts'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'
import type { Sample } from '../../training/corpus/sample.ts'

export interface Delivery {
  /** The time in the topmost Received field, which the receiving server wrote; else the sender's Date; else 1970. */
  readonly at: Date
  /** Registrable domain of the From address. */
  readonly domain: string
}

export function deliveryOf({ bytes }: Pick<Sample, 'bytes'>): Delivery {
  const message = parseMessage(memoryOctets(bytes))
  const received = headerBody(message, 'received')?.split(';').at(-1)
  const times = [received, headerBody(message, 'date')].map((text) => Date.parse(text ?? ''))
  const from = parseAddresses(headerBody(message, 'from') ?? '')[0]?.domain ?? ''
  return {
    at: new Date(times.find((time) => !Number.isNaN(time)) ?? 0),
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
