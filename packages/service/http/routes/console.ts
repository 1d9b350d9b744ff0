/** Serves the console at `/`: static files, open to everybody. The console asks for its data with a key. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { TamisError } from '../../../mail/errors.ts'
import type { ConsoleFile } from '../console-files.ts'
import type { Route } from '../route.ts'

/**
 * The policy allows nothing from other hosts, nothing inline, and no frame around the page. Messages
 * are shown as text; if one were taken for markup all the same, its scripts, styles, images and forms
 * would have no effect.
 */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  vary: 'accept-encoding',
}

const FOR_EVER = 'public, max-age=31536000, immutable'

/** This route is not part of the API, and so not of its document. */
export function consoleRoutes(files: readonly ConsoleFile[]): Route[] {
  const routes = files.map((file) =>
    openRoute(file.path, (request, reply) => send(request, reply, file)),
  )
  if (files.some(({ path }) => path === '/')) return routes
  return [...routes, openRoute('/', notBuilt)]
}

function openRoute(
  path: string,
  answer: (request: FastifyRequest, reply: FastifyReply) => void,
): Route {
  return {
    method: 'GET',
    path,
    scope: 'none',
    rateLimited: false,
    handler: (request, _services, reply) => {
      answer(request, reply)
      return reply
    },
  }
}

/** @throws TamisError PATH_UNKNOWN */
function notBuilt(): never {
  throw new TamisError(
    'PATH_UNKNOWN',
    'The console is not built. Run npm run build:console and restart the service',
  )
}

function send(request: FastifyRequest, reply: FastifyReply, file: ConsoleFile): void {
  const { type, bytes, gzip, tag, immutable } = file
  reply.headers({ ...HEADERS, etag: tag, 'cache-control': immutable ? FOR_EVER : 'no-cache' })
  if (request.headers['if-none-match'] === tag) {
    void reply.code(304).send()
    return
  }
  reply.type(type)
  if (gzip !== undefined && takesGzip(request)) {
    void reply.header('content-encoding', 'gzip').send(gzip)
    return
  }
  void reply.send(bytes)
}

/** All browsers write it this way; a client that writes `gzip;q=0` does not want it (RFC 9110 §12.5.3). */
function takesGzip({ headers }: FastifyRequest): boolean {
  const accepted = String(headers['accept-encoding'] ?? '').slice(0, 200)
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(accepted)
}
