/**
 * The path forms: a file of the server's own machine, named in JSON (interface §4.1, §4.3,
 * §4.5). Announced and not available: until there are folders to read from, they answer 501
 * with the name of the stream form, whatever they are sent.
 */
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import type { PathRoots } from '../../admission/path-roots.ts'
import { TamisError } from '../../errors.ts'
import { abandonment } from '../abandonment.ts'
import { type Classifier, classify, OPERATIONS } from '../classification.ts'
import { type Metadata, type MetadataNames, readMetadata } from '../metadata.ts'
import { ErrorResult } from '../schemas.ts'

/** A path, an address and a user id; the longest path Linux takes has 4 KiB. */
const BODY_BYTES_MAX = 64 * 1024

const FIELDS: MetadataNames = {
  kind: 'field',
  senderIp: 'ipAddress',
  senderEmail: 'senderEmail',
  userId: 'userId',
}

/** The body of a path form, checked by its schema; the address goes by two names. */
interface PathBody {
  readonly path: string
  readonly ipAddress?: string
  readonly senderIp?: string
  readonly senderEmail?: string
  readonly userId?: string
}

export function pathForms(app: FastifyInstance, classifier: Classifier, roots: PathRoots): void {
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
    (_request, text, done) => parseJson(String(text), done),
  )
  app.setValidatorCompiler(TypeBoxValidatorCompiler)
  app.setSchemaErrorFormatter((errors) => fieldError(errors[0]))

  for (const operation of OPERATIONS) {
    app.post<{ Body: PathBody }>(operation.pathForm, {
      // Before the body is looked at.
      onRequest: async () => {
        if (!roots.enabled) throw disabled(operation.streamForm)
      },
      schema: {
        summary: `${operation.summary} (path form; announced, not available by default)`,
        body: operation.pathBodySchema,
        response: { 200: operation.answerSchema, '4xx': ErrorResult, '5xx': ErrorResult },
      },
      handler: async (request, reply) => {
        const metadata = metadataFromFields(request.body)
        const { file, length } = await roots.openFile(request.body.path)
        try {
          return await classify(classifier, operation, {
            stream: file.createReadStream({ autoClose: false }),
            declaredLength: length,
            metadata,
            abandoned: abandonment(reply.raw),
            log: request.log,
          })
        } finally {
          await file.close()
        }
      },
    })
  }
}

function metadataFromFields(body: PathBody): Metadata {
  return readMetadata(
    {
      senderIp: body.ipAddress ?? body.senderIp,
      senderEmail: body.senderEmail,
      userId: body.userId,
    },
    body.senderIp === undefined ? FIELDS : { ...FIELDS, senderIp: 'senderIp' },
  )
}

function parseJson(text: string, done: (error: Error | null, body?: unknown) => void): void {
  try {
    done(null, JSON.parse(text))
  } catch (cause) {
    done(new TamisError('FIELD_INVALID', 'The body is not JSON', { cause }))
  }
}

function disabled(streamForm: string): TamisError {
  return new TamisError(
    'PATH_FORMS_DISABLED',
    `The path forms are not available; send the message itself to ${streamForm}`,
    { details: { streamForm } },
  )
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
