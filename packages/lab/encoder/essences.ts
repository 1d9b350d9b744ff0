/** What the reader is given of each message, drawn as serving draws it. */
import { essenceOf } from '../../mail/features/text-features.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import { parseMessage } from '../../mail/message/parse.ts'
import type { Sample } from '../corpora/sample.ts'

export function* essencesOf(samples: Iterable<Pick<Sample, 'bytes'>>): Generator<string> {
  for (const { bytes } of samples) yield essenceOf(parseMessage(memoryOctets(bytes)))
}
