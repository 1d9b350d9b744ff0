/**
 * The path forms: a request names a file on the server's own machine in JSON. They are turned off by
 * default: until there are folders to read from, they answer every request with 501 and the name of
 * the stream form.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { TamisError } from '../../errors/errors.ts'
import { type Caller, callerOf } from '../access/caller.ts'
import type { PathRoots } from '../admission/path-roots.ts'
import type { Schema, Static } from '../json-schema.ts'
import type { Metadata, Request } from '../request.ts'
import { incomingMessage, requested } from './message-stream.ts'
import { type MetadataNames, metadataFromHeaders, readMetadata } from './metadata.ts'
import { type Operation, operation, type Services } from './route.ts'

/** Room for the longest path that Linux takes, 4 KiB, in escapes of six bytes (`\\u002f`); two addresses and a user id need 8 KiB at most. */
const PATH_BODY_BYTES_MAX = 32 * 1024

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

/** A stream form; `wish` reads what its headers ask for beside the metadata. */
type StreamForm<Wish> = Omit<Operation, 'method' | 'body' | 'handler'> & {
  readonly wish?: (headers: IncomingHttpHeaders, metadata: Metadata) => Wish
}

/** The differences of a path form from its stream form. */
interface PathForm<Body extends Schema, Wish> {
  readonly schema: Body
  readonly wish?: (body: Static<Body>) => Wish
}

/** What is asked of a message, in whichever form. */
interface Asked<Wish> {
  readonly incoming: Request
  readonly caller: Caller
  readonly wish: Wish
}

/** A stream form and its path form: what `answer` says of a message in the request, and of one in a file. */
export function bothForms<Body extends Schema, Wish = undefined>(
  { wish, ...stream }: StreamForm<Wish>,
  file: PathForm<Body, Wish>,
  answer: (asked: Asked<Wish>, services: Services, reply: FastifyReply) => Promise<unknown>,
): Operation[] {
  const { path: streamForm, scope, entitlement, answers, operationId, summary } = stream
  return [
    operation({
      ...stream,
      method: 'POST',
      body: 'message',
      handler: (request, services, reply) => {
        const metadata = metadataFromHeaders(request.headers)
        const wished = wish?.(request.headers, metadata) as Wish
        const incoming = incomingMessage(request, reply, metadata)
        return answer({ incoming, caller: callerOf(request), wish: wished }, services, reply)
      },
    }),
    operation({
      method: 'POST',
      path: streamForm.replace('-stream', ''),
      scope,
      ...(entitlement && { entitlement }),
      streamForm,
      tag: 'Path forms',
      operationId: operationId.replace('Stream', 'Path'),
      summary: `${summary} (path form; not available by default)`,
      description: `As \`${streamForm}\`, of a file on the disk of the service. Turned off by default.`,
      body: { schema: file.schema, bytesMax: PATH_BODY_BYTES_MAX },
      answers,
      handler: (request, services, reply) =>
        incomingFile(services.pathRoots, request, reply, (incoming) => {
          const wished = file.wish?.(request.body as Static<Body>) as Wish
          return answer({ incoming, caller: callerOf(request), wish: wished }, services, reply)
        }),
    }),
  ]
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
async function incomingFile<Answer>(
  roots: PathRoots,
  request: FastifyRequest,
  reply: FastifyReply,
  use: (incoming: Request) => Promise<Answer>,
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
