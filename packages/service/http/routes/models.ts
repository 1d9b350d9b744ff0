/** What a tenant's corrections have taught: versions, forward and back. */
import type { FastifyInstance } from 'fastify'
import { readModelCards } from '../../../artifact-files/artifact-files.ts'
import { callerOf } from '../../access/caller.ts'
import { terms } from '../../access/route-terms.ts'
import type { Classifier } from '../classification.ts'
import { ErrorResult, ModelCards, ModelsResult, ModelVersion } from '../schemas.ts'

const ERRORS = { '4xx': ErrorResult, '5xx': ErrorResult } as const

export function modelRoutes(
  app: FastifyInstance,
  classifier: Pick<Classifier, 'artifacts' | 'taught' | 'modelsVersion'>,
): void {
  const { taught } = classifier
  app.get('/models', {
    config: terms({ scope: 'admin' }),
    schema: {
      summary: 'The shipped models, and the versions learned from corrections',
      response: { 200: ModelsResult, ...ERRORS },
    },
    handler: async (request) => {
      const { tenant } = callerOf(request)
      const versions = await taught.versions(tenant)
      return {
        base: classifier.modelsVersion,
        learning: taught.progress(tenant),
        versions: versions.map(({ version, state, baseVersion, createdAt, metrics }) => ({
          version,
          state,
          base: baseVersion,
          createdAt: createdAt.toISOString(),
          metrics,
        })),
      }
    },
  })
  app.get('/models/cards', {
    config: terms({ scope: 'admin' }),
    schema: {
      summary: 'What each model at work is, how it was made, and what it fails on',
      response: { 200: ModelCards, ...ERRORS },
    },
    handler: async () => ({ models: await readModelCards(classifier.artifacts) }),
  })
  app.post('/models/promote', {
    config: terms({ scope: 'admin' }),
    schema: {
      summary: 'Puts to work what has been learned until now, also after a rollback',
      response: { 200: ModelVersion, ...ERRORS },
    },
    handler: async (request) => ({ version: await taught.promote(callerOf(request).tenant) }),
  })
  app.post('/models/rollback', {
    config: terms({ scope: 'admin' }),
    schema: {
      summary: 'Goes back to the version before; null stands for the shipped models alone',
      response: { 200: ModelVersion, ...ERRORS },
    },
    handler: async (request) => ({
      version: (await taught.rollback(callerOf(request).tenant)) ?? null,
    }),
  })
}
