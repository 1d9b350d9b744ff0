/**
 * The written mail (data of our own): one JSON object a line, a message as fields and Markdown,
 * rendered as real senders would (rendering/render.ts), each text several times over.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Layout, layoutOf } from '../rendering/layout.ts'
import { renderWritten } from '../rendering/render.ts'
import type { WrittenMessage } from '../rendering/written-message.ts'
import { type Report, reportOnStderr } from './report.ts'
import type { Sample } from './sample.ts'
import { WRITTEN_SET } from './sets.ts'

/** Renderings of one text. */
const RENDERINGS = 3

/** A rendering, with what its making depended on. */
export interface WrittenSample extends Sample {
  readonly bulk: boolean
  readonly layout: Layout
}

/** All of a written message that rendering knows (rendering/written-message.ts). */
const KNOWN_FIELDS: Readonly<Record<keyof WrittenMessage, true>> = {
  id: true,
  spam: true,
  class: true,
  lang: true,
  kind: true,
  from_name: true,
  from_addr: true,
  reply_to: true,
  to_name: true,
  subject: true,
  bulk: true,
  body: true,
}

/** All written messages in `folder` in `variants` renderings, in the order of file, line and variant. */
export function readWritten(
  folder: string,
  variants: number = RENDERINGS,
  report: Report = reportOnStderr,
): WrittenSample[] {
  return readWrittenMessages(folder, report).flatMap((message) => writtenSamples(message, variants))
}

/**
 * The messages in `folder`, in the order of file and line. One with a field that rendering does not
 * know is left out: a text to be hidden from its reader would be shown, and teach the contrary.
 */
export function readWrittenMessages(
  folder: string,
  report: Report = reportOnStderr,
): WrittenMessage[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  const messages = files.sort().flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as WrittenMessage),
  )
  const unknown = new Set<string>()
  const known = messages.filter((message) => {
    const strange = Object.keys(message).filter((name) => !Object.hasOwn(KNOWN_FIELDS, name))
    for (const name of strange) unknown.add(name)
    return strange.length === 0
  })
  if (known.length < messages.length) {
    const names = [...unknown].sort().join(', ')
    report(
      `${WRITTEN_SET}: ${messages.length - known.length} of ${messages.length} messages left out: rendering does not know ${names}`,
    )
  }
  return known
}

function writtenSamples(message: WrittenMessage, variants: number): WrittenSample[] {
  return Array.from({ length: variants }, (_, variant) => ({
    source: WRITTEN_SET,
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
