/**
 * A fake of the service, for the tests of programs that use the client: a real HTTP server on a free
 * port of 127.0.0.1, which answers every operation at once with the example of docs/openapi.json, or as
 * a test says. It judges nothing, checks nothing that it is sent, and keeps all of it.
 *
 *   const fake = await startFakeTamis()
 *   fake.answer('classifyStream', { isSpam: true, spamProbability: 0.99 })
 *   const tamis = new TamisClient({ url: fake.url })
 *   // ... the program under test, then:
 *   fake.requests[0].headers['x-user-id']
 *   await fake.close()
 *
 * It runs on Node alone, and its types need none of Node's.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ClientErrorDetails, TamisClientError } from './client-error.ts'
import { CANNED_ANSWERS, type CannedAnswer, STATUS_OF } from './fake-answers.ts'
import type { Methods } from './methods.ts'
import type { EmbedTextResult, ErrorCode } from './types.ts'

/** What each operation answers, by its name: that of the client's method. */
export type FakeAnswers = {
  [Operation in keyof Methods]: Awaited<ReturnType<Methods[Operation]>>
} & { embedText: EmbedTextResult }

export type FakeOperation = keyof FakeAnswers

/** What the fake was asked. */
export interface FakeRequest {
  /** Undefined at a path that the service does not have. */
  readonly operation: FakeOperation | undefined
  readonly method: string
  /** As it was asked for, with its query. */
  readonly path: string
  /** By name in lower case; values as the service reads them, in UTF-8. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The body as UTF-8. */
  readonly text: string
}

/**
 * What an operation answers: the fields that differ from the example, or a function that gives them for
 * a request. A function may throw a TamisClientError with a code of the service, which is then answered.
 */
export type FakeAnswer<Operation extends FakeOperation> =
  | Partial<FakeAnswers[Operation]>
  | ((
      request: FakeRequest,
    ) => Partial<FakeAnswers[Operation]> | Promise<Partial<FakeAnswers[Operation]>>)

/** Seconds: the least that the service says. */
const RETRY_AFTER_S = 1

/** Length of an embedding. */
const DIMENSIONS = 384

/** A fake that listens. */
export async function startFakeTamis(): Promise<FakeTamis> {
  const fake = new FakeTamis()
  await fake.listen()
  return fake
}

export class FakeTamis {
  readonly #server: Server
  readonly #answers = new Map<string, FakeAnswer<FakeOperation>>()
  #requests: FakeRequest[] = []
  #url = ''
  #busy = 0
  #retryAfterS = RETRY_AFTER_S

  /** Use startFakeTamis. */
  constructor() {
    this.#server = createServer((request, response) => {
      // A client that goes away in the middle of its request is owed no answer.
      this.#receive(request, response).catch(() => response.destroy())
    })
  }

  /** Where it listens, for the client. */
  get url(): string {
    return this.#url
  }

  /** All requests since the start or the last reset, the oldest first; those that were refused too. */
  get requests(): readonly FakeRequest[] {
    return this.#requests
  }

  /** From now on `operation` answers so. */
  answer<Operation extends FakeOperation>(
    operation: Operation,
    answer: FakeAnswer<Operation>,
  ): void {
    this.#answers.set(operation, answer as FakeAnswer<FakeOperation>)
  }

  /** From now on `operation` fails with `code`, and the status that the service has for it. */
  fail(operation: FakeOperation, code: ErrorCode, details: ClientErrorDetails = {}): void {
    this.answer(operation, () => {
      throw new TamisClientError(code, `The fake fails with ${code}`, details)
    })
  }

  /**
   * The next `times` requests, whatever they ask, find the service full: 503 with Retry-After. With 0
   * seconds, which the service never says, the client comes back at once.
   */
  busy(times: number, retryAfterS = RETRY_AFTER_S): void {
    this.#busy = times
    this.#retryAfterS = retryAfterS
  }

  /** As after the start: the examples again, and no requests. */
  reset(): void {
    this.#answers.clear()
    this.#requests = []
    this.#busy = 0
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(0, '127.0.0.1', resolve)
    })
    this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Ends it, with the connections that are still open. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }

  async #receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const canned = cannedAnswer(incoming)
    const request = await requestOf(incoming, canned?.operation as FakeOperation | undefined)
    this.#requests.push(request)
    try {
      if (this.#busy > 0) {
        this.#busy--
        const retryAfterS = this.#retryAfterS
        throw new TamisClientError('QUEUE_FULL', 'The fake is busy', { retryAfterS, queueDepth: 0 })
      }
      if (canned === undefined) {
        throw new TamisClientError('PATH_UNKNOWN', 'There is nothing at this path')
      }
      send(response, 200, await this.#answerTo(request, canned))
    } catch (error) {
      sendError(response, error)
    }
  }

  async #answerTo(request: FakeRequest, { operation, answer }: CannedAnswer) {
    const own = this.#answers.get(operation)
    const fields = typeof own === 'function' ? await own(request) : own
    if (typeof fields === 'string') return fields
    return typeof answer === 'string' ? answer : { ...answer, ...toFit(request, answer), ...fields }
  }
}

/** The operation that is asked for; undefined if the service has none. */
function cannedAnswer({ method, url }: IncomingMessage): CannedAnswer | undefined {
  const parts = pathOf(url).split('/')
  const isAsked = (each: CannedAnswer) => {
    const expected = each.path.split('/')
    return (
      each.method === method &&
      expected.length === parts.length &&
      expected.every((part, at) => part.startsWith(':') || part === parts[at])
    )
  }
  return CANNED_ANSWERS.find(isAsked)
}

function pathOf(url = ''): string {
  return url.split('?', 1)[0]!
}

async function requestOf(
  incoming: IncomingMessage,
  operation: FakeOperation | undefined,
): Promise<FakeRequest> {
  const pieces: Buffer[] = []
  for await (const piece of incoming) pieces.push(piece)
  const body = Buffer.concat(pieces)
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(incoming.headers)) {
    headers[name] = Buffer.from(String(value), 'latin1').toString()
  }
  const { method = '', url: path = '' } = incoming
  return { operation, method, path, headers, body, text: body.toString() }
}

/** What of an example has to fit the request: the user, one verdict for each recipient, one embedding for each text. */
function toFit(request: FakeRequest, answer: object): object {
  if (request.operation === 'embedText') return embeddings(request.text)
  if (request.operation === 'classifyStreamRecipients') {
    return recipients(request.headers['x-user-ids'])
  }
  const userId = 'userId' in answer ? userOf(request) : undefined
  return userId === undefined ? {} : { userId }
}

/** The user in the headers, the query or the body. */
function userOf({ headers, path, text }: FakeRequest): string | undefined {
  if (headers['content-type'] === 'application/json') return JSON.parse(text).userId
  return headers['x-user-id'] ?? new URLSearchParams(path.split('?')[1]).get('userId') ?? undefined
}

function recipients(userIds = '[]'): object {
  const { answer } = CANNED_ANSWERS.find(({ operation }) => operation === 'classifyStream')!
  const verdict = answer as object
  const users: string[] = JSON.parse(userIds)
  return { shared: verdict, recipients: users.map((userId) => ({ userId, ...verdict })) }
}

/** With `texts`, a direction for each by its place in the list. */
function embeddings(json: string): object {
  const { texts }: { texts?: string[] } = JSON.parse(json)
  if (texts === undefined) return {}
  const unit = (at: number) => Array.from({ length: DIMENSIONS }, (_, i) => (i === at ? 1 : 0))
  return { embedding: undefined, embeddings: texts.map((_, at) => unit(at)) }
}

function send(
  response: ServerResponse,
  status: number,
  answer: object | string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const isText = typeof answer === 'string'
  response.writeHead(status, {
    'content-type': isText ? 'text/plain' : 'application/json',
    ...headers,
  })
  response.end(isText ? answer : JSON.stringify(answer))
}

function sendError(response: ServerResponse, error: unknown): void {
  const { code, message, field, queueDepth, retryAfterS } =
    error instanceof TamisClientError ? error : new TamisClientError('INTERNAL', String(error))
  const status = STATUS_OF[code as ErrorCode] ?? STATUS_OF.INTERNAL
  const body = {
    error: message,
    code,
    ...(queueDepth !== undefined && { queueDepth }),
    ...(field !== undefined && { [code === 'HEADER_INVALID' ? 'header' : 'field']: field }),
  }
  const headers: Record<string, string> =
    retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) }
  send(response, status, body, headers)
}
