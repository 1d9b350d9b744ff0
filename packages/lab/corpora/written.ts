/**
 * The written mail (data of our own): one JSON object a line, a message as fields and Markdown,
 * rendered as real senders would (rendering/render.ts), each text several times over.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderWritten } from '../rendering/render.ts'
import type { WrittenMessage } from '../rendering/written-message.ts'
import { type Sample, TEMPLATES_SET, WRITTEN_SET } from './sets.ts'

/** Renderings of one text. */
const RENDERINGS = 3

/** Notices of one program differ little, so that more renderings would say nothing new. */
const TEMPLATE_RENDERINGS = 1

/** All written messages in `folder` in `variants` renderings, in the order of file, line and variant. */
export function readWritten(folder: string, variants: number = RENDERINGS): Sample[] {
  return messagesIn(folder).flatMap((message) => rendered(WRITTEN_SET, message, variants))
}

/**
 * The notices in `folder`. All are ham, but the label is left away, so that classes alone are
 * learned from them: nearly all notices of programs are ham, and a model of spam that learns
 * their register takes forged notices for true (docs/data.md has the figures).
 */
export function readTemplates(folder: string): Sample[] {
  return messagesIn(folder).flatMap((message) =>
    rendered(TEMPLATES_SET, message, TEMPLATE_RENDERINGS).map(({ shortLetter: _, ...sample }) => ({
      ...sample,
      spam: undefined,
    })),
  )
}

/** In the order of file and line. */
function messagesIn(folder: string): WrittenMessage[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  return files.sort().flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as WrittenMessage),
  )
}

function rendered(source: string, message: WrittenMessage, variants: number): Sample[] {
  return Array.from({ length: variants }, (_, variant) => ({
    source,
    id: `${message.id}#${variant}`,
    bytes: renderWritten(message, variant),
    spam: message.spam,
    messageClass: message.class,
    language: message.lang,
    kind: `${message.spam ? 'spam' : message.class}: ${message.kind}`,
    shortLetter: isShortLetter(message),
    ...(message.pair !== undefined && { pair: message.pair }),
  }))
}

/** Below this a letter has few words that speak for it. */
const SHORT_LETTER_WORDS = 100

const WORD = /[\p{L}\p{N}]+/gu

/** Ham from one person to another, typed, of under SHORT_LETTER_WORDS words. */
function isShortLetter({ spam, bulk, class: messageClass, body }: WrittenMessage): boolean {
  if (spam || bulk || messageClass !== 'primary') return false
  return (body.match(WORD)?.length ?? 0) < SHORT_LETTER_WORDS
}

/** Written mail that no model is trained on: what the shared model learns from users is judged by it (models/canary.ts). */
export const CANARY_FOLDER: string = join(import.meta.dirname, '../data/canary')

/** Ids of the texts, of which training knows several renderings. */
export function canaryIds(): ReadonlySet<string> {
  return new Set(readWritten(CANARY_FOLDER, 1).map(({ id }) => textOf(id)))
}

/** The id of the text that a written sample renders. */
export function textOf(sampleId: string): string {
  return sampleId.slice(0, sampleId.lastIndexOf('#'))
}
