/** The path forms of classification (interface §4.1, §4.3, §4.5). */
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../access/caller.ts'
import { terms } from '../../access/route-terms.ts'
import type { PathRoots } from '../../admission/path-roots.ts'
import { type Classifier, classify, OPERATIONS } from '../classification.ts'
import { acceptJson } from '../json-body.ts'
import { incomingFile, PATH_BODY_BYTES_MAX, refuseWhileDisabled } from '../path-form.ts'
import { ErrorResult } from '../schemas.ts'

export function pathForms(app: FastifyInstance, classifier: Classifier, roots: PathRoots): void {
  acceptJson(app, PATH_BODY_BYTES_MAX)
  for (const operation of OPERATIONS) {
    app.post(operation.pathForm, {
      config: terms(operation.terms),
      onRequest: async () => refuseWhileDisabled(roots, operation.streamForm),
      schema: {
        summary: `${operation.summary} (path form; announced, not available by default)`,
        body: operation.pathBodySchema,
        response: { 200: operation.answerSchema, '4xx': ErrorResult, '5xx': ErrorResult },
      },
      handler: (request, reply) =>
        incomingFile(roots, request, reply, (incoming) =>
          classify(classifier, operation, callerOf(request), incoming),
        ),
    })
  }
}
