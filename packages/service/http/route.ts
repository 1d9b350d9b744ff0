/**
 * What a route says of itself, in one value: on what terms it is served, what it takes, what it
 * answers, and what people are to know of it. The server, the check of keys, metrics, the OpenAPI
 * document, the reference page and the client's methods are derived from it (docs/decisions/0014-routes.md).
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from '../../mail/errors.ts'
import type { RouteTerms } from '../access/route-terms.ts'
import type { PathRoots } from '../admission/path-roots.ts'
import type { Store } from '../store/store.ts'
import type { Corrections } from '../users/corrections.ts'
import type { Statistics } from '../users/statistics.ts'
import type { Classifier } from './classification.ts'
import type { Reference } from './openapi/reference.ts'

/** What the routes ask for their answers. */
export interface Services {
  /** Its parts may be replaced while the service runs. */
  readonly classifier: Classifier
  readonly corrections: Corrections
  readonly jobs: Pick<Store, 'jobById'>
  readonly statistics: Statistics
  readonly pathRoots: PathRoots
  readonly reference: Reference
}

type Method = 'GET' | 'POST' | 'DELETE'

/** What is served at a path. */
export interface Route<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
> extends RouteTerms {
  readonly method: Method | readonly Method[]
  /** A parameter in it is written `:name`. */
  readonly path: string
  readonly params?: Params
  readonly query?: Query
  /** The raw message as a stream, or JSON that is checked; nothing is taken where it is absent. */
  readonly body?: 'message' | JsonBody<Body>
  /** Of a path form: the path that takes the message itself. */
  readonly streamForm?: string
  /** By status; what is not a success is an ErrorResult everywhere. */
  readonly answers?: Readonly<Record<number, Answer>>
  handler(
    request: FastifyRequest<{
      Params: Static<Params>
      Querystring: Static<Query>
      Body: Static<Body>
    }>,
    services: Services,
    reply: FastifyReply,
  ): unknown
}

export interface JsonBody<Body extends TSchema = TSchema> {
  readonly schema: Body
  readonly bytesMax: number
}

export interface Answer {
  readonly description: string
  readonly schema: TSchema
  readonly example: unknown
  /** JSON when absent. */
  readonly type?: string
}

/** Tasks, in the order in which a newcomer meets them. */
export const TAGS = {
  Classify: 'What is this message?',
  Correct:
    'A user says that a verdict or a class was wrong. The next such message is judged right.',
  Rules: 'What a user allows, blocks, or wants filed under a class.',
  Users: 'What is known of a user, and how it is forgotten.',
  Models: 'What all users of a tenant have taught the models they share.',
  Operate: 'For whoever keeps the service running.',
  'Path forms':
    'Files on the disk of the service instead of messages in the request. They answer 501 until `TAMIS_PATH_ROOTS` names folders that may be read.',
} as const

/** A route of the HTTP API: in its document, and a method of the client. */
export interface Operation<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
> extends Route<Params, Query, Body> {
  readonly method: Method
  /** Also the name of the client's method. */
  readonly operationId: string
  readonly tag: keyof typeof TAGS
  readonly summary: string
  readonly description: string
  /** Documentation: metadata-headers.ts reads them. The title is the client's name for them. */
  readonly headers?: TObject
  readonly answers: Readonly<Record<number, Answer>>
  /** Those of its own; openapi/operation-errors.ts adds what others end in too. */
  readonly errors?: readonly ErrorCode[]
  /** An example of what is sent; the body of a message is the same in all. */
  readonly example?: Example
  /** Where the client's method is written by hand (client.ts): what the example gives it. */
  readonly clientArguments?: string
}

export interface Example {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
}

/** `declared`, whose handler is given what its schemas let through. */
export function operation<Params extends TSchema, Query extends TSchema, Body extends TSchema>(
  declared: Operation<Params, Query, Body>,
): Operation {
  return declared
}
