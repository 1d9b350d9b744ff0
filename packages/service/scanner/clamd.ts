/**
 * Asks clamd about one message: the command INSTREAM of clamd(8), with `z` before it, so that commands and answers
 * end in NUL. The message goes over in chunks, each after its length in four bytes, and an empty one ends it.
 *
 * clamd may answer before it has everything, and closes the connection; what it has said until then counts.
 */
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { TamisError } from '../../errors/errors.ts'
import type { Octets } from '../../mail/message/octets.ts'
import { type ScanFailure, type ScanFinding, signatureName } from '../../mail/verdict/evidence.ts'

/** Bytes of a message that are scanned, the StreamMaxLength of Debian's clamd.conf: clamd refuses a longer one. Mail hosts accept 10 to 50 MB. */
export const SCANNED_BYTES_MAX = 25 * 1024 * 1024

/** Bytes of a chunk: it costs hardly more than a shorter one, and the socket takes it in one piece. */
const CHUNK_BYTES = 128 * 1024

/** Bytes of an answer that are read; a real one is the name of a signature. */
const ANSWER_BYTES_MAX = 1_024

const COMMAND = 'zINSTREAM\0'

/** The chunk after the last. */
const END = Buffer.alloc(4)

/** What clamd said; `cause` is the code of the system's error where it was not reached. */
export interface Scanned {
  readonly finding: ScanFinding
  readonly cause?: string
}

/** What is said of a message that was not scanned. */
export function unscanned(failure: ScanFailure, cause?: string): Scanned {
  const finding = { signature: null, isPartial: false, failure }
  return cause === undefined ? { finding } : { finding, cause }
}

/** What a write says to a connection that the other side has closed. */
const CLOSED_MEANWHILE = new Set<string | undefined>(['EPIPE', 'ECONNRESET'])

/**
 * What the clamd at `address` says of `octets`. Never rejects, and resolves and reads nothing more of them after `timeoutMs`.
 *
 * clamd closes the connection behind an answer that it gives early. Node gives up what has not been read when a write meets
 * that, which loses one early answer in a hundred, so clamd is then asked once more: of 400 none was lost.
 */
export async function scanWithClamd(
  octets: Octets,
  address: NetConnectOpts,
  timeoutMs: number,
): Promise<Scanned> {
  const deadline = performance.now() + timeoutMs
  const first = await askClamd(octets, address, timeoutMs)
  if (!CLOSED_MEANWHILE.has(first.cause)) return first
  return await askClamd(octets, address, deadline - performance.now())
}

async function askClamd(
  octets: Octets,
  address: NetConnectOpts,
  timeoutMs: number,
): Promise<Scanned> {
  if (timeoutMs <= 0) return unscanned('NO_ANSWER')
  const length = Math.min(octets.length, SCANNED_BYTES_MAX)
  const socket = connect(address)
  const { promise: given, resolve: end } = Promise.withResolvers<Scanned>()
  const timer = setTimeout(() => end(unscanned('NO_ANSWER')), timeoutMs)
  try {
    const answer = answerOf(socket).then(
      (text) => readAnswer(text, length < octets.length),
      (error: NodeJS.ErrnoException) => unscanned('UNREACHABLE', error.code ?? error.name),
    )
    send(socket, octets, length, performance.now() + timeoutMs).catch(
      // The file of the message was closed, because nobody waits for it any more.
      (error: NodeJS.ErrnoException) => end(unscanned('NO_ANSWER', error.code ?? error.name)),
    )
    return await Promise.race([answer, given])
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

/** Writes as fast as clamd reads, until it has everything or the connection is over. */
async function send(
  socket: Socket,
  octets: Octets,
  length: number,
  deadline: number,
): Promise<void> {
  socket.write(COMMAND)
  for (let at = 0; at < length; at += CHUNK_BYTES) {
    if (performance.now() > deadline) return
    const chunk = octets.slice(at, Math.min(length, at + CHUNK_BYTES))
    const size = Buffer.alloc(4)
    size.writeUInt32BE(chunk.length)
    // A copy: the octets are only good until the next slice.
    await write(socket, Buffer.concat([size, chunk]))
    if (socket.destroyed) return
  }
  await write(socket, END)
}

/** Writes `bytes` after what has come is read, an early answer too; resolves when the socket has taken them or the connection is over. */
async function write(socket: Socket, bytes: Buffer): Promise<void> {
  await setImmediate()
  if (!socket.destroyed && !socket.write(bytes)) await drained(socket)
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.on('drain', done).on('close', done)
  })
}

/**
 * The text of the answer, up to its NUL or the end of the connection.
 *
 * @throws the error of the connection, if nothing was said before it.
 */
function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const finish = () => resolve(text.split('\0', 1)[0]!)
    socket.setEncoding('latin1')
    socket.on('data', (more: string) => {
      text += more
      if (text.includes('\0') || text.length > ANSWER_BYTES_MAX) finish()
    })
    socket.on('end', finish)
    socket.on('error', (error) => (text === '' ? reject(error) : finish()))
  })
}

const CLEAN = 'stream: OK'
const FOUND_BEFORE = 'stream: '
const FOUND_AFTER = ' FOUND'
const ERROR_AFTER = ' ERROR'
const TOO_LARGE = 'INSTREAM size limit exceeded.'

/** What an answer of clamd means: `stream: OK`, `stream: NAME FOUND`, or a sentence and `ERROR`. */
export function readAnswer(text: string, isPartial: boolean): Scanned {
  const answer = text.trim()
  if (answer === CLEAN) return { finding: { signature: null, isPartial, failure: null } }
  if (answer.startsWith(FOUND_BEFORE) && answer.endsWith(FOUND_AFTER)) {
    const found = answer.slice(FOUND_BEFORE.length, -FOUND_AFTER.length)
    // With ExtendedDetectionInfo the name is followed by hash and size of the file in brackets.
    const [name = ''] = found.split('(', 1)
    return { finding: { signature: signatureName(name), isPartial, failure: null } }
  }
  if (answer === '') return unscanned('UNREACHABLE', 'CLOSED')
  if (!answer.endsWith(ERROR_AFTER)) return unscanned('NOT_A_SCANNER')
  return unscanned(answer.startsWith(TOO_LARGE) ? 'TOO_LARGE' : 'REFUSED')
}

/** Reads the setting TAMIS_CLAMD: where clamd listens, which is `LocalSocket` or `TCPAddr` and `TCPSocket` in its clamd.conf. */

/** A path of at most 107 bytes (unix(7)), or a host and a port, an IPv6 address in brackets. */
export const CLAMD_PATTERN =
  '^(?:|/[!-~]{1,106}|(?:[A-Za-z0-9.-]{1,253}|\\[[0-9a-fA-F:.]{2,45}\\]):[0-9]{1,5})$'

const PORT_MAX = 65_535

/**
 * What to connect to for a setting that matches CLAMD_PATTERN; undefined for an empty one.
 *
 * @throws TamisError CONFIG_INVALID for a port that there is not.
 */
export function clamdAddress(setting: string): NetConnectOpts | undefined {
  if (setting === '') return undefined
  if (setting.startsWith('/')) return { path: setting }
  const colon = setting.lastIndexOf(':')
  const port = Number(setting.slice(colon + 1))
  if (port < 1 || port > PORT_MAX) {
    throw new TamisError(
      'CONFIG_INVALID',
      `TAMIS_CLAMD is "${setting}"; allowed: a port from 1 to ${PORT_MAX}`,
    )
  }
  return { host: setting.slice(0, colon).replace(/^\[|\]$/g, ''), port }
}
