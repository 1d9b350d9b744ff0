/** Each operation as a command for curl and as a call of the client, from its example. */
import type { TObject } from 'typebox'
import type { Operation } from '../route.ts'
import { argumentsOf, isFlag, isList, optionName } from './client-method.ts'

const BASE_URL = 'http://127.0.0.1:8025'

/** The file of the message in commands. */
const MESSAGE_FILE = 'message.eml'

/** The longest line of a sample, in characters: it fits next to the list of operations. */
const LINE_LENGTH_MAX = 80

export function curlCommand({ method, path, example = {} }: Operation): string {
  const { headers, query, params = {}, body } = example
  const filled = path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  const verb = method === 'GET' || (method === 'POST' && (headers || body)) ? '' : ` -X ${method}`
  return [
    `curl${verb} ${quoted(BASE_URL + filled + search)}`,
    ...(headers === undefined ? [] : messageOptions(headers)),
    ...(body === undefined ? [] : [header('Content-Type', 'application/json'), jsonOption(body)]),
  ].join(' \\\n  ')
}

export function clientCall(operation: Operation): string {
  const { operationId, clientArguments } = operation
  const call = `await tamis.${operationId}(${clientArguments ?? givenArguments(operation)})`
  return call.length <= LINE_LENGTH_MAX ? call : broken(call)
}

function givenArguments(operation: Operation): string {
  const { body, headers, example = {} } = operation
  if (body === 'message') return `message, ${options(headers!, example.headers ?? {})}`
  const given = argumentsOf(operation).map(({ place, name, isField }) =>
    isField ? example[place]?.[name] : example[place],
  )
  return given.map(literal).join(', ')
}

/** `call` with each of its options on a separate line. */
function broken(call: string): string {
  return call
    .replace('{ ', '{\n  ')
    .replace(/, (?=\w+: )/g, ',\n  ')
    .replace(' })', ',\n})')
}

function messageOptions(headers: Readonly<Record<string, string>>): string[] {
  return [
    header('Content-Type', 'message/rfc822'),
    ...Object.entries(headers).map(([name, value]) => header(name, value)),
    `--data-binary @${MESSAGE_FILE}`,
  ]
}

function header(name: string, value: string): string {
  return `-H ${quoted(`${name}: ${value}`)}`
}

function jsonOption(body: object): string {
  return `-d ${quoted(JSON.stringify(body))}`
}

/** `text`, quoted for a shell. */
function quoted(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function options({ properties }: TObject, headers: Readonly<Record<string, string>>): string {
  const entries = Object.entries(headers).map(([name, value]) => [
    optionName(name),
    isList(name) || isFlag(properties[name]!) ? JSON.parse(value) : value,
  ])
  return literal(Object.fromEntries(entries))
}

/** `value` as TypeScript. */
function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const fields = Object.entries(value).map(([name, each]) => `${name}: ${literal(each)}`)
  return `{ ${fields.join(', ')} }`
}
