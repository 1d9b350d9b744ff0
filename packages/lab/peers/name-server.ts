/**
 * A name server on the loopback that knows no name: whatever is asked for does not exist (NXDOMAIN,
 * RFC 1035 §4.1.1).
 *
 * A peer without a name server waits for an answer until its time is up, message after message. On
 * the hosts that it is made for names are resolved beside it, and an answer takes no time.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** Octets of a DNS header; shorter datagrams are no questions. */
const HEADER_BYTES = 12

/** The bits of the header's second word: it is a response, recursion was available, the name does not exist. */
const RESPONSE = 0x8000
const RECURSION_AVAILABLE = 0x0080
const NXDOMAIN = 0x0003

/** What of a question's flags goes back: its opcode, and whether recursion was desired. */
const KEPT_FLAGS = 0x7900

export interface NameServer {
  readonly port: number
  close(): void
}

/** Answers on 127.0.0.1 until it is closed. */
export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    if (question.length >= HEADER_BYTES) socket.send(noSuchName(question), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { port: socket.address().port, close: () => socket.close() }
}

/** The question sent back, marked as answered: there is no such name. */
export function noSuchName(question: Buffer): Buffer {
  const answer = Buffer.from(question)
  const flags = question.readUInt16BE(2) & KEPT_FLAGS
  answer.writeUInt16BE(flags | RESPONSE | RECURSION_AVAILABLE | NXDOMAIN, 2)
  return answer
}
