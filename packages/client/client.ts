/**
 * The HTTP API of Tamis as typed methods, one for each operation; docs/openapi.json has the same
 * names. It needs `fetch` and nothing else: types and methods are written from the service's routes
 * (methods.ts), and no code comes from there.
 *
 *   const tamis = new TamisClient({ url: 'http://127.0.0.1:8025' })
 *   const { isSpam } = await tamis.classifyStream(await readFile('message.eml'), { userId: 'ann' })
 *
 * Every method rejects with a TamisClientError (client-error.ts), or with the reason of a signal that
 * was aborted, or with a TypeError for a value that no header can carry. Nothing is tried again by
 * itself.
 */
import { type CallOptions, type ClientOptions, Connection } from './connection.ts'
import { Methods } from './methods.ts'

export { type ClientErrorCode, TamisClientError } from './client-error.ts'
export type { CallOptions, ClientOptions, Fetch, MessageBody } from './connection.ts'
export type * from './types.ts'

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

  /** 384 numbers. */
  async embedText(text: string, options?: CallOptions): Promise<number[]> {
    return (await this.#embed<{ embedding: number[] }>({ text }, options)).embedding
  }

  /** The same for up to 256 texts, in their order. */
  async embedTexts(texts: readonly string[], options?: CallOptions): Promise<number[][]> {
    return (await this.#embed<{ embeddings: number[][] }>({ texts }, options)).embeddings
  }

  #embed<Answer>(body: object, options: CallOptions | undefined): Promise<Answer> {
    return this.#connection.json('POST', '/classify/embed-text', body, options)
  }
}
