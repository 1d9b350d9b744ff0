/**
 * The path forms: a request names a file on the server's own machine in JSON. They are turned off by
 * default: until there are folders to read from, they answer every request with 501 and the name of
 * the stream form.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { TamisError } from '../../errors/errors.ts'
import type { PathRoots } from '../admission/path-roots.ts'
import type { Metadata } from '../metadata.ts'
import { type RequestedMessage, requested } from './message-stream.ts'
import { type MetadataNames, readMetadata } from './metadata.ts'

/** Room for the longest path that Linux takes, 4 KiB, in escapes of six bytes (`\\u002f`); two addresses and a user id need 8 KiB at most. */
export const PATH_BODY_BYTES_MAX = 32 * 1024

const FIELDS: MetadataNames = {
  kind: 'field',
  senderIp: 'ipAddress',
  senderEmail: 'senderEmail',
  userId: 'userId',
}

/** The body of a path form, checked by its schema; the address has two names. */
interface PathBody {
  readonly path: string
  readonly ipAddress?: string
  readonly senderIp?: string
  readonly senderEmail?: string
  readonly userId?: string
}

/** The part of a path form's declaration that follows from its stream form. */
export function pathFormOf(streamForm: string, more = '') {
  return {
    streamForm,
    tag: 'Path forms',
    description: `As \`${streamForm}\`, of a file on the disk of the service. Turned off by default.${more}`,
  } as const
}

/** Runs before the body is read. @throws TamisError PATH_FORMS_DISABLED */
export function refuseWhileDisabled(roots: PathRoots, streamForm: string): void {
  if (roots.enabled) return
  throw new TamisError(
    'PATH_FORMS_DISABLED',
    `The path forms are turned off; send the message itself to ${streamForm}`,
    { details: { streamForm } },
  )
}

/**
 * Opens the file that the request names, and closes it after `use`.
 *
 * @throws TamisError PATH_NOT_READABLE, FIELD_INVALID, and what `use` throws.
 */
export async function incomingFile<Answer>(
  roots: PathRoots,
  request: FastifyRequest,
  reply: FastifyReply,
  use: (incoming: RequestedMessage) => Promise<Answer>,
): Promise<Answer> {
  const body = request.body as PathBody
  const metadata = metadataFromFields(body)
  const { file, length } = await roots.openFile(body.path)
  try {
    const message = {
      stream: file.createReadStream({ autoClose: false }),
      declaredLength: length,
      metadata,
    }
    return await use(requested(request, reply, message))
  } finally {
    await file.close()
  }
}

function metadataFromFields(body: PathBody): Metadata {
  return readMetadata(
    {
      senderIp: body.ipAddress ?? body.senderIp,
      senderEmail: body.senderEmail,
      userId: body.userId,
    },
    body.senderIp === undefined ? FIELDS : { ...FIELDS, senderIp: 'senderIp' },
  )
}
