/**
 * How long an embedding takes, on one thread, after warming up. CPU time of this thread, not
 * wall-clock: what else the machine does counts for less.
 */
import type { EmbeddingModel } from '../../../mail/embedding/embedding-model.ts'
import { messageEmbedding } from '../../../mail/embedding/message-embedding.ts'
import { wordsOf } from '../../../mail/embedding/words.ts'
import type { Message } from '../../../mail/message/message.ts'
import { readerText } from '../../../mail/signals/text.ts'

/** Code units of about 130 word pieces of English, as the prototype counted them. */
const TEXT_LENGTH = 640

/** Different texts or messages in a round, so that their rows are not all in the processor's cache. */
const ITEMS_MAX = 200

/** The clock of CPU time ticks every ten milliseconds, so that many are wanted. */
const ROUNDS = 50

export interface Speed {
  readonly what: string
  readonly items: number
  /** Words of one item on average. */
  readonly words: number
  readonly microseconds: number
}

export function measureSpeed(model: EmbeddingModel, messages: readonly Message[]): Speed[] {
  const long = messages.filter((message) => readerText(message).length >= TEXT_LENGTH)
  const chosen = long.slice(0, ITEMS_MAX)
  const texts = chosen.map((message) => readerText(message).slice(0, TEXT_LENGTH))
  return [
    speed(`embed, ${TEXT_LENGTH} characters`, texts, texts, (text) => model.embed(text)),
    speed('embedding and terms of a message', chosen, chosen.map(readerText), (message) =>
      messageEmbedding(model, message),
    ),
  ]
}

function speed<Item>(
  what: string,
  items: readonly Item[],
  texts: readonly string[],
  run: (item: Item) => unknown,
): Speed {
  for (const item of items) run(item)
  const start = process.threadCpuUsage()
  for (let round = 0; round < ROUNDS; round++) for (const item of items) run(item)
  const { user, system } = process.threadCpuUsage(start)
  const words = texts.reduce((sum, text) => sum + wordsOf(text, text.length).length, 0)
  return {
    what,
    items: items.length,
    words: Math.round(words / texts.length),
    microseconds: (user + system) / (ROUNDS * items.length),
  }
}
