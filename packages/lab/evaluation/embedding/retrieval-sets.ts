/**
 * The sets in which retrieval is measured. Their messages were not trained on, but for the written
 * mail, where kinds were left out: these alone are asked for. Word weights were counted in all
 * written mail.
 */

import { readCommonText } from '../../../artifact-files/artifact-files.ts'
import type { EmbeddingModel } from '../../../mail/embedding/embedding-model.ts'
import {
  type MessageEmbedding,
  messageEmbedding,
} from '../../../mail/embedding/message-embedding.ts'
import type { Message } from '../../../mail/message/message.ts'
import { memoryOctets } from '../../../mail/message/octets.ts'
import { parseMessage } from '../../../mail/message/parse.ts'
import { readCorpora } from '../../corpora/read.ts'
import type { Sample } from '../../corpora/sample.ts'
import { isLeftOutKind } from '../../training/embedding/mail-texts.ts'
import { nearDuplicateGroups, threadGroups } from './groups.ts'
import type { RetrievalSet } from './retrieval.ts'

const COMMON_TEXT = await readCommonText()

/** Renderings of a written message that are read: the first. */
const FIRST_RENDERING = '#0'

/** Messages of one set and how they are grouped, before any model has seen them. */
export interface GroupedMessages {
  readonly name: string
  readonly messages: readonly Message[]
  readonly groups: readonly number[]
  readonly isQuery: readonly boolean[]
}

interface Grouping {
  readonly name: string
  readonly takes: (sample: Sample) => boolean
  readonly groupsOf: (messages: readonly Message[], samples: readonly Sample[]) => number[]
  readonly asksFor?: (sample: Sample) => boolean
}

const GROUPINGS: readonly Grouping[] = [
  ...['lists', 'phishing_pot', 'glitchyzorua', 'household_2025'].map(
    (source): Grouping => ({
      name: `near duplicates, ${source}`,
      takes: (sample) => sample.source === source,
      groupsOf: nearDuplicateGroups,
    }),
  ),
  {
    name: 'threads, lists',
    takes: ({ source, spam }) => source === 'lists' && spam === false,
    groupsOf: threadGroups,
  },
  {
    name: 'kinds left out, written',
    takes: ({ source, id }) => source === 'written' && id.endsWith(FIRST_RENDERING),
    groupsOf: (_, samples) => numbered(samples.map(({ kind = '' }) => kind)),
    asksFor: ({ kind }) => isLeftOutKind(kind ?? ''),
  },
  {
    name: 'spam and classes, written',
    takes: ({ source, id, kind }) =>
      source === 'written' && id.endsWith(FIRST_RENDERING) && isLeftOutKind(kind ?? ''),
    groupsOf: (_, samples) => numbered(samples.map(labelOf)),
  },
  {
    name: 'spam and classes, household_2025',
    takes: ({ source }) => source === 'household_2025',
    groupsOf: (_, samples) => numbered(samples.map(labelOf)),
  },
]

/** The messages of all sets found in `corpora`. `onMessage` is called after each that was read. */
export function readGroupedMessages(corpora: string): GroupedMessages[] {
  const samples = [...readCorpora(corpora, 'train'), ...readCorpora(corpora, 'evaluate')]
  return GROUPINGS.map(({ name, takes, groupsOf, asksFor = () => true }) => {
    const taken = samples.filter(takes)
    const messages = taken.map(({ bytes }) => parseMessage(memoryOctets(bytes)))
    return { name, messages, groups: groupsOf(messages, taken), isQuery: taken.map(asksFor) }
  })
}

export function embeddedSet(
  { name, messages, groups, isQuery }: GroupedMessages,
  model: EmbeddingModel,
): RetrievalSet {
  const embeddings: MessageEmbedding[] = messages.map((message) =>
    messageEmbedding(model, message, COMMON_TEXT),
  )
  return { name, embeddings, groups, isQuery }
}

function labelOf({ spam, messageClass }: Sample): string {
  return spam === true ? 'spam' : (messageClass ?? '')
}

/** Equal names have equal numbers. */
function numbered(names: readonly string[]): number[] {
  const numbers = new Map<string, number>()
  return names.map((name) => {
    const known = numbers.get(name)
    if (known === undefined) numbers.set(name, numbers.size)
    return known ?? numbers.size - 1
  })
}
