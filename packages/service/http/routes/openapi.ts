/** Routes for the description of the interface: /openapi.json for programs, /docs for people. */
import { Type } from 'typebox'
import { PAGE_HEADERS } from '../page-headers.ts'
import { operation, type Route } from '../route.ts'

export const OPENAPI = [
  operation({
    method: 'GET',
    path: '/openapi.json',
    scope: 'none',
    rateLimited: false,
    operationId: 'openApi',
    tag: 'Operate',
    summary: 'This document',
    description: 'For generators of clients. `/docs` is the same for people.',
    answers: {
      200: {
        description: 'The document',
        schema: Type.Unsafe({ type: 'object', additionalProperties: true }),
        example: { openapi: '3.1.0' },
      },
    },
    handler: (_request, { reference }, reply) =>
      reply.type('application/json; charset=utf-8').send(reference.json),
  }),
]

/** The page for people, which is not part of the document. */
export const DOCS: Route = {
  method: 'GET',
  path: '/docs',
  scope: 'none',
  rateLimited: false,
  handler: (_request, { reference }, reply) =>
    reply.type('text/html; charset=utf-8').headers(PAGE_HEADERS).send(reference.page),
}
