/**
 * Mail in the same frame: a service's notice, a quotation, a footer, the words of a short letter. Each file of
 * packages/lab/data/corrections has a frame and what several messages put in it, spam and ham of other senders.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SenderAuthentication } from '../../../mail/personalization/rules.ts'
import { UNKNOWN_SENDER } from '../../../mail/personalization/rules.ts'

const FOLDER = join(import.meta.dirname, '../../data/corrections')

/** What the receiving server writes above a frame. */
const ENVELOPE = `Received: from mx.sender.example (mx.sender.example [203.0.113.9])
	by mail.reader.example (Postfix) with ESMTPS id 4C1F2A
	for <ines@reader.example>; Thu, 15 Oct 2026 09:12:44 +0200 (CEST)
Date: Thu, 15 Oct 2026 09:12:40 +0200
MIME-Version: 1.0
`

const SEPARATOR = '\n=====\n'

export interface FramedMessage {
  readonly spam: boolean
  readonly bytes: Uint8Array
  readonly authentication: SenderAuthentication
}

export interface Frame {
  readonly kind: string
  readonly messages: readonly FramedMessage[]
}

export function readFrames(): Frame[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.txt'))
  return files.sort().map((name) => frameFrom(readFileSync(join(FOLDER, name), 'utf8')))
}

/** A frame from the text of its file: the kind, the frame with `{places}`, and a block of values for each message. */
export function frameFrom(file: string): Frame {
  const [head = '', frame = '', ...blocks] = file.trimEnd().split(SEPARATOR)
  const { kind = '' } = valuesIn(head)
  const messages = blocks.map((block, i): FramedMessage => {
    const { label, authenticated, ...values } = valuesIn(block)
    const text = `${ENVELOPE}Message-ID: <${i}@frame.example>\n${filled(frame, values)}\n`
    return {
      spam: label === 'spam',
      bytes: Buffer.from(text.replaceAll('\n', '\r\n')),
      authentication:
        authenticated === undefined ? UNKNOWN_SENDER : { result: 'pass', domain: authenticated },
    }
  })
  return { kind, messages }
}

/** Lines `name: value`; a line that begins with two blanks continues the value before it. */
function valuesIn(block: string): Record<string, string> {
  const values: Record<string, string> = {}
  let last = ''
  for (const line of block.split('\n')) {
    if (line.startsWith('  ')) {
      values[last] += `\n${line.slice(2)}`
      continue
    }
    const colon = line.indexOf(':')
    last = line.slice(0, colon)
    values[last] = line.slice(colon + 1).trim()
  }
  return values
}

function filled(frame: string, values: Readonly<Record<string, string>>): string {
  return frame.replace(/\{(\w+)\}/g, (_, place: string) => {
    const value = values[place]
    if (value === undefined) throw new RangeError(`A message of the frame has no ${place}`)
    return value
  })
}
