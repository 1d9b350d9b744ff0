/** The description of the interface: for programs at /openapi.json, for people at /docs. */
import { type FastifyInstance, fastify, type RouteOptions } from 'fastify'
import { type RouteTable, terms } from '../../access/route-terms.ts'
import { completeDocument, type OpenApiDocument } from '../openapi/document.ts'
import { PAGE_POLICY, referencePage } from '../openapi/page.ts'

/**
 * To be registered before the routes it is to describe, whose terms are in `table`. The document is
 * drawn when it is first asked for: most services are never asked, and what draws it is a hundred
 * modules.
 */
export function openApi(app: FastifyInstance, table: RouteTable): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    routes.push(route)
  })
  const document = once(() => documentOf(routes, table))
  // Written once, and as bytes: both are some hundred kilobytes, and whoever may not classify may still ask for them.
  const written = once(async () => Buffer.from(JSON.stringify(await document())))
  const page = once(async () => Buffer.from(referencePage(await document())))
  app.get('/openapi.json', {
    config: terms({ scope: 'classify' }),
    schema: {
      summary: 'This document',
      response: { 200: { type: 'object', additionalProperties: true } },
    },
    handler: async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(await written()),
  })
  app.get('/docs', {
    config: terms({ scope: 'none', rateLimited: false }),
    schema: { hide: true },
    handler: async (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .headers({
          'content-security-policy': PAGE_POLICY,
          'referrer-policy': 'no-referrer',
        })
        .send(await page()),
  })
}

/** Routes like `routes` on a server that nobody asks, since the service's own takes no plugin once it listens. */
async function documentOf(
  routes: readonly RouteOptions[],
  table: RouteTable,
): Promise<OpenApiDocument> {
  const { default: swagger } = await import('@fastify/swagger')
  const app = fastify({ exposeHeadRoutes: false })
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: '', version: '' } },
  })
  for (const { method, url, schema = {} } of routes) {
    app.route({ method, url, schema, handler: () => {}, ...AS_THEY_ARE })
  }
  await app.ready()
  return completeDocument(app.swagger(), table)
}

/** Nothing is checked or written by these schemas. */
const AS_THEY_ARE = {
  validatorCompiler: () => () => true,
  serializerCompiler: () => () => '',
} as const

/** `make`, called when its value is first asked for: routes are not all there before. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
