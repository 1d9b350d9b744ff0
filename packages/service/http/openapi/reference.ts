/** The description of the interface in the form that is sent. */
import type { Operation } from '../route.ts'
import { openApiDocument } from './document.ts'
import { referencePage } from './page.ts'
import { tasksWith } from './tasks.ts'

/**
 * Both forms are written once, at the first request, and kept as bytes: each has some hundred
 * kilobytes, and callers who may not classify may still ask for them.
 */
export class Reference {
  readonly #operations: readonly Operation[]
  readonly #frame: string | undefined
  #json: Buffer | undefined
  #page: Buffer | undefined

  /** `frame`: the page around the reference, with its style and script; undefined if the console is not built. */
  constructor(operations: readonly Operation[], frame: string | undefined) {
    this.#operations = operations
    this.#frame = frame
  }

  /** The document for programs. */
  get json(): Buffer {
    this.#json ??= Buffer.from(JSON.stringify(openApiDocument(this.#operations)))
    return this.#json
  }

  /** The page for people. */
  get page(): Buffer {
    this.#page ??= Buffer.from(
      referencePage(openApiDocument(this.#operations), tasksWith(this.#operations), this.#frame),
    )
    return this.#page
  }
}
