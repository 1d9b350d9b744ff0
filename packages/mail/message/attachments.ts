/**
 * Parts that a mail program offers to save or open. Only their first bytes are decoded: they show what
 * kind of file it is, and no later stage needs the rest.
 */
import { hash } from 'node:crypto'
import { ATTACHMENT_HEAD_BYTES, ATTACHMENT_READ_BYTES } from './limits.ts'
import type { Attachment } from './message.ts'
import { isMessage, isMultipart, type WalkedPart } from './parts.ts'
import { isText } from './text-bodies.ts'
import { decodedBase64Length, decodeTransfer } from './transfer-encoding.ts'

/** True when `walked` is offered as a file. A text with a file name is both shown and offered; a container that was opened is not. */
export function isAttachment(walked: WalkedPart): boolean {
  if (isMultipart(walked.content) || isOpenedContainer(walked)) return false
  if (walked.part.disposition === 'attachment' || walked.part.fileName !== undefined) return true
  return !isMessage(walked.content) && !isText(walked)
}

function isOpenedContainer({ part, content }: WalkedPart): boolean {
  return part.parts.length > 0 && !isMessage(content)
}

/** The attachment in `walked`. */
export function readAttachment(walked: WalkedPart): Attachment {
  const { part, content, octets, bodyStart, bodyEnd } = walked
  const encoded = octets.slice(bodyStart, Math.min(bodyEnd, bodyStart + ATTACHMENT_READ_BYTES))
  const encoding = content.encodings[0]!
  const decoded = decodeTransfer(encoded, encoding).bytes
  const head = new Uint8Array(decoded.subarray(0, ATTACHMENT_HEAD_BYTES))
  const share = encoded.length === 0 ? 1 : decoded.length / encoded.length
  const length = bodyEnd - bodyStart
  const isWhole = encoded.length === length
  return {
    fileName: part.fileName ?? '',
    otherNames: content.otherNames,
    type: part.type,
    disposition: part.disposition,
    shown: isText(walked),
    bytes:
      encoding === 'base64' && !isWhole
        ? decodedBase64Length(Buffer.from(encoded), octets.slice(bodyEnd - 4, bodyEnd), length)
        : Math.round(length * share),
    headHash: hash('sha256', head, 'hex'),
    head,
  }
}
