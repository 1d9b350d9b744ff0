/** The description of the interface, for tests that go through it. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import type { OpenApiDocument, OpenApiOperation } from '../../http/openapi/document.ts'

export async function documentOf(app: FastifyInstance): Promise<OpenApiDocument> {
  return (await app.inject('/openapi.json')).json()
}

export interface Named {
  readonly name: string
  readonly operation: OpenApiOperation
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
