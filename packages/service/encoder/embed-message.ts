/** The embedding by which a message is compared with a user's corrections. */
import { TamisError } from '../../errors/errors.ts'
import type { MessageEmbedding } from '../../mail/personalization/memory.ts'
import type { Outlet } from '../admission/queue.ts'
import type { Embedder } from './embedder.ts'

/** Milliseconds that a message waits for it: 50 other messages. */
const WAIT_MS_MAX = 2_000

/** All messages are one caller, beside those of /classify/embed-text. */
const CALLER = ''

/**
 * The embedding of the text of a message. Undefined where there is none in time: then memories go by words alone, and the
 * request does not fail.
 *
 * @throws TamisError REQUEST_ABANDONED
 */
export async function embeddingOf(
  { embedder }: { readonly embedder: Pick<Embedder, 'id' | 'isUsable' | 'embed'> },
  {
    outlet,
    log,
  }: { readonly outlet: Outlet; readonly log: { warn(details: object, text: string): void } },
  text: string,
  waitMsMax: number = WAIT_MS_MAX,
): Promise<MessageEmbedding | undefined> {
  if (!embedder.isUsable) return undefined
  try {
    const vector = await embedder.embed(text, { caller: CALLER, outlet, waitMsMax })
    return { model: embedder.id, vector }
  } catch (error) {
    if (error instanceof TamisError && error.code === 'REQUEST_ABANDONED') throw error
    // Why it cannot be used was said once.
    if (embedder.isUsable)
      log.warn({ err: error }, 'A message was not embedded; memories go by its words')
    return undefined
  }
}
