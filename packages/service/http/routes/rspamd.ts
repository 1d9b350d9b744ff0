/**
 * Endpoints that speak like Rspamd, for its clients; only there when the operator wants them
 * (TAMIS_RSPAMD_ENDPOINTS). What of Rspamd is here and what is not: docs/integrations.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TamisError } from '../../../mail/errors.ts'
import { callerOf } from '../../access/caller.ts'
import { classifyWithReasons } from '../classification.ts'
import { asTamisError, errorAnswer, sendError } from '../error-handler.ts'
import { asciiHeaderValue } from '../header-value.ts'
import type { Route, Services } from '../route.ts'
import { type ActionFrom, rspamdAnswer } from '../rspamd-answer.ts'
import { rspamdMetadata, withRspamdMessage } from '../rspamd-request.ts'
import { serve } from '../serve-routes.ts'
import type { UserOf } from '../user-of.ts'
import { correctSpam } from './feedback.ts'

export interface RspamdSettings {
  readonly userOf: UserOf
  readonly actions: readonly ActionFrom[]
}

/** Rspamd's status for what it has learned before; its clients take it for a success. */
const ALREADY_LEARNED = 208

/** On an `app` of their own: what is said of errors, and which bodies are taken, is for them alone. */
export function serveRspamd(
  app: FastifyInstance,
  settings: RspamdSettings,
  services: Services,
): void {
  // Clients say text/plain, something of their own, or nothing.
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

  app.setErrorHandler((error, request, reply) => {
    // What rspamc shows of an error is the text beside the status, and no body.
    const { body } = errorAnswer(asTamisError(error))
    reply.raw.statusMessage = asciiHeaderValue(String(body['error']))
    sendError(error, request, reply)
  })

  for (const route of routesOf(settings)) serve(app, route, services)
}

function routesOf({ userOf, actions }: RspamdSettings): Route[] {
  const learning = { scope: 'feedback', entitlement: 'spam', passwordHeader: true } as const
  return [
    {
      method: 'GET',
      path: '/ping',
      scope: 'none',
      rateLimited: false,
      handler: (_request, _services, reply) => {
        void reply.type('text/plain').send('pong\r\n')
      },
    },
    {
      // With a body it is what rspamd_proxy sends.
      method: ['GET', 'POST'],
      path: '/checkv2',
      scope: 'classify',
      passwordHeader: true,
      judgesMail: true,
      handler: async (request, { classifier }, reply) => {
        const metadata = rspamdMetadata(request, userOf)
        const reasoned = await withRspamdMessage(request, reply, metadata, (incoming) =>
          classifyWithReasons(classifier, callerOf(request), incoming),
        )
        return json(reply, rspamdAnswer(reasoned, actions))
      },
    },
    {
      method: 'POST',
      path: '/learnspam',
      ...learning,
      handler: (request, services, reply) =>
        learn(services, request, reply, { isSpam: true, userOf }),
    },
    {
      method: 'POST',
      path: '/learnham',
      ...learning,
      handler: (request, services, reply) =>
        learn(services, request, reply, { isSpam: false, userOf }),
    },
  ]
}

async function learn(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { isSpam, userOf }: { readonly isSpam: boolean; readonly userOf: UserOf },
) {
  const metadata = rspamdMetadata(request, userOf)
  const { userId } = metadata
  if (userId === undefined) throw nobodyTeaches()
  const { status } = await withRspamdMessage(request, reply, metadata, (incoming) =>
    correctSpam(services, callerOf(request), userId, incoming, { isSpam, skipRule: false }),
  )
  if (status !== 'already_recorded') return json(reply, { success: true })
  reply.code(ALREADY_LEARNED)
  const error = `This user has called the message ${isSpam ? 'spam' : 'ham'} before`
  return json(reply, { error })
}

/** Bytes, of which Fastify leaves the type alone: with a charset after it rspamd_proxy reads no JSON, and has the message come again later. */
function json(reply: FastifyReply, answer: object): FastifyReply {
  return reply.type('application/json').send(Buffer.from(JSON.stringify(answer)))
}

/** Rspamd would teach everybody; here what a user says is that user's. */
function nobodyTeaches(): TamisError {
  return new TamisError(
    'HEADER_INVALID',
    'Deliver-To has to name the one user who teaches (rspamc -d)',
    { details: { header: 'Deliver-To' } },
  )
}
