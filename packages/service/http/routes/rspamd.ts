/**
 * Endpoints for Rspamd's clients, which the operator can turn on (TAMIS_RSPAMD_ENDPOINTS).
 * docs/integrations says which parts of Rspamd are here and which are not.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerOf } from '../../access/caller.ts'
import { judge } from '../../judge.ts'
import { spamOrHam } from '../../users/correction.ts'
import { asTamisError, errorAnswer, sendError } from '../error-handler.ts'
import { invalidHeader } from '../field-errors.ts'
import { asciiHeaderValue } from '../header-value.ts'
import type { Route, Services } from '../route.ts'
import { rspamdAnswer } from '../rspamd-answer.ts'
import { rspamdMetadata, withRspamdMessage } from '../rspamd-request.ts'
import { serve } from '../serve-routes.ts'
import { correct } from './feedback.ts'

/** Rspamd's status for a message that it has already learned; its clients take it for a success. */
const ALREADY_LEARNED = 208

/** Needs a separate `app`: the form of errors and the accepted bodies are only for these routes. */
export function serveRspamd(app: FastifyInstance, userOf: string, services: Services): void {
  // Clients send text/plain, a type of their own, or none.
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))

  app.setErrorHandler((error, request, reply) => {
    // rspamc shows only the reason phrase of an error and not its body.
    const { body } = errorAnswer(asTamisError(error))
    reply.raw.statusMessage = asciiHeaderValue(String(body['error']))
    sendError(error, request, reply)
  })

  for (const route of routesOf(userOf)) serve(app, route, services)
}

function routesOf(userOf: string): Route[] {
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
      // rspamd_proxy sends this request with a body.
      method: ['GET', 'POST'],
      path: '/checkv2',
      scope: 'classify',
      passwordHeader: true,
      handler: async (request, { classifier }, reply) => {
        const metadata = rspamdMetadata(request, userOf)
        const judged = await withRspamdMessage(request, reply, metadata, (incoming) =>
          judge(classifier, callerOf(request), { ...incoming, want: 'reasons' }),
        )
        return json(reply, rspamdAnswer(judged))
      },
    },
    ...['spam', 'ham'].map(
      (label): Route => ({
        method: 'POST',
        path: `/learn${label}`,
        scope: 'feedback',
        entitlement: 'spam',
        passwordHeader: true,
        handler: (request, services, reply) =>
          learn(services, request, reply, { isSpam: label === 'spam', userOf }),
      }),
    ),
  ]
}

async function learn(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  { isSpam, userOf }: { readonly isSpam: boolean; readonly userOf: string },
) {
  const metadata = rspamdMetadata(request, userOf)
  const { userId } = metadata
  // Rspamd would learn for everybody; here a correction belongs to its user.
  if (userId === undefined) {
    const fault = 'must name exactly one user, who makes the correction (rspamc -d)'
    throw invalidHeader('Deliver-To', fault)
  }
  const { status } = await withRspamdMessage(request, reply, metadata, (incoming) =>
    correct(services, callerOf(request), incoming, { userId, ...spamOrHam(isSpam) }),
  )
  if (status !== 'already_recorded') return json(reply, { success: true })
  reply.code(ALREADY_LEARNED)
  const error = `This user has already made this correction (${isSpam ? 'spam' : 'ham'})`
  return json(reply, { error })
}

/** Sends bytes, because Fastify does not change their type: with a charset after it rspamd_proxy does not read the JSON, and defers the message. */
function json(reply: FastifyReply, answer: object): FastifyReply {
  return reply.type('application/json').send(Buffer.from(JSON.stringify(answer)))
}
