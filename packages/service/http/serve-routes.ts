/** Puts routes on the server: each takes what its declaration says, and nothing else. */

import type { FastifyInstance, FastifySchema } from 'fastify'
import { terms } from '../access/route-terms.ts'
import { acceptJson, checkQuery } from './json-body.ts'
import { acceptMessages } from './message-stream.ts'
import { refuseWhileDisabled } from './path-form.ts'
import type { Operation, Route, Services } from './route.ts'
import { ErrorResult } from './schemas.ts'

/** Functions that let a route take its body, by form. Without one a request with a body is refused. */
const BODY_FORMS = { message: acceptMessages, json: acceptJson, none: () => {} }

export function serveOperations(
  app: FastifyInstance,
  operations: readonly Operation[],
  services: Services,
): void {
  for (const [form, those] of Map.groupBy(operations, bodyForm)) {
    app.register(async (scope) => {
      BODY_FORMS[form](scope)
      for (const each of those) serve(scope, each, services)
    })
  }
}

function bodyForm({ body }: Route): keyof typeof BODY_FORMS {
  if (body === undefined) return 'none'
  return body === 'message' ? 'message' : 'json'
}

/** Serves `route` on `app`, which takes its form of body. */
export function serve(app: FastifyInstance, route: Route, services: Services): void {
  const { method, path, body, streamForm } = route
  app.route({
    method: [method].flat(),
    url: path,
    config: terms(route),
    exposeHeadRoute: method === 'GET',
    schema: schemaOf(route),
    ...(typeof body === 'object' && { bodyLimit: body.bytesMax }),
    ...(streamForm !== undefined && {
      onRequest: async () => refuseWhileDisabled(services.pathRoots, streamForm),
    }),
    ...((route.query !== undefined || typeof body === 'object') && {
      preValidation: async ({ url }) => checkQuery(url),
    }),
    handler: (request, reply) => route.handler(request, services, reply),
  })
}

function schemaOf({ params, query, body, answers }: Route): FastifySchema {
  return {
    ...(params && { params }),
    ...(query && { querystring: query }),
    ...(typeof body === 'object' && { body: body.schema }),
    ...(answers && {
      response: {
        ...Object.fromEntries(
          Object.entries(answers).map(([status, { schema }]) => [status, schema]),
        ),
        '4xx': ErrorResult,
        '5xx': ErrorResult,
      },
    }),
  }
}
