/** The description of the whole interface in OpenAPI 3.1, drawn from the schemas of the routes. */
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'

/** Of the interface, not of the package. */
const INTERFACE_VERSION = '1.0.0'

/** To be registered before the routes it is to describe. */
export async function openApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tamis',
        description: 'Classifies email messages: raw message in, verdict out.',
        version: INTERFACE_VERSION,
      },
    },
  })
  app.get('/openapi.json', {
    schema: {
      summary: 'This document',
      response: { 200: { type: 'object', additionalProperties: true } },
    },
    handler: () => Promise.resolve(app.swagger()),
  })
}
