/** A message body as the parser and the verification of senders read it, wherever it lies. */
import { memoryOctets, type Octets } from '../../mail/message/octets.ts'
import { fileOctets } from './file-octets.ts'
import type { MessageBody } from './message-body.ts'

/** The octets of `body`, for as long as it is in use and has not been handed on. */
export function bodyOctets(body: MessageBody): Octets {
  return body.kind === 'memory'
    ? memoryOctets(body.bytes)
    : fileOctets(body.descriptor, body.length)
}
