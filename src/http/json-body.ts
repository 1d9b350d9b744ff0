/** JSON bodies: read, checked by the route's schema, and refused with the field at fault. */
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { TamisError } from '../errors.ts'

/** Lets the routes of `app` take JSON bodies up to `bytesMax`. */
export function acceptJson(app: FastifyInstance, bytesMax: number): void {
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: bytesMax },
    (_request, text, done) => parseJson(String(text), done),
  )
  checkBySchema(app)
}

/** Refuses bodies and queries that are not as the schemas of `app` say, with the field at fault. */
export function checkBySchema(app: FastifyInstance): void {
  app.setValidatorCompiler(TypeBoxValidatorCompiler)
  app.setSchemaErrorFormatter((errors) => fieldError(errors[0]))
}

function parseJson(text: string, done: (error: Error | null, body?: unknown) => void): void {
  try {
    done(null, JSON.parse(text))
  } catch (cause) {
    done(new TamisError('FIELD_INVALID', 'The body is not JSON', { cause }))
  }
}

/** The first finding of the schema, with the field it is about. */
function fieldError(finding: unknown): TamisError {
  const { instancePath, message, params } = finding as {
    instancePath: string
    message: string
    params: { requiredProperties?: string[]; additionalProperties?: string[] }
  }
  const [field] = params.requiredProperties ??
    params.additionalProperties ?? [instancePath.replace('/', '')]
  return new TamisError(
    'FIELD_INVALID',
    `${field || 'The body'} is not as it has to be: ${message}`,
    field ? { details: { field } } : {},
  )
}
