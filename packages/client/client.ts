/**
 * The HTTP API of Tamis as typed methods, one for each operation; docs/openapi.json has the same
 * names. It needs `fetch` and nothing else: types and methods are written from the service's routes
 * (methods.ts), and no code comes from there.
 *
 *   const tamis = new TamisClient({ url: 'http://127.0.0.1:8025' })
 *   const { isSpam } = await tamis.classifyStream(await readFile('message.eml'), { userId: 'ann' })
 *
 * Every method rejects with a TamisClientError (client-error.ts), or with the reason of a signal that
 * was aborted, or with what a stream of a message throws, or with a TypeError for a value that no header
 * can carry. A request that finds the service full is sent again after the time that it names, within the
 * time limit of the call; one with a stream is not.
 */
import { TamisClientError } from './client-error.ts'
import { type CallOptions, type ClientOptions, Connection, type MessageBody } from './connection.ts'
import { Methods } from './methods.ts'
import type { Delivery, FullResult } from './types.ts'

export { type ClientErrorCode, TamisClientError } from './client-error.ts'
export type { CallOptions, ClientOptions, Fetch, MessageBody } from './connection.ts'
export type { ByteStream } from './stream.ts'
export type * from './types.ts'

/** Requests at a time: enough that the service is not idle between them, and fewer than its queue holds. */
const AT_ONCE = 8

export interface BatchOptions extends Delivery, CallOptions {
  /** Messages in progress at a time, at least 1. */
  readonly atOnce?: number
}

/** What became of one message of several. */
export type BatchResult<Input extends MessageBody = MessageBody> = {
  /** Which message it was: 0 is the first. */
  readonly index: number
  /** The message as it was given; a stream has been read. */
  readonly input: Input
} & (
  | { readonly verdict: FullResult; readonly error?: undefined }
  | { readonly verdict?: undefined; readonly error: TamisClientError }
)

export class TamisClient extends Methods {
  readonly #connection: Connection

  /**
   * @throws TypeError for a URL that is none of http or https, or that has a user, a query or a
   *   fragment; RangeError for a time limit that no timer has.
   */
  constructor(options: ClientOptions) {
    const connection = new Connection(options)
    super(connection)
    this.#connection = connection
  }

  /**
   * One result for each of `messages`, in their order. A message that the service refuses has its error,
   * and the others go on. Messages are taken from `messages` only as fast as they are judged.
   */
  async *classifyAll<Input extends MessageBody>(
    messages: Iterable<Input> | AsyncIterable<Input>,
    { atOnce = AT_ONCE, ...options }: BatchOptions = {},
  ): AsyncGenerator<BatchResult<Input>> {
    if (!(atOnce >= 1)) throw new RangeError(`atOnce is ${atOnce}; allowed: at least 1`)
    const waiting: Promise<BatchResult<Input>>[] = []
    let taken = 0
    for await (const input of messages) {
      const message = { index: taken++, input }
      const result = this.classifyStream(input, options).then(
        (verdict) => ({ ...message, verdict }),
        (error: unknown) => {
          if (error instanceof TamisClientError) return { ...message, error }
          throw error
        },
      )
      // It is awaited below, in its turn; until then a failure is not unhandled.
      result.catch(() => {})
      waiting.push(result)
      if (waiting.length >= atOnce) yield await waiting.shift()!
    }
    for (const result of waiting) yield await result
  }

  /** 384 numbers. */
  async embedText(text: string, options?: CallOptions): Promise<number[]> {
    const { embedding } = await this.#connection.json<{ embedding: number[] }>(
      'POST',
      '/classify/embed-text',
      { text },
      options,
    )
    return embedding
  }
}
