/** The page at /docs and its files, each made and compressed when it is first asked for: few callers want them. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { type ConsoleFile, consoleFile } from './console-files.ts'

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
