/**
 * The description of the interface in OpenAPI 3.1, from the declarations of the routes, and the page that shows it.
 * Schemas with a title become components.
 */

import type { FastifySwaggerUiOptions } from '@fastify/swagger-ui'
import { type FastifyInstance, fastify } from 'fastify'
import { ownVersion } from '../../../terminal/version.ts'
import { type Schema, Type } from '../../json-schema.ts'
import { CONTENT_TYPE } from '../message-stream.ts'
import { HTTP_OPERATIONS } from '../operations.ts'
import { type Answer, type Operation, TAGS } from '../route.ts'
import { ErrorResult } from '../schemas.ts'

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

const JSON_TYPE = 'application/json'

/** The raw message in the examples of all stream forms. */
export const MESSAGE = [
  'Received: from out12.example.net (out12.example.net [192.0.2.25])',
  '\tby mx.example.com with ESMTPS; Fri, 7 Nov 2025 18:03:31 +0000',
  'From: Harbour Street Books <orders@example.net>',
  'To: sam@example.com',
  'Subject: Your order 1048-77215 is confirmed',
  'Date: Fri, 7 Nov 2025 18:03:28 +0000',
  'Message-ID: <order-1048-77215@example.net>',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Thank you for your order, Sam.',
  '',
  '1 x The Salt Path, paperback    10.99',
  'Delivery                         2.95',
  'Total                           13.94',
  '',
  'We will write again when the parcel leaves our warehouse:',
  'https://www.example.net/orders/1048-77215',
  '',
].join('\r\n')

/** The body of all stream forms. `format` says to generators of clients that it is bytes, not text. */
const MESSAGE_CONTENT = {
  schema: Type.String({
    contentMediaType: CONTENT_TYPE,
    format: 'binary',
    description: 'The raw message',
  }),
  example: MESSAGE,
}

/** What every operation may answer instead; the codes are the same for all. */
const ERRORS = {
  '4XX': {
    description: 'The request is refused; docs/errors.md has all codes',
    content: { [JSON_TYPE]: { schema: ErrorResult } },
  },
  '5XX': {
    description: 'The service cannot answer; with 503, come again after Retry-After',
    headers: { 'Retry-After': { schema: Type.Integer() } },
    content: { [JSON_TYPE]: { schema: ErrorResult } },
  },
}

/** The document: operations in the order of their tags, and schemas as components. */
export function openApiDocument() {
  const tags = Object.keys(TAGS)
  const paths: Record<string, Record<string, object>> = {}
  for (const each of HTTP_OPERATIONS.toSorted(
    (a, b) => tags.indexOf(a.tag) - tags.indexOf(b.tag),
  )) {
    const path = each.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [each.method.toLowerCase()]: described(each) }
  }
  const schemas: Record<string, object> = {}
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: withComponents(paths, schemas),
    components: { securitySchemes: { key: KEY }, schemas },
  }
}

function described(operation: Operation) {
  const { operationId, summary, description, tag, scope, answers } = operation
  const { params, query, headers, body } = operation
  const parameters = [
    ...parametersIn('path', params),
    ...parametersIn('query', query),
    ...parametersIn('header', headers),
  ]
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    ...(parameters.length > 0 && { parameters }),
    ...(body === 'message' && {
      requestBody: { required: true, content: { [CONTENT_TYPE]: MESSAGE_CONTENT } },
    }),
    ...(typeof body === 'object' && {
      requestBody: {
        required: true,
        content: { [JSON_TYPE]: { schema: body.schema, example: exampleOf(body.schema) } },
      },
    }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([at, each]) => [at, responseOf(each)])),
      ...ERRORS,
    },
    // The `{}` stands for requests without a key, which are allowed while none is configured.
    security: scope === 'none' ? [{}] : [{ key: [scope] }, {}],
  }
}

function parametersIn(place: string, schema?: Schema) {
  const { properties = {}, required = [] } = (schema ?? {}) as Partial<Fields>
  const shown = schema && exampleOf(schema)
  return Object.entries(properties).map(([name, { description, examples: _, ...property }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: property,
    ...(shown?.[name] !== undefined && { example: shown[name] }),
  }))
}

interface Keywords {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly examples?: readonly unknown[]
}

interface Fields {
  readonly properties: Readonly<Record<string, Schema>>
  readonly required: readonly string[]
}

/** What `schema` describes, of the examples of its fields; a required name or flag is the first that may be. */
function exampleOf(schema: Schema): Readonly<Record<string, unknown>> {
  const { properties, required = [] } = schema as Schema & Partial<Fields>
  const entries = Object.entries(properties ?? {}).flatMap(([name, field]) => {
    const { type, enum: names, examples } = field as Keywords
    const first = names?.[0] ?? (type === 'boolean' ? true : undefined)
    const value = examples?.[0] ?? (required.includes(name) ? first : undefined)
    return value === undefined ? [] : [[name, value]]
  })
  return Object.fromEntries(entries)
}

function responseOf({ description, schema, type = JSON_TYPE, headers }: Answer) {
  const fields = Object.entries(headers ?? {}).map(([name, of]) => [name, { schema: of }])
  return {
    description,
    ...(fields.length > 0 && { headers: Object.fromEntries(fields) }),
    content: { [type]: { schema } },
  }
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

/** A server that never listens: it answers `inject` with the files of the page. */
export async function docsServer(): Promise<FastifyInstance> {
  const [{ fastifySwagger }, { fastifySwaggerUi }] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ])
  const app = fastify({ exposeHeadRoutes: false })
  await app.register(fastifySwagger, {
    mode: 'static',
    specification: { document: openApiDocument() as never },
  })
  await app.register(fastifySwaggerUi, PAGE_OPTIONS)
  await app.ready()
  return app
}
