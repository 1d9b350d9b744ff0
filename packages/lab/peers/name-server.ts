/**
 * A name server on the loopback, in a process of its own, that knows no name: whatever is asked for does not exist
 * (NXDOMAIN, RFC 1035 §4.1.1). It says its port to the process that started it, and ends with that.
 *
 * A peer without a name server waits for an answer until its time is up, message after message. On
 * the hosts that it is made for names are resolved beside it, and an answer takes no time.
 */
import { createSocket } from 'node:dgram'

/** Octets of a DNS header; shorter datagrams are no questions. */
const HEADER_BYTES = 12

/** The bits of the header's second word: it is a response, recursion was available, the name does not exist. */
const NO_SUCH_NAME = 0x8000 | 0x0080 | 0x0003

/** What of a question's flags goes back: its opcode, and whether recursion was desired. */
const KEPT_FLAGS = 0x7900

const socket = createSocket('udp4')
socket.on('message', (question, { port, address }) => {
  if (question.length < HEADER_BYTES) return
  question.writeUInt16BE((question.readUInt16BE(2) & KEPT_FLAGS) | NO_SUCH_NAME, 2)
  socket.send(question, port, address)
})
socket.bind(0, '127.0.0.1', () => process.send!(socket.address().port))
process.on('disconnect', () => process.exit())
