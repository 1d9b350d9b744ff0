/**
 * The description of the interface in OpenAPI 3.1, from the declarations of the routes, and the page that shows it.
 * Schemas with a title become components.
 */

import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui'
import { type FastifyInstance, type FastifySchema, fastify } from 'fastify'
import { ERRORS, type ErrorCode } from '../../../errors/errors.ts'
import { ownVersion } from '../../../terminal/version.ts'
import { type Schema, Type } from '../../json-schema.ts'
import { CONTENT_TYPE } from '../message-stream.ts'
import { HTTP_OPERATIONS } from '../operations.ts'
import { type Operation, TAGS } from '../route.ts'
import { ErrorResult } from '../schemas.ts'
import { MESSAGE } from './examples.ts'

const INFO = {
  title: 'Tamis',
  version: ownVersion(),
  summary: 'Classifies email messages: takes a raw message, returns a verdict.',
  description:
    'Send a raw message to `POST /classify-stream` and read `isSpam`, `spamProbability` and `classification`. The other operations correct a verdict, explain it, and operate the service. If API keys are configured, send `Authorization: Bearer KEY`; without keys, the service answers only this machine.',
  license: { name: 'MIT', identifier: 'MIT' },
} as const

const KEY = {
  type: 'http',
  scheme: 'bearer',
  description:
    'An API key, as `tamis keys add` prints it, with the scope that the operation names. If no keys are configured, none is needed.',
} as const

/** The headers of errors, by status. */
const ERROR_HEADERS: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': { type: 'string' } },
  429: { 'Retry-After': { type: 'integer' } },
  503: { 'Retry-After': { type: 'integer' } },
}

const JSON_TYPE = 'application/json'

/** The body of all stream forms. `format` says to generators of clients that it is bytes, not text. */
const MESSAGE_SCHEMA = Type.String({
  contentMediaType: CONTENT_TYPE,
  format: 'binary',
  description: 'The raw message',
  examples: [MESSAGE],
})

/**
 * A server that never listens: it has the document as `swagger()`, and answers `inject` with the files of the page.
 * The plugins on it do not see the requests of the service.
 */
export async function documentServer(): Promise<FastifyInstance> {
  const [{ fastifySwagger }, { fastifySwaggerUi }] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ])
  const app = fastify({ exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: INFO,
      servers: [{ url: '/' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: { securitySchemes: { key: KEY } },
    },
    convertConstToEnum: true,
    transformObject: (document) => {
      if (!('openapiObject' in document)) throw new TypeError('The document is not OpenAPI 3')
      const { openapiObject } = document
      const schemas: Record<string, object> = {}
      Object.assign(openapiObject, { paths: withComponents(openapiObject.paths, schemas) })
      Object.assign(openapiObject.components!, { schemas })
      return openapiObject
    },
  })
  await app.register(fastifySwaggerUi, PAGE_OPTIONS)
  const tags = Object.keys(TAGS)
  for (const operation of HTTP_OPERATIONS.toSorted(
    (a, b) => tags.indexOf(a.tag) - tags.indexOf(b.tag),
  )) {
    const { method, path: url } = operation
    app.route({ method, url, schema: described(operation), handler: () => {} })
  }
  await app.ready()
  return app
}

function described(operation: Operation): FastifySchema {
  const { operationId, summary, description, tag, scope, example } = operation
  const { params, query, headers, body } = operation
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    ...(params && { params: withExamples(params, example?.params) }),
    ...(query && { querystring: withExamples(query, example?.query) }),
    ...(headers && { headers: withExamples(headers, example?.headers) }),
    ...(body === 'message' && {
      body: { content: { [CONTENT_TYPE]: { schema: MESSAGE_SCHEMA } } },
    }),
    ...(typeof body === 'object' && { body: { ...body.schema, examples: [example?.body] } }),
    response: { ...answersOf(operation), ...errorResponses(errorsOf(operation)) },
    // The `{}` stands for requests without a key, which are allowed while none is configured.
    security: scope === 'none' ? [{}] : [{ key: [scope] }, {}],
  }
}

/** `schema` of parameters, each with its own of the `examples`. */
function withExamples(schema: Schema, examples: Readonly<Record<string, string>> = {}): object {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, object>>
    readonly required?: readonly string[]
  }
  const shown = Object.entries(properties).map(([name, property]) => {
    const { examples: _, ...rest } = property as { readonly examples?: unknown }
    return [name, { ...rest, ...(examples[name] !== undefined && { examples: [examples[name]] }) }]
  })
  return { type: 'object', required, properties: Object.fromEntries(shown) }
}

function answersOf({ answers }: Operation): Record<string, object> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const { description, schema, example, type = JSON_TYPE, headers } = answer
      const content = { [type]: { schema, ...(example !== undefined && { example }) } }
      return [status, { description, ...(headers && { headers }), content }]
    }),
  )
}

/** One response for each status, which names its codes. */
function errorResponses(codes: readonly ErrorCode[]): Record<string, object> {
  const byStatus = Map.groupBy([...new Set(codes)].sort(), (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, those]) => [
      status,
      {
        description: `Error: ${those.join(', ')}`,
        ...(ERROR_HEADERS[status] && { headers: ERROR_HEADERS[status] }),
        content: { [JSON_TYPE]: { schema: ErrorResult } },
      },
    ]),
  )
}

/** Moves every schema with a title from `node` to `schemas`, and puts a reference in its place. */
function withComponents(node: unknown, schemas: Record<string, object>): unknown {
  if (Array.isArray(node)) return node.map((each) => withComponents(each, schemas))
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([name, each]) =>
    name === 'example' ? [name, each] : [name, withComponents(each, schemas)],
  )
  const copy: { readonly title?: unknown } = Object.fromEntries(entries)
  const { title } = copy
  if (typeof title !== 'string') return copy
  const other = schemas[title]
  if (other !== undefined && JSON.stringify(other) !== JSON.stringify(copy)) {
    throw new TypeError(`Two schemas have the title ${title}`)
  }
  schemas[title] = copy
  return { $ref: `#/components/schemas/${title}` }
}

/** Writes descriptions without HTML, which the policy of the page forbids. Runs in the browser. */
const textAlone = ({ React: { createElement } }: BrowserSystem) => ({
  components: {
    Markdown: ({ source }: { readonly source?: string }) =>
      createElement('div', { className: 'markdown' }, createElement('p', {}, source ?? '')),
  },
})

interface BrowserSystem {
  readonly React: { createElement(type: string, props: object, child: unknown): unknown }
}

const PAGE_OPTIONS: FastifySwaggerUiOptions = {
  routePrefix: '/docs',
  // Relative, for a service below a path of a reverse proxy.
  indexPrefix: '.',
  theme: { title: 'API · Tamis' },
  logo: null as never,
  uiConfig: { layout: 'BaseLayout', plugins: [textAlone as never] },
  // A message is typed into the page, where bytes would have to be a file.
  transformSpecification: (document) =>
    JSON.parse(
      JSON.stringify({ ...document, servers: [{ url: '..' }] }).replaceAll(
        '"contentMediaType":"message/rfc822","format":"binary",',
        '',
      ),
    ),
}

/** Codes that any path may answer before it reads the request; the first three do not occur without a key. */
const ALWAYS: readonly ErrorCode[] = [
  'UNAUTHENTICATED',
  'SCOPE_MISSING',
  'RATE_LIMITED',
  'ORIGIN_FORBIDDEN',
  'REQUEST_HEADER_TOO_LARGE',
  'INTERNAL',
]

/** The same for routes that are open to everybody. */
const OPEN: readonly ErrorCode[] = ['ORIGIN_FORBIDDEN', 'REQUEST_HEADER_TOO_LARGE']

/** Codes that any request with a body may get. */
const BODY: readonly ErrorCode[] = [
  'BODY_TRUNCATED',
  'REQUEST_TIMEOUT',
  'MESSAGE_TOO_LARGE',
  'CONTENT_TYPE_UNSUPPORTED',
]

/** Codes that any request with a message may get. */
const ANALYSIS: readonly ErrorCode[] = [
  'NOT_A_MESSAGE',
  'BUFFERS_FULL',
  'QUEUE_FULL',
  'QUEUE_TIMEOUT',
  'NOT_READY',
  'SHUTTING_DOWN',
]

function errorsOf(operation: Operation): ErrorCode[] {
  const { body, query, streamForm, errors = [], entitlement, scope } = operation
  const when = (holds: boolean, codes: readonly ErrorCode[]) => (holds ? codes : [])
  return [
    ...when(body === 'message', ['HEADER_INVALID']),
    ...when(typeof body === 'object' || query !== undefined, ['FIELD_INVALID']),
    ...when(body !== undefined, BODY),
    ...when(streamForm !== undefined, ['PATH_FORMS_DISABLED', 'PATH_NOT_READABLE']),
    ...when(body === 'message' || streamForm !== undefined, ANALYSIS),
    ...errors,
    ...when(entitlement !== undefined, ['NOT_ENTITLED']),
    ...(scope === 'none' ? OPEN : ALWAYS),
  ]
}
