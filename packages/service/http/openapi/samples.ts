/** Each operation as a command for curl, a call of the client and a request in Python, from its example. */
import type { TObject } from 'typebox'
import type { Operation } from '../route.ts'
import { argumentsOf, isFlag, isList, optionName } from './client-method.ts'

/** The service of all samples; the script of the page puts its own address in its place. */
export const BASE_URL = 'http://127.0.0.1:8025'

/** The content types of requests, as `message-stream.ts` and `json-body.ts` take them. */
const MESSAGE_TYPE = 'message/rfc822'
const JSON_TYPE = 'application/json'

/** The longest line of a sample, in characters: it fits next to the list of operations. */
const LINE_LENGTH_MAX = 80

/** `message`: where the command takes the message from, as an argument of `--data-binary`. */
export function curlCommand(operation: Operation, message = '@message.eml'): string {
  const { method, example = {} } = operation
  const { headers, body } = example
  const verb = method === 'GET' || (method === 'POST' && (headers || body)) ? '' : ` -X ${method}`
  return [
    `curl${verb} ${quoted(urlOf(operation))}`,
    ...(headers === undefined ? [] : messageOptions(headers, message)),
    ...(body === undefined ? [] : [header('Content-Type', JSON_TYPE), jsonOption(body)]),
  ].join(' \\\n  ')
}

/** The address of the request in the example. */
function urlOf({ path, example: { query, params = {} } = {} }: Operation): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  return BASE_URL + filled + search
}

export function clientCall(operation: Operation): string {
  return fitted(callOf(operation))
}

/** A statement that prints the answer to the call. */
export function printedClientCall(operation: Operation): string {
  return fitted(`console.log(${callOf(operation)})`)
}

function callOf(operation: Operation): string {
  const { operationId, clientArguments } = operation
  return `await tamis.${operationId}(${clientArguments ?? givenArguments(operation)})`
}

/** `statement`, with each of its options on a separate line if one line is too short. */
function fitted(statement: string): string {
  return statement.length <= LINE_LENGTH_MAX ? statement : broken(statement)
}

/** `message`: an expression for the bytes of the message. */
export function pythonRequest(
  operation: Operation,
  message = 'open("message.eml", "rb").read()',
): string {
  const { method, example: { headers, body } = {} } = operation
  const sent = headers === undefined ? pythonJson(body) : message
  const type = headers === undefined ? JSON_TYPE : MESSAGE_TYPE
  const usual = sent === undefined ? 'GET' : 'POST'
  const url = `"${urlOf(operation)}"`
  const given = [
    ...(method === usual ? [] : [`method="${method}"`]),
    ...(sent === undefined ? [] : [`data=${sent}`]),
    ...(sent === undefined
      ? []
      : [`headers=${pythonHeaders({ 'Content-Type': type, ...headers })}`]),
  ]
  if (given.length === 0) return printedInPython(`urlopen(${url})`)
  const lines = [url, ...given].map((each) => `    ${each},\n`).join('')
  return `request = Request(\n${lines})\n${printedInPython('urlopen(request)')}`
}

/** Statements that need no library but Python's, with the imports that they need. */
export function pythonProgram(statements: string): string {
  const names = ['Request', 'urlopen'].filter((name) => statements.includes(`${name}(`))
  return [
    ...(statements.includes('json.') ? ['import json'] : []),
    `from urllib.request import ${names.join(', ')}`,
    '',
    statements,
  ].join('\n')
}

function printedInPython(opened: string): string {
  return `with ${opened} as answer:\n    print(answer.read().decode())`
}

function pythonJson(body: object | undefined): string | undefined {
  return body && `json.dumps(${pythonLiteral(body)}).encode()`
}

function pythonHeaders(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(
    ([name, value]) => `        ${pythonLiteral(name)}: ${pythonLiteral(value)},\n`,
  )
  return `{\n${lines.join('')}    }`
}

/** `value` as Python. A string in JSON is one in Python too. */
function pythonLiteral(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}: ${pythonLiteral(each)}`,
  )
  return `{${fields.join(', ')}}`
}

function givenArguments(operation: Operation): string {
  const { body, headers, example = {} } = operation
  if (body === 'message') {
    const given = example.headers ?? {}
    return Object.keys(given).length === 0 ? 'message' : `message, ${options(headers!, given)}`
  }
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

function messageOptions(headers: Readonly<Record<string, string>>, message: string): string[] {
  return [
    header('Content-Type', MESSAGE_TYPE),
    ...Object.entries(headers).map(([name, value]) => header(name, value)),
    `--data-binary ${message}`,
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
