/**
 * A message as it was received: small ones in memory, large ones in a file that stays open.
 *
 * A file is identified by its descriptor and not by its path: threads share descriptors with the
 * main thread, and nobody can put another file in its place between the check and the reading.
 */
import { memoryOctets, type Octets } from '../../mail/message/octets.ts'
import { fileOctets } from './file-octets.ts'

export type MessageBody =
  | {
      readonly kind: 'memory'
      /** In an ArrayBuffer of their own, so that they can be handed to a thread without a copy. */
      readonly bytes: Uint8Array<ArrayBuffer>
    }
  | {
      readonly kind: 'file'
      /** Open for reading, for as long as the body is in use. */
      readonly descriptor: number
      /** Length in bytes. */
      readonly length: number
    }

/** The length of `body`, in bytes. */
export function lengthOf(body: MessageBody): number {
  return body.kind === 'memory' ? body.bytes.length : body.length
}

/** The one view that the parser and the verification of senders have of `body`, valid while it is in use and has not been handed over. */
export function bodyOctets(body: MessageBody): Octets {
  return body.kind === 'memory'
    ? memoryOctets(body.bytes)
    : fileOctets(body.descriptor, body.length)
}
