/** Numbers for Prometheus. */
import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../access/caller.ts'
import { terms } from '../../access/route-terms.ts'
import type { Metrics } from '../metrics.ts'

export function metricsRoute(app: FastifyInstance, metrics: Metrics): void {
  app.get('/metrics', {
    config: terms({ scope: 'admin' }),
    schema: {
      summary: 'Numbers for Prometheus: all for the operator, those of the tenant for others',
      produces: ['text/plain'],
      response: { 200: { type: 'string' } },
    },
    handler: async (request, reply) => {
      const text = await metrics.textFor(callerOf(request))
      return reply.type(metrics.contentType).serializer(String).send(text)
    },
  })
}
