/**
 * The description of the whole interface in OpenAPI 3.1, made from the declarations of the routes.
 * Schemas with a title become components.
 */
import { type TSchema, Type } from 'typebox'
import { ERRORS, type ErrorCode } from '../../../errors/errors.ts'
import { ownVersion } from '../../../terminal/version.ts'
import { CONTENT_TYPE } from '../message-stream.ts'
import { type Answer, type Operation as Declared, TAGS } from '../route.ts'
import { ErrorResult } from '../schemas.ts'
import { MESSAGE } from './examples.ts'
import { errorsOf } from './operation-errors.ts'

export const INFO = {
  title: 'Tamis',
  version: ownVersion(),
  summary: 'Classifies email messages: takes a raw message, returns a verdict.',
  description:
    'Send a raw message to `POST /classify-stream` and read `isSpam`, `spamProbability` and `classification`. The other operations correct a verdict, explain it, and operate the service. If API keys are configured, send `Authorization: Bearer KEY`; without keys, the service answers only this machine.',
  license: { name: 'MIT', identifier: 'MIT' },
} as const

/** The fields that the body of an error has besides `error` and `code`. */
const ERROR_DETAILS: Partial<Record<ErrorCode, object>> = {
  HEADER_INVALID: { header: 'X-Sender-IP' },
  FIELD_INVALID: { field: 'userId' },
  RATE_LIMITED: { retryAfterS: 17 },
  QUEUE_FULL: { queueDepth: 1_000 },
  QUEUE_TIMEOUT: { queueDepth: 412 },
  PATH_FORMS_DISABLED: { streamForm: '/classify-stream' },
}

/** The headers of answers, by status. */
const ANSWER_HEADERS: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': { schema: { type: 'string' }, example: 'Bearer' } },
  429: { 'Retry-After': { schema: { type: 'integer' }, example: 17 } },
  503: { 'Retry-After': { schema: { type: 'integer' }, example: 1 } },
}

const JSON_TYPE = 'application/json'

/** The body of all stream forms. `format` says to generators of clients that it is bytes, not text. */
const MESSAGE_SCHEMA = Type.String({
  contentMediaType: CONTENT_TYPE,
  format: 'binary',
  description: 'The raw message',
})

/** The parts of a document that are read here. */
export interface OpenApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, MediaType>>
  }
  readonly responses: Readonly<Record<string, Response>>
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: Schema
}

export interface MediaType {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>
}

export interface Response {
  readonly description: string
  readonly headers?: object
  readonly content: Readonly<Record<string, MediaType>>
}

export type Schema = Readonly<Record<string, unknown>>

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: typeof INFO
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly examples: Readonly<Record<string, Example>>
    readonly securitySchemes: object
  }
}

interface Example {
  readonly summary: string
  readonly value: unknown
}

export function openApiDocument(operations: readonly Declared[]): OpenApiDocument {
  const schemas: Record<string, Schema> = {}
  const codes = new Set<ErrorCode>()
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  const tags = Object.keys(TAGS)
  for (const operation of operations.toSorted(
    (a, b) => tags.indexOf(a.tag) - tags.indexOf(b.tag),
  )) {
    for (const code of errorsOf(operation)) codes.add(code)
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][operation.method.toLowerCase()] = withComponents(
      described(operation),
      schemas,
    ) as OpenApiOperation
  }
  return {
    openapi: '3.1.0',
    info: INFO,
    ...{ servers: [{ url: '/', description: 'Source of this document' }] },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas,
      examples: {
        message: { summary: 'An order', value: MESSAGE },
        ...Object.fromEntries([...codes].sort().map((code) => [code, errorExample(code)])),
      },
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key, as `tamis keys add` prints it, with the scope that the operation names. If no keys are configured, none is needed.',
        },
      },
    },
  }
}

function described(operation: Declared): OpenApiOperation {
  const { operationId, summary, description, tag, scope, body } = operation
  const parameters = [
    ...parametersIn('query', operation.query, operation.example?.query),
    ...parametersIn('path', operation.params, operation.example?.params),
    ...parametersIn('header', operation.headers, operation.example?.headers),
  ]
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: true, content: contentOf(operation) } }),
    responses: { ...answersOf(operation), ...errorResponses(errorsOf(operation)) },
    // The `{}` stands for requests without a key, which are allowed while none is configured.
    security: scope === 'none' ? [{}] : [{ key: [scope] }, {}],
  }
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

function parametersIn(
  place: string,
  schema: TSchema | undefined,
  examples: Readonly<Record<string, string>> = {},
): Parameter[] {
  const { properties = {}, required = [] } = (schema ?? {}) as ObjectSchema
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples: _, ...type } = property
    const example = examples[name]
    return {
      schema: type,
      ...(example !== undefined && { example }),
      in: place,
      name,
      required: required.includes(name),
      ...(typeof description === 'string' && { description }),
    }
  })
}

function contentOf({ body, example }: Declared): Record<string, MediaType> {
  return typeof body === 'object'
    ? { [JSON_TYPE]: { schema: schemaOf(body.schema), example: example?.body } }
    : {
        [CONTENT_TYPE]: {
          schema: schemaOf(MESSAGE_SCHEMA),
          examples: { message: { $ref: '#/components/examples/message' } },
        },
      }
}

function answersOf({ answers }: Declared): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const { description, schema, example, type = JSON_TYPE, headers } = answer
      return [
        status,
        {
          description,
          ...(headers && { headers: headersOf(headers) }),
          content: { [type]: { schema: schemaOf(schema), example } },
        },
      ]
    }),
  )
}

function headersOf(headers: NonNullable<Answer['headers']>): object {
  return Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [
      name,
      { ...header, schema: { type: 'string' } },
    ]),
  )
}

function schemaOf(schema: TSchema): Schema {
  return { ...schema }
}

/** One response for each status, with an example for each code that has the status. */
function errorResponses(codes: readonly ErrorCode[]): Record<string, Response> {
  const byStatus = Map.groupBy([...new Set(codes)].sort(), (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, those]) => [
      status,
      {
        description: `Error: ${those.join(', ')}`,
        ...(ANSWER_HEADERS[status] && { headers: ANSWER_HEADERS[status] }),
        content: {
          [JSON_TYPE]: {
            schema: schemaOf(ErrorResult),
            examples: Object.fromEntries(
              those.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      },
    ]),
  )
}

function errorExample(code: ErrorCode): Example {
  const [summary] = ERRORS[code].meaning.split('. ')
  return {
    summary: `${summary}`,
    value: { error: ERRORS[code].meaning, code, ...ERROR_DETAILS[code] },
  }
}

/** Rewrites what some generators of clients do not know: `const` becomes an enum of one value, and pattern properties become additional properties. */
function widelyKnown({ const: only, patternProperties, ...schema }: Schema): Schema {
  const [values] = Object.values(patternProperties ?? {})
  return {
    ...schema,
    ...(only !== undefined && { enum: [only] }),
    ...(values !== undefined && { additionalProperties: values }),
  }
}

/** Moves every schema with a title from `node` to `schemas`, and puts a reference in its place. */
function withComponents(node: unknown, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(node)) return node.map((each) => withComponents(each, schemas))
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([name, each]) =>
    name === 'example' ? [name, each] : [name, withComponents(each, schemas)],
  )
  const copy: Schema = widelyKnown(Object.fromEntries(entries))
  const { title } = copy
  if (typeof title !== 'string') return copy
  const other = schemas[title]
  if (other !== undefined && JSON.stringify(other) !== JSON.stringify(copy)) {
    throw new TypeError(`Two schemas have the title ${title}`)
  }
  schemas[title] = copy
  return { $ref: `#/components/schemas/${title}` }
}
