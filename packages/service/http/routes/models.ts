/** Routes for the models: their versions, promotion and rollback. */

import { LEARNING_MODES } from '../../../mail/learning/learn.ts'
import { Type } from '../../json-schema.ts'
import { MODEL_STATES } from '../../learned-models/model-version.ts'
import { ok, operation } from '../route.ts'
import { CLOSED, Component, Integer, ListOf, NameOf, OrNull, Text, Time } from '../schemas.ts'

const ModelsResult = Component('ModelsResult', {
  base: Text('Version of the shipped models'),
  learning: Type.Object(
    {
      mode: NameOf(LEARNING_MODES, 'TAMIS_LEARNING: what changes the shared model'),
      promoted: Integer('How often a step of learning was taken'),
      refused: Integer(
        'How often it was refused, because it made verdicts on the canary set (docs/corrections.md) worse',
      ),
    },
    {
      ...CLOSED,
      description: 'Counts of the last run of learning, over the whole log of corrections',
    },
  ),
  versions: ListOf('Newest first', {
    version: Type.Integer(),
    state: NameOf(MODEL_STATES),
    base: Type.String(),
    createdAt: Time(),
    metrics: Type.Object({}, { additionalProperties: true }),
  }),
})

const ModelVersion = Component('ModelVersion', {
  version: OrNull(Type.Integer(), 'In use from now on'),
})

export const MODELS = [
  operation({
    method: 'GET',
    path: '/models',
    scope: 'admin',
    operationId: 'models',
    tag: 'Models',
    summary: 'The shipped models, and the versions learned from corrections',
    description: 'The shipped models and the versions learned from corrections, newest first.',
    answers: ok('The models', ModelsResult),
    handler: async (_request, { classifier: { learned, modelsVersion } }) => {
      const versions = await learned.versions()
      const { mode, promoted, refused } = await learned.progress()
      return {
        base: modelsVersion,
        learning: { mode, promoted, refused },
        versions: versions.map(({ version, state, baseVersion, createdAt, metrics }) => ({
          version,
          state,
          base: baseVersion,
          createdAt: createdAt.toISOString(),
          metrics,
        })),
      }
    },
  }),
  operation({
    method: 'POST',
    path: '/models/promote',
    scope: 'admin',
    operationId: 'promoteModels',
    tag: 'Models',
    summary: 'Puts into use the newest version, even after a rollback',
    description:
      'Corrections since are learned from soon. Null means that nothing has been learned yet.',
    answers: ok('In use now', ModelVersion),
    handler: async (_request, { classifier }) => ({
      version: (await classifier.learned.promote()) ?? null,
    }),
  }),
  operation({
    method: 'POST',
    path: '/models/rollback',
    scope: 'admin',
    operationId: 'rollbackModels',
    tag: 'Models',
    summary: 'Returns to the previous version; null means only the shipped models',
    description: 'The version in use now is rejected.',
    answers: ok('In use now', ModelVersion),
    handler: async (_request, { classifier }) => ({
      version: (await classifier.learned.rollback()) ?? null,
    }),
  }),
]
