/** packages/client/methods.ts: a method for each route of the HTTP API, by the name of its operation. */

import { HTTP_OPERATIONS } from '../packages/service/http/operations.ts'
import type { Operation } from '../packages/service/http/route.ts'
import { argumentsOf, optionName } from './client-arguments.ts'
import { headersName, nameOf, type Schema, typeOf } from './client-types.ts'

/** Longest line of a comment. */
const LINE_LENGTH_MAX = 100

interface Method {
  readonly parameters: readonly string[]
  /** What is asked of the connection. */
  readonly call: string
}

export function clientMethods(): string {
  // Those with arguments of their own are written by hand.
  const operations = HTTP_OPERATIONS.filter(({ clientByHand }) => clientByHand !== true)
  return `/**
 * The methods of the client that follow from the routes alone; client.ts has the others. Made by
 * \`npm run docs\` from the service's routes.
 */
import { type CallOptions, type Connection, type MessageBody, query } from './connection.ts'
import type * as types from './types.ts'

export class Methods {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

${operations.map(methodText).join('\n')}}

${headerTables().join('\n')}`
}

function methodText(operation: Operation): string {
  const { operationId, summary, description, body } = operation
  const { parameters, call } = body === 'message' ? ofMessage(operation) : ofFields(operation)
  const signature = `${operationId}(${parameters.join(', ')}): Promise<${answerType(operation)}>`
  return `${comment(`${summary}. ${description}`)}  ${signature} {
    return this.#connection.${call}
  }
`
}

function ofMessage({ path, headers }: Operation): Method {
  const name = headersName(headers)
  const isOptional = ((headers as Schema).required ?? []).length === 0
  return {
    parameters: [
      'message: MessageBody',
      `options${isOptional ? '?' : ''}: types.${name} & CallOptions`,
    ],
    call: `message('${path}', message, ${constantName(name)}, options)`,
  }
}

function ofFields(operation: Operation): Method {
  const { method, path, query } = operation
  const given = argumentsOf(operation)
  const filled = path.replace(/:(\w+)/g, (_, name: string) => `\${encodeURIComponent(${name})}`)
  const url = `${filled}${query === undefined ? '' : queryText(query as Schema)}`
  const field = given.find(({ place }) => place === 'body')
  const body = field && (field.isField ? `{ ${field.name} }` : field.name)
  const isText = Object.values(operation.answers).some(({ type }) => type !== undefined)
  const where = `'${method}', ${url.includes('$') ? `\`${url}\`` : `'${url}'`}`
  return {
    parameters: [
      ...given.map(({ name, schema }) => `${name}: ${inputType(schema as Schema)}`),
      optionsOf(query as Schema | undefined),
    ],
    call: isText ? `text(${where}, options)` : `json(${where}, ${body}, options)`,
  }
}

/** What may be left out of a query is an option. */
function optionsOf(query: Schema | undefined): string {
  const names = optionalOf(query).map(
    (name) => `readonly ${name}?: ${typeOf(query!.properties![name]!, '')} | undefined`,
  )
  return names.length === 0
    ? 'options?: CallOptions'
    : `options: { ${names.join('; ')} } & CallOptions = {}`
}

function optionalOf({ properties = {}, required = [] }: Schema = {}): string[] {
  return Object.keys(properties).filter((name) => !required.includes(name))
}

function queryText(schema: Schema): string {
  const required = schema.required ?? []
  const optional = optionalOf(schema).map((name) => `${name}: options.${name}`)
  return `\${query({ ${[...required, ...optional].join(', ')} })}`
}

function inputType(schema: Schema): string {
  const name = nameOf(schema)
  if (name !== undefined) return `types.${name}`
  const ofItems = schema.type === 'array' ? nameOf(schema.items!) : undefined
  return ofItems === undefined ? typeOf(schema, '') : `readonly types.${ofItems}[]`
}

/** The schema of a success; all successes of an operation have one shape. */
function answerType({ answers }: Operation): string {
  const schema = Object.values(answers)[0]!.schema as Schema
  const name = nameOf(schema)
  if (name !== undefined) return `types.${name}`
  return schema.type === 'object' ? 'Record<string, unknown>' : typeOf(schema, '')
}

/** How the options of each kind of message travel. */
function headerTables(): string[] {
  const schemas = new Map(
    HTTP_OPERATIONS.flatMap(({ headers }) => (headers ? [[headersName(headers), headers]] : [])),
  )
  return [...schemas].map(([name, headers]) => {
    const names = Object.keys((headers as Schema).properties ?? {})
    const rows = names.map((header) => `  ${optionName(header)}: '${header.toLowerCase()}',\n`)
    return `const ${constantName(name)} = {\n${rows.join('')}} as const\n`
  })
}

/** SPAM_FEEDBACK of SpamFeedback. */
function constantName(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()
}

/** `text` in lines that are not too long. */
function comment(text: string): string {
  const lines = ['   *']
  for (const word of text.split(' ')) {
    if (lines.at(-1)!.length + word.length >= LINE_LENGTH_MAX) lines.push('   *')
    lines.push(`${lines.pop()} ${word}`)
  }
  return `  /**\n${lines.join('\n')}\n   */\n`
}
