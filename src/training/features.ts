/** Samples -> features: what serving draws from a message, drawn once for all fits. */
import { metaFeatures } from '../features/meta-features.ts'
import type { SparseVector } from '../features/sparse-vector.ts'
import { textFeatures } from '../features/text-features.ts'
import { parseAddresses } from '../message/address.ts'
import { registrableDomain } from '../message/domain.ts'
import { headerBody, type Message } from '../message/message.ts'
import { memoryOctets } from '../message/octets.ts'
import { parseMessage } from '../message/parse.ts'
import { signals } from '../signals/signals.ts'
import type { Sample } from './corpus/sample.ts'

/** A sample as the models see it. The bytes are let go. */
export interface Example extends Omit<Sample, 'bytes'> {
  readonly text: SparseVector
  readonly meta: SparseVector
  /** Examples of one group never stand on both sides of a split. */
  readonly group: string
}

/** When nothing in a message says when it arrived. */
const UNDATED = new Date('2025-06-01T12:00:00Z')

export function exampleOf(sample: Sample): Example {
  const { bytes, ...labels } = sample
  const message = parseMessage(memoryOctets(bytes))
  const found = signals(message, { receivedAt: arrivalOf(message) })
  return {
    ...labels,
    text: textFeatures(message).vector,
    meta: metaFeatures(message, found),
    group: groupOf(sample, message),
  }
}

/** The date the receiving server wrote into the topmost Received field (RFC 5321 §4.4), else the sender's. */
function arrivalOf(message: Message): Date {
  const received = headerBody(message, 'received')?.split(';').at(-1)
  for (const text of [received, headerBody(message, 'date')]) {
    const time = Date.parse(text ?? '')
    if (!Number.isNaN(time)) return new Date(time)
  }
  return UNDATED
}

/** The kind of a written message; else source and sender's domain, since one sender's mail is alike. */
function groupOf(sample: Sample, message: Message): string {
  if (sample.kind !== undefined) return `${sample.source} ${sample.kind}`
  const domain = parseAddresses(headerBody(message, 'from') ?? '')[0]?.domain ?? ''
  return `${sample.source} ${registrableDomain(domain)}`
}
