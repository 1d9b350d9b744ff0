/** A message of the written mail, as it stands in its line of written/*.jsonl. */
import type { MessageClass } from '../../mail/models/prediction.ts'

/** How the hidden part is hidden (hidden-part.ts). */
export const HIDINGS = [
  'pushed down',
  'zero size',
  'off screen',
  'tiny',
  'after many blanks',
  'noscript or style text',
  'same colour',
  'clipped',
  'visible below',
  'comment',
  'alt text',
  'preheader',
] as const

export type Hiding = (typeof HIDINGS)[number]

export interface WrittenMessage {
  readonly id: string
  readonly spam: boolean
  readonly class: MessageClass
  /** ISO 639-1. */
  readonly lang: string
  /** What it is in a few words: 'mailing list patch', 'bank phishing'. */
  readonly kind: string
  readonly from_name: string
  readonly from_addr: string
  readonly reply_to: string | null
  readonly to_name: string | null
  readonly subject: string
  /** Sent to many by a machine, as against by a person or to one reader alone. */
  readonly bulk: boolean
  /** Markdown; the text of plain-text mail as it is. Behind `<!-- hidden -->` stands what its reader is not to see. */
  readonly body: string
  /** How that is hidden. */
  readonly layout?: Hiding
  /** From is the real company's own address; somebody else sent it. */
  readonly forged?: boolean
  /** Names a contrast pair: the same letter once honest, once a fraud. */
  readonly pair?: string
}
