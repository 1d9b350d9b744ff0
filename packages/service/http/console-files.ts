/**
 * The files of the console, as `npm run build:console` makes them, and of the page at /docs. Each is read and compressed when it
 * is first asked for, and kept.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { TamisError } from '../../errors/errors.ts'
import type { Route } from './route.ts'

/** The path is the same from the sources and from the compiled files. */
const FOLDER = join(import.meta.dirname, '../../console/dist')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

const DOCS = [
  '/docs',
  '/docs/json',
  ...[
    'favicon-16x16.png',
    'favicon-32x32.png',
    'index.css',
    'swagger-initializer.js',
    'swagger-ui-bundle.js',
    'swagger-ui-standalone-preset.js',
    'swagger-ui.css',
  ].map((name) => `/docs/static/${name}`),
]

/** The routes of all files. They are not part of the API, and so not of its document. */
export function fileRoutes(docsServer: () => Promise<FastifyInstance>): Route[] {
  const isBuilt = existsSync(FOLDER)
  const names = isBuilt ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }) : []
  return [
    ...names
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => extname(name) in TYPES)
      .map((name) =>
        fileRoute(name === 'index.html' ? '/' : `/${name}`, () => readFile(join(FOLDER, name))),
      ),
    ...DOCS.map((path) =>
      fileRoute(path, async () => (await (await docsServer()).inject(path)).rawPayload),
    ),
    ...(isBuilt ? [] : [fileRoute('/', notBuilt)]),
  ]
}

/** @throws TamisError PATH_UNKNOWN */
function notBuilt(): never {
  throw new TamisError(
    'PATH_UNKNOWN',
    'The console is not built. Run npm run build:console and restart the service',
  )
}

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

const FOR_EVER = 'public, max-age=31536000, immutable'

interface Content {
  readonly bytes: Buffer
  readonly packed: Buffer
  /** A weak entity tag, since it stands for the compressed form too (RFC 9110 §8.8.3). */
  readonly tag: string
}

function fileRoute(path: string, read: () => Promise<Buffer>): Route {
  let content: Promise<Content> | undefined
  const load = async (): Promise<Content> => {
    const bytes = await read()
    const hash = createHash('sha256').update(bytes).digest('base64url')
    return { bytes, packed: await promisify(gzip)(bytes), tag: `W/"${hash.slice(0, 22)}"` }
  }
  return {
    method: 'GET',
    path,
    scope: 'none',
    rateLimited: false,
    handler: async (request, _services, reply) => {
      content ??= load()
      return send(request, reply, path, await content)
    },
  }
}

function send(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  path: string,
  { bytes, packed, tag }: Content,
): FastifyReply {
  reply.headers({
    ...PAGE_HEADERS,
    vary: 'accept-encoding',
    etag: tag,
    // The names of assets change with their content.
    'cache-control': path.startsWith('/assets/') ? FOR_EVER : 'no-cache',
  })
  if (headers['if-none-match'] === tag) return reply.code(304).send()
  reply.type(path === '/docs/json' ? TYPES['.json']! : TYPES[extname(path) || '.html']!)
  // All browsers write it this way; a client that writes `gzip;q=0` does not want it (RFC 9110 §12.5.3).
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(`${headers['accept-encoding']}`)
  if (!takesGzip || packed.length >= bytes.length) return reply.send(bytes)
  return reply.header('content-encoding', 'gzip').send(packed)
}
