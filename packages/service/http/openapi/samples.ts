/** Each operation as a command for curl and as a call of the client, from its example. */
import type { OperationText } from './operations.ts'

const BASE_URL = 'http://127.0.0.1:8025'

/** Where commands find the message. */
const MESSAGE_FILE = 'message.eml'

/** Fits beside the list of operations. */
const LINE_LENGTH_MAX = 80

/** What a header of the stream forms is called by the client. */
const OPTION_BY_HEADER: Readonly<Record<string, string>> = {
  'X-Sender-IP': 'senderIp',
  'X-Sender-Email': 'senderEmail',
  'X-User-ID': 'userId',
  'X-User-IDs': 'userIds',
  'X-Arrival-Fallback': 'arrivalFallback',
  'X-Is-Spam': 'isSpam',
  'X-Rule-Type': 'ruleType',
  'X-Label': 'label',
  'X-Classification': 'classification',
}

/** Headers whose values are JSON and not text. */
const JSON_HEADERS = ['X-User-IDs', 'X-Is-Spam']

export function curlCommand(method: string, path: string, text: OperationText): string {
  const { headers, query, params = {}, body } = text
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  const verb = method === 'GET' || (method === 'POST' && (headers || body)) ? '' : ` -X ${method}`
  return [
    `curl${verb} ${quoted(BASE_URL + filled + search)}`,
    ...(headers === undefined ? [] : messageOptions(headers)),
    ...(body === undefined ? [] : [header('Content-Type', 'application/json'), jsonOption(body)]),
  ].join(' \\\n  ')
}

export function clientCall({ id, clientArguments, headers, body }: OperationText): string {
  const given = headers === undefined ? body && literal(body) : `message, ${options(headers)}`
  const call = `await tamis.${id}(${clientArguments ?? given ?? ''})`
  return call.length <= LINE_LENGTH_MAX ? call : broken(call)
}

/** `call` with each of its options on a line of its own. */
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

/** For a shell. */
function quoted(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function options(headers: Readonly<Record<string, string>>): string {
  const entries = Object.entries(headers).map(([name, value]) => [
    OPTION_BY_HEADER[name],
    JSON_HEADERS.includes(name) ? JSON.parse(value) : value,
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
