/** The route for metrics. */
import { Type } from 'typebox'
import { operation } from '../route.ts'

const EXAMPLE = [
  '# HELP tamis_verdicts_total Full classifications; reason is what overrode the models, or none',
  '# TYPE tamis_verdicts_total counter',
  'tamis_verdicts_total{verdict="spam",reason="none"} 1204',
  '',
].join('\n')

export const METRICS = [
  operation({
    method: 'GET',
    path: '/metrics',
    scope: 'admin',
    operationId: 'metrics',
    tag: 'Operate',
    summary: 'Metrics for Prometheus',
    description: 'In the text format of Prometheus.',
    answers: {
      200: {
        description: 'The metrics',
        type: 'text/plain',
        schema: Type.String(),
        example: EXAMPLE,
      },
    },
    handler: async (_request, { classifier: { metrics } }, reply) => {
      const text = await metrics.text()
      return reply.type(metrics.contentType).serializer(String).send(text)
    },
  }),
]
