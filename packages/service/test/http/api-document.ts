/** The description of the interface, for tests that go through it. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'

type ByName<T> = Readonly<Record<string, T>>

export interface MediaType {
  readonly schema: ByName<unknown>
  readonly example?: unknown
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly example?: unknown
  }[]
  readonly requestBody?: { readonly content: ByName<MediaType> }
  readonly responses: ByName<{ readonly content: ByName<MediaType> }>
}

/** What tests read of the document. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly paths: ByName<ByName<Operation>>
}

export async function documentOf(app: FastifyInstance): Promise<OpenApiDocument> {
  return (await app.inject('/openapi.json')).json()
}

export interface Named {
  readonly name: string
  readonly operation: Operation
}

export function operationsOf({ paths }: OpenApiDocument): Named[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  )
}

/** Says what is wrong with a value by the schema at a place of the document. */
export function checker(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ ...document, $id: 'document' })
  return (pointer: string[], value: unknown): string => {
    const path = pointer.map((each) => each.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
    const validate = ajv.compile({ $ref: `document#/${encodeURI(path)}` })
    return validate(value) ? '' : `${pointer.join(' ')}: ${ajv.errorsText(validate.errors)}`
  }
}
