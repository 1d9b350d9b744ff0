/** The description of the interface, as it is sent. */
import type { Operation } from '../route.ts'
import { openApiDocument } from './document.ts'
import { referencePage } from './page.ts'

/**
 * Written once, when first asked for, and as bytes: both are some hundred kilobytes, and whoever may
 * not classify may still ask for them.
 */
export class Reference {
  readonly #operations: readonly Operation[]
  #json: Buffer | undefined
  #page: Buffer | undefined

  constructor(operations: readonly Operation[]) {
    this.#operations = operations
  }

  /** For programs. */
  get json(): Buffer {
    this.#json ??= Buffer.from(JSON.stringify(openApiDocument(this.#operations)))
    return this.#json
  }

  /** For people. */
  get page(): Buffer {
    this.#page ??= Buffer.from(referencePage(openApiDocument(this.#operations)))
    return this.#page
  }
}
