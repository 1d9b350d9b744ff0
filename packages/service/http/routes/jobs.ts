/** Work in the background: how far the rebuilding of the models after a deletion has come. */
import type { FastifyInstance } from 'fastify'
import { TamisError } from '../../../mail/errors.ts'
import { callerOf } from '../../access/caller.ts'
import { terms } from '../../access/route-terms.ts'
import type { Store } from '../../store/store.ts'
import { ErrorResult, JobParams, JobResult } from '../schemas.ts'

export type JobReader = Pick<Store, 'jobById'>

export function jobRoutes(app: FastifyInstance, jobs: JobReader): void {
  app.get<{ Params: JobParams }>('/jobs/:jobId', {
    config: terms({ scope: 'feedback' }),
    schema: {
      summary: 'State of a background job',
      params: JobParams,
      response: { 200: JobResult, '4xx': ErrorResult, '5xx': ErrorResult },
    },
    handler: async (request) => {
      const job = await jobs.jobById(callerOf(request).tenant, request.params.jobId)
      if (job === undefined) throw new TamisError('NOT_FOUND', 'There is no such job')
      return {
        jobId: job.id,
        kind: job.kind,
        state: job.state,
        createdAt: job.createdAt.toISOString(),
        ...(job.finishedAt === undefined ? {} : { finishedAt: job.finishedAt.toISOString() }),
      }
    },
  })
}
