/**
 * Reads requests of Rspamd's clients (https://docs.rspamd.com/developers/protocol/): Rspamd's names
 * for the metadata of a message, its compression of bodies, and its headers that name files of the
 * server, which are refused.
 */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { constants, createZstdDecompress } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { TamisError } from '../../errors/errors.ts'
import { QUEUE_ID_PATTERN } from '../history/history-entry.ts'
import type { Metadata, Request } from '../request.ts'
import { invalidHeader } from './field-errors.ts'
import { declaredLength, requested } from './message-stream.ts'
import { canonicalIp, headerTexts, readSender } from './metadata.ts'
import { userIdOf } from './user-of.ts'

/** Headers that tell Rspamd to read a message from its own disk or memory. With them, anybody who reaches the port could read any file. */
const FILE_HEADERS = ['File', 'Path', 'Shm']

/** An address with the port of the client, as rspamd_proxy sends it. */
const WITH_PORT = /^(\[[^\]]{1,64}\]|[\d.]{7,15}):\d{1,5}$/

/** The largest window of a compressed body, 8 MiB: the highest common level needs it. A frame can ask for 128 MiB. */
const WINDOW_LOG_MAX = 23

/**
 * Gives the message of an Rspamd request to `use` while it is being received.
 *
 * @throws TamisError CONTENT_TYPE_UNSUPPORTED, and what `use` throws.
 */
export async function withRspamdMessage<Answer>(
  request: FastifyRequest,
  reply: FastifyReply,
  metadata: Metadata,
  use: (incoming: Request) => Promise<Answer>,
): Promise<Answer> {
  const body = openBody(request)
  try {
    const message = { stream: body.stream, declaredLength: body.length, metadata }
    return await use(requested(request, reply, message))
  } catch (error) {
    throw body.unpacking?.explain(error) ?? error
  } finally {
    body.unpacking?.end()
  }
}

/**
 * The metadata in the headers of Rspamd's clients. The user is the one recipient: `Deliver-To`, else
 * the only `Rcpt`. With several recipients there is no user, because one answer serves them all.
 * `User` says that the client has logged in: then its address is a home's, and no server's, and is left out.
 * Unreadable values, and addresses that come twice, are left out: a strange envelope must not get a message past the filter, and a
 * client that is refused may refuse the message.
 *
 * @throws TamisError HEADER_INVALID for a header that names a file.
 */
export function rspamdMetadata({ raw, headers }: FastifyRequest, userOf: string): Metadata {
  const named = FILE_HEADERS.find((name) => headers[name.toLowerCase()] !== undefined)
  if (named !== undefined)
    throw invalidHeader(named, 'names a message that is not sent; send it as the body')
  // Nothing is read from the name itself, whatever its bytes are.
  const isAuthenticated = [headers['user'] ?? ''].flat().some((user) => user.trim() !== '')
  const ip = (only(headerTexts(raw, 'ip')) ?? '').trim().replace(WITH_PORT, '$1')
  const senderIp = isAuthenticated ? undefined : canonicalIp(ip)
  const from = only(headerTexts(raw, 'from'))
  const mailFrom = from === undefined ? undefined : readSender(from)
  const queueId = only(headerTexts(raw, 'queue-id'))
  const userId = onlyUser(headerTexts(raw, 'deliver-to'), headerTexts(raw, 'rcpt'), userOf)
  return {
    ...(senderIp === undefined ? {} : { senderIp }),
    ...(mailFrom === undefined ? {} : { mailFrom }),
    ...(userId === undefined ? {} : { userId }),
    ...(queueId !== undefined && QUEUE_ID_PATTERN.test(queueId) && { queueId }),
  }
}

function only(texts: readonly string[]): string | undefined {
  return texts.length === 1 ? texts[0] : undefined
}

/** The only recipient; undefined if there is none, or several. */
function onlyUser(
  deliverTo: readonly string[],
  rcpts: readonly string[],
  userOf: string,
): string | undefined {
  const [recipient, ...others] = deliverTo.length > 0 ? deliverTo : rcpts
  return recipient === undefined || others.length > 0 ? undefined : userIdOf(recipient, userOf)
}

interface Body {
  readonly stream: Readable
  /** The length in bytes as they come out of `stream`; undefined for a compressed body. */
  readonly length: number | undefined
  readonly unpacking?: Unpacking
}

/** Rspamd has its own header for compressed bodies; newer clients use that of HTTP. */
function openBody({ raw, headers, body }: FastifyRequest): Body {
  const packing = [headers['compression'], headers['content-encoding']]
    .flat()
    .map((name = 'identity') => name.toLowerCase())
    .find((name) => name !== 'identity')
  if (packing === undefined) return { stream: plainBody(raw, body), length: declaredLength(raw) }
  if (packing !== 'zstd' || headers['dictionary'] !== undefined) {
    throw new TamisError(
      'CONTENT_TYPE_UNSUPPORTED',
      'The body may only be compressed with zstd, without a dictionary',
    )
  }
  const unpacking = new Unpacking(raw)
  return { stream: unpacking.stream, length: undefined, unpacking }
}

/** Stands for a missing body: there is no stream to read then, and an empty message is refused. */
function plainBody(raw: IncomingMessage, body: unknown): Readable {
  return body instanceof Readable ? body : raw
}

/**
 * A body that is decompressed as it is received, so that its decompressed bytes count: a megabyte of
 * zeros is a kilobyte when compressed. The connection always outlives it, for the answer.
 */
class Unpacking {
  readonly stream = createZstdDecompress({
    params: { [constants.ZSTD_d_windowLogMax]: WINDOW_LOG_MAX },
  })
  readonly #packed: IncomingMessage
  #failure: Error | undefined

  constructor(packed: IncomingMessage) {
    this.#packed = packed
    this.stream.on('error', (error) => {
      this.#failure ??= error
    })
    // A client that disconnects does not end the pipe.
    packed.once('close', () => {
      if (!packed.complete) this.stream.destroy()
    })
    packed.pipe(this.stream)
  }

  /** The error for the client if the reader of the body failed with `error`. */
  explain(error: unknown): unknown {
    if (this.#failure === undefined) return error
    return new TamisError('CONTENT_TYPE_UNSUPPORTED', 'The body is not zstd, or is damaged', {
      cause: this.#failure,
    })
  }

  /** Releases the connection. */
  end(): void {
    this.#packed.unpipe(this.stream)
    this.stream.destroy()
  }
}
