/** Serves the console at `/`, and the page at /docs: static files, open to everybody. They ask for data with a key. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { TamisError } from '../../../errors/errors.ts'
import type { ConsoleFile, DocsFile } from '../console-files.ts'
import type { Route } from '../route.ts'

/**
 * The headers of pages: the console and /docs. The policy allows nothing from other hosts,
 * nothing inline, and no frame around the page. Messages and answers are shown as text; if one were
 * taken for markup all the same, its scripts, styles, images and forms would have no effect.
 */
export const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const

/**
 * A file of more bytes is sent compressed also to a client that does not say what it takes, which RFC 9110 §12.5.3 allows:
 * the kernel copies it for each who asks, and 1.4 MB for 120 of them is 40 ms in which others wait. Only the script
 * of Swagger UI is as large.
 */
const PLAIN_BYTES_MAX = 512 * 1024

const FOR_EVER = 'public, max-age=31536000, immutable'

/** The routes of the console, and of the page at /docs. They are not part of the API, and so not of its document. */
export function consoleRoutes(files: readonly ConsoleFile[], docs: readonly DocsFile[]): Route[] {
  const routes = [
    ...docs.map(({ path, read }) => fileRoute(path, read)),
    ...files.map((file) => fileRoute(file.path, () => file)),
  ]
  return files.some(({ path }) => path === '/') ? routes : [...routes, fileRoute('/', notBuilt)]
}

function fileRoute(path: string, file: () => ConsoleFile | Promise<ConsoleFile>): Route {
  return {
    method: 'GET',
    path,
    scope: 'none',
    rateLimited: false,
    handler: async (request, _services, reply) => {
      send(request, reply, await file())
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
  reply.headers({
    ...PAGE_HEADERS,
    vary: 'accept-encoding',
    etag: tag,
    'cache-control': immutable ? FOR_EVER : 'no-cache',
  })
  if (request.headers['if-none-match'] === tag) {
    void reply.code(304).send()
    return
  }
  reply.type(type)
  if (gzip !== undefined && takesGzip(request, bytes.length > PLAIN_BYTES_MAX)) {
    void reply.header('content-encoding', 'gzip').send(gzip)
    return
  }
  void reply.send(bytes)
}

/**
 * All browsers write it this way; a client that writes `gzip;q=0` does not want it (RFC 9110 §12.5.3).
 *
 * @param unsaid the assumption for a client that does not say.
 */
function takesGzip({ headers }: FastifyRequest, unsaid: boolean): boolean {
  if (headers['accept-encoding'] === undefined) return unsaid
  const accepted = String(headers['accept-encoding']).slice(0, 200)
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(accepted)
}
