/** The route for the description of the interface. */
import { Type } from 'typebox'
import { ok, operation } from '../route.ts'

export const OPENAPI = [
  operation({
    method: 'GET',
    path: '/openapi.json',
    scope: 'none',
    rateLimited: false,
    operationId: 'openApi',
    tag: 'Operate',
    summary: 'This document',
    description: 'For client generators. `/docs` shows it as a page.',
    answers: ok('The document', Type.Unsafe({ type: 'object', additionalProperties: true }), {
      openapi: '3.1.0',
    }),
    handler: async (_request, { openApiJson }, reply) =>
      reply.type('application/json; charset=utf-8').send(await openApiJson()),
  }),
]
