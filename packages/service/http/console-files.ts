/**
 * The console's files as `npm run build:console` makes them. They are few,
 * so they are read once, when the service starts. Each is also kept compressed. Those of /docs are made when they are first asked for.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
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
}

export interface ConsoleFile {
  /** The path on the server: '/', '/assets/index-B1x2.js'. */
  readonly path: string
  readonly type: string
  readonly bytes: Buffer
  /** The compressed file; absent if compressing saves nothing. */
  readonly gzip?: Buffer
  /** A weak entity tag, since it stands for the compressed form too (RFC 9110 §8.8.3). */
  readonly tag: string
  /** True if its name changes with its content, so that clients may keep it for ever. */
  readonly immutable: boolean
}

/** All files of the console; none if it has not been built. */
export function readConsoleFiles(folder: string = FOLDER): ConsoleFile[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => extname(name) in TYPES)
    .map((name) => readConsoleFile(folder, name))
}

function readConsoleFile(folder: string, name: string): ConsoleFile {
  const file = join(folder, name)
  const gzip = existsSync(`${file}.gz`) ? readFileSync(`${file}.gz`) : undefined
  return consoleFile(name === 'index.html' ? '/' : `/${name}`, readFileSync(file), gzip)
}

/** The file at `path`, whose name says of which type it is: a page if it says nothing. */
export function consoleFile(path: string, bytes: Buffer, gzip?: Buffer): ConsoleFile {
  return {
    path,
    type: TYPES[extname(path) || '.html']!,
    bytes,
    ...(gzip && { gzip }),
    tag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    immutable: path.startsWith('/assets/'),
  }
}

const PATHS = [
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

export interface DocsFile {
  /** The path on the server. */
  readonly path: string
  readonly read: () => Promise<ConsoleFile>
}

/** The files, from the server that has them (openapi/document.ts). */
export function docsFiles(docsServer: () => Promise<FastifyInstance>): DocsFile[] {
  return PATHS.map((path) => {
    let file: Promise<ConsoleFile> | undefined
    const read = async () => {
      const { rawPayload: bytes, headers } = await (await docsServer()).inject(path)
      const file = consoleFile(path, bytes, await promisify(gzip)(bytes))
      return { ...file, type: String(headers['content-type']) }
    }
    return {
      path,
      read: () => {
        file ??= read()
        return file
      },
    }
  })
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
