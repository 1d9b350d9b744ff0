/**
 * The console's files as `npm run build:console` makes them. They are few,
 * so they are read once, when the service starts. Each is also kept compressed. Those of /docs are made when they are first asked for.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

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
export function docsFiles(documentServer: () => Promise<FastifyInstance>): DocsFile[] {
  return PATHS.map((path) => {
    let file: Promise<ConsoleFile> | undefined
    const read = async () => {
      const { rawPayload: bytes, headers } = await (await documentServer()).inject(path)
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
