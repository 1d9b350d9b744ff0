/**
 * The written mail (data of our own): one JSON object a line, a message as fields and Markdown,
 * rendered as real senders would (rendering/render.ts), each text several times over.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Layout, layoutOf } from '../rendering/layout.ts'
import { renderWritten } from '../rendering/render.ts'
import type { WrittenMessage } from '../rendering/written-message.ts'
import type { Sample } from './sample.ts'

/** Renderings of one text. */
const RENDERINGS = 3

/** A rendering, with what its making depended on. */
export interface WrittenSample extends Sample {
  readonly bulk: boolean
  readonly layout: Layout
}

/** All written messages in `folder` in `variants` renderings, in the order of file, line and variant. */
export function readWritten(folder: string, variants: number = RENDERINGS): WrittenSample[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  return files.sort().flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .trimEnd()
      .split('\n')
      .flatMap((line) => writtenSamples(JSON.parse(line) as WrittenMessage, variants)),
  )
}

function writtenSamples(message: WrittenMessage, variants: number): WrittenSample[] {
  return Array.from({ length: variants }, (_, variant) => ({
    source: 'written',
    id: `${message.id}#${variant}`,
    bytes: renderWritten(message, variant),
    spam: message.spam,
    messageClass: message.class,
    language: message.lang,
    kind: `${message.spam ? 'spam' : message.class}: ${message.kind}`,
    bulk: message.bulk,
    layout: layoutOf(message),
  }))
}
