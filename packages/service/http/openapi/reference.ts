/** The description of the interface in the form that is sent. */
import type { Operation } from '../route.ts'
import { openApiDocument } from './document.ts'
import { referencePage } from './page.ts'

/**
 * Both forms are written once, at the first request, and kept as bytes: each has some hundred
 * kilobytes, and callers who may not classify may still ask for them.
 */
export class Reference {
  readonly #operations: readonly Operation[]
  #json: Buffer | undefined
  #page: Buffer | undefined

  constructor(operations: readonly Operation[]) {
    this.#operations = operations
  }

  /** The document for programs. */
  get json(): Buffer {
    this.#json ??= Buffer.from(JSON.stringify(openApiDocument(this.#operations)))
    return this.#json
  }

  /** The page for people. */
  get page(): Buffer {
    this.#page ??= Buffer.from(referencePage(openApiDocument(this.#operations)))
    return this.#page
  }
}
