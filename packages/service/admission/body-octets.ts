/** Gives the parser and the verification of senders one view of a message body, in memory or in a file. */
import { memoryOctets, type Octets } from '../../mail/message/octets.ts'
import { fileOctets } from './file-octets.ts'
import type { MessageBody } from './message-body.ts'

/** The octets of `body`, valid while it is in use and has not been handed over. */
export function bodyOctets(body: MessageBody): Octets {
  return body.kind === 'memory'
    ? memoryOctets(body.bytes)
    : fileOctets(body.descriptor, body.length)
}
