/** The route for background jobs: how far the rebuilding of the models after a deletion is. */

import { Type } from 'typebox'
import { TamisError } from '../../../errors/errors.ts'
import { callerOf } from '../../access/caller.ts'
import { JOB_STATES } from '../../users/job.ts'
import { CREATED_AT, JOB_ID } from '../openapi/examples.ts'
import { ok, operation } from '../route.ts'
import { Component, NameOf, Text, Time } from '../schemas.ts'

const JobParams = Type.Object({ jobId: Type.String({ minLength: 1, maxLength: 64 }) })

const JobResult = Component('JobResult', {
  jobId: Type.String(),
  kind: Text('`rebuild`: the models, without a user who left'),
  state: NameOf(JOB_STATES),
  createdAt: Time(),
  finishedAt: Type.Optional(Time()),
})

export const JOBS = [
  operation({
    method: 'GET',
    path: '/jobs/:jobId',
    scope: 'feedback',
    operationId: 'job',
    tag: 'Users',
    summary: 'State of a background job',
    description: 'State of the rebuild after a deletion.',
    params: JobParams,
    example: { params: { jobId: JOB_ID } },
    answers: ok('The job', JobResult, {
      jobId: JOB_ID,
      kind: 'rebuild',
      state: 'done',
      createdAt: CREATED_AT,
      finishedAt: '2026-11-21T19:10:04.027Z',
    }),
    errors: ['NOT_FOUND', 'STORE_UNAVAILABLE'],
    handler: async (request, { jobs }) => {
      const job = await jobs.jobById(request.params.jobId)
      if (job === undefined || job.namespace !== callerOf(request).namespace)
        throw new TamisError('NOT_FOUND', 'There is no such job')
      return {
        jobId: job.id,
        kind: job.kind,
        state: job.state,
        createdAt: job.createdAt.toISOString(),
        ...(job.finishedAt === undefined ? {} : { finishedAt: job.finishedAt.toISOString() }),
      }
    },
  }),
]
