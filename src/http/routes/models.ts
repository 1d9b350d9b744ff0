/** What a tenant's corrections have taught: versions, forward and back. */
import type { FastifyInstance } from 'fastify'
import { readModelCards } from '../../storage/artifact-files.ts'
import { callerOf } from '../caller.ts'
import type { Classifier } from '../classification.ts'
import { ErrorResult, ModelCards, ModelsResult, ModelVersion } from '../schemas.ts'

const ERRORS = { '4xx': ErrorResult, '5xx': ErrorResult } as const

export function modelRoutes(
  app: FastifyInstance,
  classifier: Pick<Classifier, 'artifacts' | 'taught' | 'modelsVersion'>,
): void {
  const { taught } = classifier
  app.get('/models', {
    schema: {
      summary: 'The shipped models, and the versions learned from corrections',
      response: { 200: ModelsResult, ...ERRORS },
    },
    handler: async (request) => {
      const versions = await taught.versions(callerOf(request).tenant)
      return {
        base: classifier.modelsVersion,
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
    schema: {
      summary: 'What each model at work is, how it was made, and what it fails on',
      response: { 200: ModelCards, ...ERRORS },
    },
    handler: async () => ({ models: await readModelCards(classifier.artifacts) }),
  })
  app.post('/models/promote', {
    schema: {
      summary: 'Puts to work what has been learned until now, also after a rollback',
      response: { 200: ModelVersion, ...ERRORS },
    },
    handler: async (request) => ({ version: await taught.promote(callerOf(request).tenant) }),
  })
  app.post('/models/rollback', {
    schema: {
      summary: 'Goes back to the version before; null stands for the shipped models alone',
      response: { 200: ModelVersion, ...ERRORS },
    },
    handler: async (request) => ({
      version: (await taught.rollback(callerOf(request).tenant)) ?? null,
    }),
  })
}
