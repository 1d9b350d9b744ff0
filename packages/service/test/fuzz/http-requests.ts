/**
 * Requests to every path of the interface: with the fields they take or others, of the types they
 * have or others, as JSON or nearly. Each is answered, if not as wished then with a code, and
 * nothing is ever the service's own fault.
 */

import type { FastifyInstance, InjectOptions } from 'fastify'
import openapi from '../../../../docs/openapi.json' with { type: 'json' }
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { wordsOf } from '../../../../test/words.ts'
import { ERRORS } from '../../../errors/errors.ts'
import { type Dice, repeated } from '../../../mail/test/fuzz/dice.ts'
import type { AskService } from '../../../mail/test/fuzz/fuzz.ts'
import { message } from '../../../mail/test/fuzz/messages.ts'
import { line, noise, words } from '../../../mail/test/fuzz/texts.ts'
import { open } from '../http/service.ts'

/** Longest time for an answer: many times what any takes, so that a busy machine does not count. */
const ANSWER_MS_MAX = 2_000

/** The status of a route that is turned off by default, which is no fault. */
const SWITCHED_OFF = 501

const ROUTES = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() })),
)

const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS']

// biome-ignore format: values side by side
const FIELDS = [
  'userId', 'ruleType', 'pattern', 'label', 'classification', 'path', 'text', 'texts',
  'ipAddress', 'senderIp', 'senderEmail', 'isSpam', 'skipRuleCreation', 'version', 'id',
  '__proto__', 'constructor', '',
]

// biome-ignore format: values side by side
const VALUES = [
  'ada', 'Sender', 'List', 'Thread', 'Template', 'spam', 'ham', 'primary', 'example.com',
  'ada@example.com', '<1@example.com>', '/etc/passwd', '../../etc/passwd', '192.0.2.1', true,
  false, null, 0, -1, 1e308, 1e-320, '', '\0', '\ud800', '\u202e', 'a'.repeat(3_000),
]

const HEADERS = wordsOf(`
  x-sender-ip x-sender-email x-user-id x-is-spam x-skip-rule-creation x-classification x-label
  x-rule-type authorization content-encoding expect host origin
`)

// biome-ignore format: values side by side
const HEADER_VALUES = [
  '192.0.2.1', 'ada@example.com', 'ada', 'true', 'false', 'spam', 'ham', 'primary', 'automatic',
  'Sender', 'Thread', 'Bearer x', 'gzip', 'localhost', 'http://evil.example.com', '',
]

// biome-ignore format: values side by side
const CONTENT_TYPES = [
  'application/json', 'message/rfc822', 'text/plain', 'application/json; charset=utf-16',
  'multipart/form-data; boundary=a', ';', '',
]

export interface FuzzedService {
  readonly request: AskService
  close(): Promise<void>
}

/** A service with a folder to read from, and nothing in it. */
export async function openFuzzedService(): Promise<FuzzedService> {
  const { app, close } = await open({ config: { pathRoots: [temporaryFolder()] } })
  return {
    request: async (dice) => {
      const request = httpRequest(dice)
      const fault = await requestFault(app, request)
      return { fault, bytes: Buffer.from(JSON.stringify(request)) }
    },
    close,
  }
}

function httpRequest(dice: Dice): InjectOptions {
  const route = dice.pick(ROUTES)
  const method = dice.chance(0.9) ? route.method : dice.pick(METHODS)
  const path = route.path.replace(/\{\w+\}/, () =>
    encodeURIComponent(String(dice.pick(VALUES.filter(isWritable)))),
  )
  const isStream = route.path.endsWith('-stream')
  const usual = isStream ? 'message/rfc822' : 'application/json'
  const type = dice.chance(0.95) ? usual : dice.pick(CONTENT_TYPES)
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return {
    method: method as NonNullable<InjectOptions['method']>,
    url: path + query(dice),
    headers: { host: 'localhost', ...(hasBody && { 'content-type': type }), ...headers(dice) },
    ...(hasBody && { payload: isStream ? message(dice) : jsonBody(dice) }),
  }
}

/** What is wrong with the answer; undefined when all is right. */
async function requestFault(
  app: FastifyInstance,
  request: InjectOptions,
): Promise<string | undefined> {
  const route = `${request.method} ${String(request.url).split('?')[0]}`
  const { statusCode, payload, isLate } = await answerTo(app, request)
  // Slow only if it is slow again: others may have the processor.
  if (isLate && (await answerTo(app, request)).isLate) return `${route} takes too long`
  if (statusCode >= 500 && statusCode !== SWITCHED_OFF)
    return `${route} answers ${statusCode}: ${payload}`
  if (statusCode < 400 || request.method === 'HEAD') return undefined
  const code = codeOf(payload)
  return code in ERRORS ? undefined : `${route} answers ${statusCode} without a code`
}

async function answerTo(app: FastifyInstance, request: InjectOptions) {
  const started = performance.now()
  const { statusCode, payload } = await app.inject(request)
  return { statusCode, payload, isLate: performance.now() - started > ANSWER_MS_MAX }
}

function codeOf(payload: string): string {
  try {
    return String((JSON.parse(payload) as { code: unknown }).code)
  } catch {
    return 'no JSON'
  }
}

/** encodeURIComponent refuses half a character. */
function isWritable(value: unknown): boolean {
  return String(value).isWellFormed()
}

function query(dice: Dice): string {
  const pairs = () => `&${dice.pick(FIELDS)}=${encodeURIComponent(words(dice).slice(0, 300))}`
  return dice.make([
    () => '',
    () => '?userId=ada',
    () => `?userId=ada${repeated(dice.below(4), pairs)}`,
    () => `?${escapedNoise(dice)}`,
  ])
}

function escapedNoise(dice: Dice): string {
  return noise(dice).replaceAll(/[^\w&=%[\].]/g, '%')
}

function headers(dice: Dice): Record<string, string> {
  const names = Array.from({ length: dice.below(5) }, () => dice.pick(HEADERS))
  return Object.fromEntries(
    names.map((name) => {
      const value = dice.chance(0.8) ? dice.pick(HEADER_VALUES) : line(dice)
      // Node takes no other octets in a header field.
      return [name, value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')]
    }),
  )
}

function jsonBody(dice: Dice): string {
  const json = JSON.stringify(jsonValue(dice, 0))
  const at = dice.below(json.length + 1)
  return dice.make([
    () => json,
    () => json,
    () => json,
    () => json.slice(0, at),
    () => json.slice(0, at) + noise(dice) + json.slice(at),
    () => '['.repeat(dice.count(100_000)),
    () => `{"userId":"ada","text":"${'\\u0041'.repeat(dice.count(20_000))}"}`,
    () => '',
  ])
}

function jsonValue(dice: Dice, depth: number): unknown {
  if (depth > 0 && dice.chance(0.85)) return dice.pick(VALUES)
  if (depth > 3) return line(dice)
  if (depth > 0 && dice.chance(0.5)) {
    return Array.from({ length: dice.count(400) }, () => jsonValue(dice, depth + 1))
  }
  return Object.fromEntries(
    Array.from({ length: 1 + dice.below(6) }, () => [
      dice.pick(FIELDS),
      jsonValue(dice, depth + 1),
    ]),
  )
}
