/** Puts routes on the server: each takes what its declaration says, and nothing else. */

import { createRequire } from 'node:module'
import type {
  Serializer,
  SerializerCompiler,
  SerializerFactory,
} from '@fastify/fast-json-stringify-compiler'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { terms } from '../access/route-terms.ts'
import { acceptJson, checkQuery, compileSchema } from './json-body.ts'
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
    validatorCompiler: compileSchema,
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

const require = createRequire(import.meta.url)

/**
 * Serializers of answers: one function for each schema of an answer, made by Fastify's compiler. Each
 * is made when the route first answers with that status and not before the service listens: there
 * are some two hundred, most of them for errors, and they took a fifth of the time to start.
 */
export const lazySerializers: SerializerFactory = (externalSchemas, options) => {
  let compiler: SerializerCompiler | undefined
  return (route) => {
    let serializer: Serializer | undefined
    return (answer) => {
      compiler ??= loadCompiler()(externalSchemas, options)
      serializer ??= compiler(route)
      return serializer(answer)
    }
  }
}

function loadCompiler(): SerializerFactory {
  const { SerializerSelector } = require('@fastify/fast-json-stringify-compiler')
  return SerializerSelector()
}
