/**
 * The declaration of a route, in one value: its terms, its input, its answers, and its description.
 * The server, the check of keys, metrics and the OpenAPI document, with the client's
 * types, are derived from it (docs/decisions/0014-routes.md).
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RouteTerms } from '../access/route-terms.ts'
import type { PathRoots } from '../admission/path-roots.ts'
import type { ObjectSchema, Schema, Static } from '../json-schema.ts'
import type { Store } from '../store/store.ts'
import type { Corrections } from '../users/corrections.ts'
import type { Correspondents } from '../users/correspondents.ts'
import type { Counts } from '../users/user-list.ts'
import type { Classifier } from './classifier.ts'

/** The services that routes use for their answers. */
export interface Services {
  readonly classifier: Classifier
  readonly corrections: Corrections
  readonly correspondents: Correspondents
  readonly store: Pick<
    Store,
    'correspondentsOf' | 'deleteUser' | 'endCorrection' | 'historyOf' | 'jobById' | 'usersOf'
  >
  readonly counts: () => Promise<Counts>
  /** For how many days the history is kept: 0 while it is off. */
  readonly historyDays: number
  readonly pathRoots: PathRoots
  /** The OpenAPI document as it is sent. */
  readonly openApiJson: () => Buffer
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** A route: what is served at a path. */
export interface Route<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
> extends RouteTerms {
  readonly method: Method | readonly Method[]
  /** The path, with parameters written as `:name`. */
  readonly path: string
  readonly params?: Params
  readonly query?: Query
  /** The form of the body: the raw message as a stream, or JSON that is checked. If absent, a body is refused. */
  readonly body?: 'message' | JsonBody<Body>
  /** Only for a path form: the path that takes the message itself. */
  readonly streamForm?: string
  /** The answers by status. Every answer that is not a success is an ErrorResult. */
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

export interface JsonBody<Body extends Schema = Schema> {
  readonly schema: Body
  readonly bytesMax: number
}

export interface Answer {
  readonly description: string
  readonly schema: Schema
  /** The content type; JSON if absent. */
  readonly type?: string
  /** Its own header fields, only for documentation. */
  readonly headers?: Readonly<Record<string, Schema>>
}

/** The answers of a route that has one success, status 200. */
export function ok(description: string, schema: Schema) {
  return { 200: { description, schema } }
}

/** Groups of operations by task, in the order in which a new user meets them. */
export const TAGS = {
  Classify: 'What is this message?',
  Correct:
    'A user says that a verdict or a class was wrong. The next such message is judged correctly.',
  Rules: 'What a user allows, blocks, or wants filed under a class.',
  Users: 'See and delete what is stored about a user.',
  Models: 'What the shared models have learned.',
  Operate: 'For operators of the service.',
  'Path forms':
    'These operations read files on the disk of the service instead of messages in the request. They answer 501 until `TAMIS_PATH_ROOTS` names folders that they may read.',
} as const

/** A route of the HTTP API: it is in the OpenAPI document. */
export interface Operation<
  Params extends Schema = Schema,
  Query extends Schema = Schema,
  Body extends Schema = Schema,
> extends Route<Params, Query, Body> {
  readonly method: Method
  /** The id of the operation. */
  readonly operationId: string
  readonly tag: keyof typeof TAGS
  readonly summary: string
  readonly description: string
  /** The headers, only for documentation: metadata.ts reads them. */
  readonly headers?: ObjectSchema
  readonly answers: Readonly<Record<number, Answer>>
}

/** Returns `declared`. Its handler gets the types that its schemas let through. */
export function operation<Params extends Schema, Query extends Schema, Body extends Schema>(
  declared: Operation<Params, Query, Body>,
): Operation {
  return declared
}
