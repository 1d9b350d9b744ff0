/**
 * The files of the page for people at /docs: Swagger UI, and the script that shows the OpenAPI document in
 * it (docs/decisions/0021-docs-page.md). Few callers want them, so each is read and compressed when it is first
 * asked for.
 */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type ConsoleFile, consoleFile } from './console-files.ts'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="The HTTP API of Tamis: every route, to read and to try">
<title>API · Tamis</title>
<link rel="icon" href="./icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="./docs/swagger-ui.css">
<script defer src="./docs/swagger-ui-bundle.js"></script>
<script type="module" src="./docs/show-document.js"></script>
</head>
<body>
<nav class="swagger-ui wrapper"><a class="link" href="./">Console</a></nav>
<main id="document"></main>
<noscript>This page needs JavaScript. <a href="./openapi.json">openapi.json</a> has the same for programs.</noscript>
</body>
</html>
`

interface DocsFile {
  /** The path on the server. */
  readonly path: string
  readonly read: () => Promise<ConsoleFile>
}

export const DOCS_FILES: readonly DocsFile[] = [
  readOnce('/docs', async () => Buffer.from(PAGE)),
  readOnce('/docs/show-document.js', () => read('./openapi/show-document.js')),
  readOnce('/docs/swagger-ui-bundle.js', () => read('swagger-ui-dist/swagger-ui-bundle.js')),
  readOnce('/docs/swagger-ui.css', () => read('swagger-ui-dist/swagger-ui.css')),
]

function read(module: string): Promise<Buffer> {
  return readFile(new URL(import.meta.resolve(module)))
}

function readOnce(path: string, content: () => Promise<Buffer>): DocsFile {
  const compressed = async () => {
    const bytes = await content()
    return consoleFile(path, bytes, await promisify(gzip)(bytes))
  }
  let file: Promise<ConsoleFile> | undefined
  return {
    path,
    read: () => {
      file ??= compressed()
      return file
    },
  }
}
