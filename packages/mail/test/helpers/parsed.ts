/** A message of a test, written as a text. */
import type { Message } from '../../message/message.ts'
import { memoryOctets } from '../../message/octets.ts'
import { parseMessage } from '../../message/parse.ts'

/** @param encoding 'latin1' where each letter is a byte. */
export function parsed(source: string, encoding: BufferEncoding = 'utf8'): Message {
  return parseMessage(memoryOctets(Buffer.from(source, encoding)))
}
