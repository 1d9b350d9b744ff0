/**
 * The description of the whole interface in OpenAPI 3.1: what @fastify/swagger draws from the
 * schemas of the routes, completed by operations.ts. Schemas with a title become components.
 */
import { ERRORS, type ErrorCode } from '../../../mail/errors.ts'
import type { RouteTable, RouteTerms } from '../../access/route-terms.ts'
import { STATUS } from '../error-handler.ts'
import { ErrorResult } from '../schemas.ts'
import { MESSAGE } from './examples.ts'
import { OPERATION_TEXTS, type OperationText, TAGS } from './operations.ts'
import { clientCall, curlCommand } from './samples.ts'

/** Of the interface, not of the package. */
const INTERFACE_VERSION = '1.0.0'

export const INFO = {
  title: 'Tamis',
  version: INTERFACE_VERSION,
  summary: 'Classifies email messages: raw message in, verdict out.',
  description:
    'Send a raw message to `POST /classify-stream` and read `isSpam`, `spamProbability` and `classification`. Everything else is there to correct it, to see why, and to run it. Where API keys are configured send `Authorization: Bearer KEY`; without any, the service answers this machine only.',
  license: { name: 'MIT', identifier: 'MIT' },
} as const

/** Refusals that any path may answer, before it looks at the request; without a key the first three do not occur. */
const ALWAYS: readonly ErrorCode[] = [
  'UNAUTHENTICATED',
  'SCOPE_MISSING',
  'RATE_LIMITED',
  'ORIGIN_FORBIDDEN',
  'REQUEST_HEADER_TOO_LARGE',
  'INTERNAL',
]

/** The same of what is answered to everybody. */
const OPEN_ERRORS: readonly ErrorCode[] = ['ORIGIN_FORBIDDEN', 'REQUEST_HEADER_TOO_LARGE']

/** What the body of an error has beside `error` and `code`. */
const ERROR_DETAILS: Partial<Record<ErrorCode, object>> = {
  HEADER_INVALID: { header: 'X-Sender-IP' },
  FIELD_INVALID: { field: 'userId' },
  RATE_LIMITED: { retryAfterS: 17 },
  QUEUE_FULL: { queueDepth: 1_000 },
  QUEUE_TIMEOUT: { queueDepth: 412 },
  PATH_FORMS_DISABLED: { streamForm: '/classify-stream' },
}

/** Headers of answers, by status. */
const ANSWER_HEADERS: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': { schema: { type: 'string' }, example: 'Bearer' } },
  429: { 'Retry-After': { schema: { type: 'integer' }, example: 17 } },
  503: { 'Retry-After': { schema: { type: 'integer' }, example: 1 } },
}

const JSON_TYPE = 'application/json'

/** The parts of a document that are looked at here. */
export interface Operation {
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
  readonly 'x-codeSamples': readonly { readonly lang: string; readonly source: string }[]
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
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
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

/** What @fastify/swagger gives. */
interface Drawn {
  readonly openapi?: string
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
}

type DrawnOperation = Pick<Operation, 'summary' | 'parameters' | 'requestBody' | 'responses'>

/** @throws TypeError for a route that operations.ts knows nothing of, or the reverse. */
export function completeDocument(drawn: Drawn, routes: RouteTable): OpenApiDocument {
  const { openapi = '', paths: drawnPaths = {} } = drawn
  const schemas: Record<string, Schema> = {}
  const codes = new Set<ErrorCode>()
  const paths: Record<string, Record<string, Operation>> = {}
  const left = new Set(operationsOf(drawnPaths))
  for (const [name, text] of Object.entries(OPERATION_TEXTS)) {
    const [method = '', path = ''] = name.split(' ')
    const operation = drawnPaths[path]?.[method.toLowerCase()] as DrawnOperation | undefined
    const terms = routes.termsOf(method, path.replaceAll(/\{(\w+)\}/g, ':$1'))
    if (!left.delete(name) || operation === undefined || terms === undefined) {
      throw new TypeError(`No route is ${name}`)
    }
    const errors = errorsOf(terms, text)
    for (const code of errors) codes.add(code)
    const security = securityOf(terms)
    const completed = completeOperation(method, path, operation, text, { errors, security })
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = withComponents(completed, schemas) as Operation
  }
  if (left.size > 0) throw new TypeError(`operations.ts has nothing about ${[...left].join(', ')}`)
  return {
    openapi,
    info: INFO,
    ...{ servers: [{ url: '/', description: 'Where this document comes from' }] },
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
            'An API key, as `tamis keys add` prints it, with the scope that the operation names. None is needed while none is configured.',
        },
      },
    },
  }
}

function operationsOf(paths: NonNullable<Drawn['paths']>): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
  )
}

function errorsOf({ scope, entitlement }: RouteTerms, { errors }: OperationText): ErrorCode[] {
  return [
    ...errors,
    ...(entitlement === undefined ? [] : (['NOT_ENTITLED'] as const)),
    ...(scope === 'none' ? OPEN_ERRORS : ALWAYS),
  ]
}

/** No key is needed where none is configured: hence the `{}`. */
function securityOf({ scope }: RouteTerms): Operation['security'] {
  return scope === 'none' ? [{}] : [{ key: [scope] }, {}]
}

function completeOperation(
  method: string,
  path: string,
  drawn: DrawnOperation,
  text: OperationText,
  { errors, security }: Pick<Operation, 'security'> & { readonly errors: readonly ErrorCode[] },
): Operation {
  const { summary, parameters, requestBody, responses } = drawn
  return {
    operationId: text.id,
    summary,
    description: text.description,
    tags: [text.tag],
    ...(parameters && { parameters: parameters.map((each) => completeParameter(each, text)) }),
    ...(requestBody && {
      requestBody: { required: true, content: exampleContent(requestBody.content, text) },
    }),
    responses: { ...answersOf(text, responses), ...errorResponses(errors) },
    security,
    'x-codeSamples': [
      { lang: 'Shell', source: curlCommand(method, path, text) },
      { lang: 'TypeScript', source: clientCall(text) },
    ],
  }
}

/** Header names as the interface spells them. */
function completeParameter(parameter: Parameter, text: OperationText): Parameter {
  const { headers = {}, query = {}, params = {} } = text
  const name =
    parameter.in === 'header'
      ? (Object.keys(headers).find((each) => each.toLowerCase() === parameter.name) ??
        parameter.name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()))
      : parameter.name
  const example = { ...headers, ...query, ...params }[name]
  return { ...parameter, name, ...(example !== undefined && { example }) }
}

function exampleContent(
  content: Readonly<Record<string, MediaType>>,
  { body }: OperationText,
): Record<string, MediaType> {
  const example =
    body === undefined
      ? { examples: { message: { $ref: '#/components/examples/message' } } }
      : { example: body }
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema }]) => [type, { schema, ...example }]),
  )
}

function answersOf(
  { answers }: OperationText,
  drawn: Operation['responses'],
): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, example }]) => [
      status,
      {
        description,
        content: Object.fromEntries(
          Object.entries(drawn[status]?.content ?? {}).map(([type, { schema }]) => [
            type,
            { schema, example },
          ]),
        ),
      },
    ]),
  )
}

/** One response a status, with an example for each code that has it. */
function errorResponses(codes: readonly ErrorCode[]): Record<string, Response> {
  const byStatus = Map.groupBy([...new Set(codes)].sort(), (code) => STATUS[code])
  return Object.fromEntries(
    [...byStatus].map(([status, those]) => [
      status,
      {
        description: `No: ${those.join(', ')}`,
        ...(ANSWER_HEADERS[status] && { headers: ANSWER_HEADERS[status] }),
        content: {
          [JSON_TYPE]: {
            schema: { ...ErrorResult },
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
  const [summary] = ERRORS[code].split('. ')
  return {
    summary: `${summary}`,
    value: { error: ERRORS[code], code, ...ERROR_DETAILS[code] },
  }
}

/** `node` with every schema that has a title in `schemas`, and a reference in its place. */
function withComponents(node: unknown, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(node)) return node.map((each) => withComponents(each, schemas))
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([name, each]) =>
    name === 'example' ? [name, each] : [name, withComponents(each, schemas)],
  )
  const copy: Schema = Object.fromEntries(entries)
  const { title } = copy
  if (typeof title !== 'string') return copy
  const other = schemas[title]
  if (other !== undefined && JSON.stringify(other) !== JSON.stringify(copy)) {
    throw new TypeError(`Two schemas have the title ${title}`)
  }
  schemas[title] = copy
  return { $ref: `#/components/schemas/${title}` }
}
