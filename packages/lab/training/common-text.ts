/**
 * Counts in the mail of how many senders each text feature and each passage stands (mail/features/common-text.ts).
 *
 * A sender is the registrable domain in From within a source; each written message has a sender of its own.
 * Sets by which personal models and memories are measured are not counted, so that these figures are of mail
 * that nothing was counted in.
 */

import { passagesIn } from '../../mail/embedding/passages.ts'
import { type CommonText, passageHash, senderLevel } from '../../mail/features/common-text.ts'
import { TEXT_FEATURES_SIZE, textFeatures } from '../../mail/features/text-features.ts'
import { memoryOctets } from '../../mail/message/octets.ts'
import { parseMessage } from '../../mail/message/parse.ts'
import { patternsOf } from '../../mail/personalization/patterns.ts'
import { readerText, subjectOf } from '../../mail/signals/text.ts'
import { type Sample, TEMPLATES_SET, WRITTEN_SET } from '../corpora/sets.ts'

/** Sets that the reports on corrections are about. */
const LEFT_OUT = ['household_2025', 'finds', 'finds3']

/** Sources in which each message has a sender of its own: of these one rendering is counted. */
const RENDERED: readonly string[] = [WRITTEN_SET, TEMPLATES_SET]

/**
 * Senders of ham from which a passage is common. Of ham alone: the senders of a spam campaign are invented, and its
 * passages are what a correction is about.
 */
const PASSAGE_SENDERS_MIN = 4

export interface CountedText {
  readonly commonText: CommonText
  readonly messages: number
  readonly senders: number
}

export function countCommonText(samples: readonly Sample[]): CountedText {
  const counted = samples.filter(
    ({ source, id }) =>
      !LEFT_OUT.includes(source) && (!RENDERED.includes(source) || id.endsWith('#0')),
  )
  const drawn = counted.map(draw)
  const bySender = Map.groupBy(drawn, ({ sender }) => sender)
  const senders = new Uint32Array(TEXT_FEATURES_SIZE)
  const sendersOfPassage = new Map<number, number>()
  for (const messages of bySender.values()) {
    for (const index of new Set(messages.flatMap(({ features }) => [...features]))) {
      senders[index]!++
    }
    const ham = messages.filter(({ spam }) => !spam)
    for (const hash of new Set(ham.flatMap(({ passages }) => passages))) {
      sendersOfPassage.set(hash, (sendersOfPassage.get(hash) ?? 0) + 1)
    }
  }
  const common = [...sendersOfPassage].filter(([, count]) => count >= PASSAGE_SENDERS_MIN)
  return {
    commonText: {
      levels: Uint8Array.from(senders, senderLevel),
      passages: Uint32Array.from(common, ([hash]) => hash).sort(),
    },
    messages: counted.length,
    senders: bySender.size,
  }
}

interface Drawn {
  readonly sender: string
  readonly spam: boolean
  readonly features: Uint32Array
  readonly passages: readonly number[]
}

function draw({ source, id, bytes, spam }: Sample): Drawn {
  const message = parseMessage(memoryOctets(bytes))
  const sender = RENDERED.includes(source) ? id : (patternsOf(message, false).senderDomain ?? '')
  const hashes = [subjectOf(message), ...passagesIn(readerText(message))].map(passageHash)
  return {
    sender: `${source} ${sender}`,
    spam: spam === true,
    features: textFeatures(message).vector.indices,
    passages: hashes.filter((hash) => hash !== undefined),
  }
}
