/**
 * The console's files as `npm run build:console` makes them, and what it shows of signals. They are few,
 * so they are read once, when the service starts. Each is also kept compressed.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { SIGNALS } from '../../mail/signals/signals.ts'

/** The path is the same from the sources and from the compiled files. */
const FOLDER = join(import.meta.dirname, '../../console/dist')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
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

/** The frame of the reference, which is served at `/docs` with the reference in it. */
const REFERENCE_FRAME = 'docs.html'

/** The frame of the reference; undefined if the console has not been built. */
export function readReferenceFrame(folder: string = FOLDER): string | undefined {
  const file = join(folder, REFERENCE_FRAME)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** All files of the console but that frame; none if it has not been built. */
export function readConsoleFiles(folder: string = FOLDER): ConsoleFile[] {
  if (!existsSync(folder)) return []
  const built = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => extname(name) in TYPES && name !== REFERENCE_FRAME)
    .map((name) => readConsoleFile(folder, name))
  return [...built, signalsFile()]
}

/** What each signal says, by name: the page has none of the code that raises signals. */
function signalsFile(): ConsoleFile {
  const descriptions = Object.entries(SIGNALS).map(([name, { description }]) => [name, description])
  const bytes = Buffer.from(JSON.stringify(Object.fromEntries(descriptions)))
  return {
    path: '/signals.json',
    type: 'application/json; charset=utf-8',
    bytes,
    gzip: gzipSync(bytes),
    tag: tagOf(bytes),
    immutable: false,
  }
}

function readConsoleFile(folder: string, name: string): ConsoleFile {
  const file = join(folder, name)
  const bytes = readFileSync(file)
  return {
    path: name === 'index.html' ? '/' : `/${name}`,
    type: TYPES[extname(name)]!,
    bytes,
    ...(existsSync(`${file}.gz`) && { gzip: readFileSync(`${file}.gz`) }),
    tag: tagOf(bytes),
    immutable: name.startsWith('assets/'),
  }
}

function tagOf(bytes: Buffer): string {
  return `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}
