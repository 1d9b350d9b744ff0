/** Embeddings of messages by the encoder, in this process. */
import { SHIPPED_ENCODER } from '../../artifact-files/artifact-files.ts'
import { embedText, openEncoder } from '../../encoder/open-encoder.ts'
import type { MessageEmbedding } from '../../mail/personalization/memory.ts'
import { startProgress } from '../../terminal/progress.ts'

/** One for each of `texts` (PersonalAnalysis.embeddedText); equal texts share it. */
export async function embeddingsOf(texts: readonly string[]): Promise<MessageEmbedding[]> {
  const encoder = await openEncoder(SHIPPED_ENCODER)
  const different = new Set(texts)
  const progress = startProgress('embed', different.size)
  const embeddings = new Map<string, MessageEmbedding>()
  for (const text of different) {
    embeddings.set(text, { model: encoder.id, vector: await embedText(encoder, text) })
    progress.advance(1)
  }
  progress.end()
  await encoder.close()
  return texts.map((text) => embeddings.get(text)!)
}
