/** The description of the interface: for programs at /openapi.json, for people at /docs. */
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { completeDocument } from '../openapi/document.ts'
import { PAGE_POLICY, referencePage } from '../openapi/page.ts'

/** To be registered before the routes it is to describe. */
export async function openApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: '', version: '' } },
  })
  const document = once(() => completeDocument(app.swagger()))
  // Written once: it is some hundred kilobytes, and whoever may not classify may still ask for it.
  const written = once(() => Buffer.from(JSON.stringify(document())))
  const page = once(() => referencePage(document()))
  app.get('/openapi.json', {
    schema: {
      summary: 'This document',
      response: { 200: { type: 'object', additionalProperties: true } },
    },
    handler: (_request, reply) => reply.type('application/json; charset=utf-8').send(written()),
  })
  app.get('/docs', {
    schema: { hide: true },
    handler: (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .headers({
          'content-security-policy': PAGE_POLICY,
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'no-referrer',
        })
        .send(page()),
  })
}

/** `make`, called when its value is first asked for: routes are not all there before. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
