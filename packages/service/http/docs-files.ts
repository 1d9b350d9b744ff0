/**
 * The files of the page for people at /docs: Swagger UI, and the script that shows the OpenAPI document in
 * it (docs/decisions/0021-docs-page.md). Few callers want them, so each is read and compressed when it is first
 * asked for.
 */
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { type ConsoleFile, consoleFile } from './console-files.ts'

/** The pages of the console, as its own header has them (packages/console/app.tsx). */
const PAGES = ['Try', 'History', 'Live', 'Users', 'Rules', 'Models', 'Settings']

/** The rings of holes of the mark (packages/console/ui/parts.tsx): radius, holes, size. */
const RINGS = [
  [0, 1, 2.3],
  [6, 6, 1.7],
  [10.6, 12, 1.15],
] as const

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="The HTTP API of Tamis: every route, to read and to try">
<title>API · Tamis</title>
<link rel="icon" href="./icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="./docs/swagger-ui.css">
<link rel="stylesheet" href="./header.css">
<script defer src="./docs/swagger-ui-bundle.js"></script>
<script type="module" src="./docs/show-document.js"></script>
</head>
<body>
<header class="top">
<a class="brand" href="./#/try"><svg class="sieve" viewBox="0 0 32 32" aria-hidden="true">${sieve()}</svg> Tamis</a>
<nav aria-label="Pages">${PAGES.map((page) => `<a href="./#/${page.toLowerCase()}">${page}</a>`).join('')}</nav>
<div class="top-end"><a class="ghost" href="./docs" aria-current="page">API</a></div>
</header>
<main id="document"></main>
<noscript>This page needs JavaScript. <a href="./openapi.json">openapi.json</a> has the same for programs.</noscript>
</body>
</html>
`

function sieve(): string {
  const holes = RINGS.flatMap(([radius, count, size]) =>
    Array.from({ length: count }, (_, i) => {
      const angle = (2 * Math.PI * i) / count
      const [x, y] = [16 + radius * Math.cos(angle), 16 + radius * Math.sin(angle)]
      return `<circle cx="${x.toFixed(2)}" cy="${y.toFixed(2)}" r="${size}"/>`
    }),
  )
  return ['<circle cx="16" cy="16" r="14.4" class="rim"/>', ...holes].join('')
}

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
