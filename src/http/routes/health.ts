/** For whoever keeps the service running: does the process live, and can it take messages? */
import type { FastifyInstance } from 'fastify'
import type { Analyser } from '../../admission/analyser.ts'
import { TamisError } from '../../errors.ts'
import { ErrorResult, Health, Ready } from '../schemas.ts'

export function healthRoutes(app: FastifyInstance, analyser: Analyser): void {
  app.get('/health', {
    schema: { summary: 'The process lives', response: { 200: Health } },
    handler: () => Promise.resolve({ status: 'ok' }),
  })
  app.get('/ready', {
    schema: {
      summary: 'Models are loaded and workers are up',
      response: { 200: Ready, '5xx': ErrorResult },
    },
    handler: () => {
      if (analyser.ready) return Promise.resolve({ status: 'ready' })
      throw new TamisError('NOT_READY', 'The service takes no messages now')
    },
  })
}
