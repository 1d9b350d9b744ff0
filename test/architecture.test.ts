/**
 * Who may import whom: between packages, and within `mail` each stage knows only earlier ones; and
 * no files import one another in a circle, types included: what two share stands below both.
 * Reads the import lines of packages/ and holds them against the tables below.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, it } from 'node:test'
import { wordsOf } from './words.ts'

const PACKAGES = join(import.meta.dirname, '../packages')

/** What each package may import besides itself, types included. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  mail: ['errors'],
  encoder: ['errors'],
  client: [],
  'artifact-files': ['mail', 'errors'],
  terminal: ['errors', 'client'],
  service: ['mail', 'encoder', 'errors', 'artifact-files', 'terminal', 'client'],
  lab: ['mail', 'encoder', 'errors', 'artifact-files', 'terminal'],
  // Names of classes, which are data; no code of the service.
  console: ['mail', 'client'],
}

/** Stages of `mail` from bytes to verdict, in order; each may import itself and those before it. */
const JOURNEY = wordsOf(`
  message urls knowledge signals features embedding models personalization operator-rules verdict
`)

/** What is no stage: files that every stage may import, and what may import every stage. */
const BELOW_JOURNEY = ['data-table.ts', 'errors.ts', 'manifest.ts', 'module-beside.ts']
const ABOVE_JOURNEY = ['analyse.ts', 'learning']

/** Rooms whose types the store keeps; of the store they know what it can be asked. */
const ABOVE_STORE = ['access', 'history', 'learned-models', 'users']

/** Modules of Node that reach the world outside: none of them in `mail`, but for the tables of its package, read once at import. */
const OUTSIDE = /^node:(fs|net|http|https|dns|tls|dgram|child_process|worker_threads|os|process)/

interface Import {
  /** Path from packages/. */
  readonly file: string
  readonly specifier: string
  readonly isType: boolean
}

const files = globSync('**/*.{ts,tsx}', { cwd: PACKAGES })
  .filter((file) => !/(?:^|\/)(?:test|dist|node_modules)\//.test(file))
  .sort()

const imports = files.flatMap(importsOf)

function importsOf(file: string): Import[] {
  const text = readFileSync(join(PACKAGES, file), 'utf8')
  return [
    ...text.matchAll(/^(?:import|export)\b( type)?[^'"]*?from '([^']+)'|^import '([^']+)'/gm),
  ].map(([, type, from, bare]) => ({
    file,
    specifier: from ?? bare!,
    isType: type !== undefined,
  }))
}

function packageOf(file: string): string {
  return file.split('/')[0]!
}

/** The folder in the package, or the file's own name for a file beside the folders. */
function roomOf(file: string): string {
  return file.split('/')[1]!
}

/**
 * The file that is imported, from packages/; undefined for a library, for contents and addresses
 * ('?raw', '?url'), and for the helpers with which tests and benchmarks start a service.
 */
function targetOf({ file, specifier }: Import): string | undefined {
  if (!specifier.startsWith('.') || specifier.includes('?')) return undefined
  const target = normalize(join(dirname(file), specifier))
  const isHelper = file.startsWith('lab/benchmarks/') && target.startsWith('service/test/')
  return isHelper ? undefined : target
}

function textOf(file: string): string {
  return readFileSync(join(PACKAGES, file), 'utf8')
}

/**
 * Files in circles, and those that only stand between two circles. Left when again and again every
 * file is taken out that imports none of the rest, or that none of the rest imports.
 */
function filesInCircles(edges: readonly (readonly [from: string, to: string])[]): string[] {
  const from = new Set(edges.map(([file]) => file))
  const to = new Set(edges.map(([, file]) => file))
  const rest = edges.filter((edge) => edge.every((file) => from.has(file) && to.has(file)))
  return rest.length === edges.length ? [...from] : filesInCircles(rest)
}

describe('architecture', () => {
  it('lets no package import one that it is not to know', () => {
    const wrong = imports.filter((each) => {
      const target = targetOf(each)
      const own = packageOf(each.file)
      if (target === undefined || packageOf(target) === own) return false
      return !MAY_IMPORT[own]?.includes(packageOf(target))
    })
    assert.deepEqual(wrong, [])
  })

  it('lets no files import one another in a circle, types included', () => {
    const edges = imports.flatMap((each) => {
      const target = targetOf(each)
      return target === undefined ? [] : [[each.file, target] as const]
    })
    assert.deepEqual(filesInCircles(edges), [])
  })

  it('lets each stage of mail import only earlier ones', () => {
    const mayImport = (room: string) => {
      const stage = JOURNEY.indexOf(room)
      const others =
        stage >= 0 ? JOURNEY.slice(0, stage) : ABOVE_JOURNEY.includes(room) ? JOURNEY : []
      return [room, ...BELOW_JOURNEY, ...others]
    }
    const stray = imports.filter((each) => {
      const target = targetOf(each) ?? ''
      const isWithin = packageOf(each.file) === 'mail' && packageOf(target) === 'mail'
      return isWithin && !mayImport(roomOf(each.file)).includes(roomOf(target))
    })
    assert.deepEqual(stray, [])
  })

  it('gives what stands on the store its types alone: it knows no database', () => {
    const running = imports.filter((each) => {
      const target = targetOf(each)
      const isAbove = packageOf(each.file) === 'service' && ABOVE_STORE.includes(roomOf(each.file))
      return isAbove && !each.isType && target?.startsWith('service/store/')
    })
    assert.deepEqual(running, [])
  })

  it('keeps disk, network, clock and environment out of mail', () => {
    assert.deepEqual(
      imports.filter(
        ({ file, specifier }) =>
          packageOf(file) === 'mail' && OUTSIDE.test(specifier) && file !== 'mail/data-table.ts',
      ),
      [],
    )
    const impure = files.filter(
      (file) =>
        packageOf(file) === 'mail' &&
        /\bDate\.now\(|new Date\(\)|\bperformance\.|process\.(env|cpuUsage|hrtime)|Math\.random/.test(
          textOf(file),
        ),
    )
    assert.deepEqual(impure, [])
  })

  it('reads the environment in config.ts, start.ts and cli/ only', () => {
    const readers = files
      .filter((file) => packageOf(file) === 'service' && textOf(file).includes('process.env'))
      .filter((file) => !['config.ts', 'start.ts', 'cli'].includes(roomOf(file)))
    assert.deepEqual(readers, [])
  })

  it('exports by name only', () => {
    assert.deepEqual(
      files.filter((file) => /^export default/m.test(textOf(file))),
      [],
    )
  })
})
