/**
 * Who may import whom: each stage knows only earlier ones. Reads the import lines of src/ and
 * holds them against the table in packages/README.md's order.
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, it } from 'node:test'

const SRC = join(import.meta.dirname, '../src')

/** The stages from bytes to verdict, in order; each may import itself and those before it. */
const JOURNEY = [
  'message',
  'urls',
  'signals',
  'features',
  'embedding',
  'models',
  'personalization',
  'verdict',
]

/** What each other place may import beside itself. `classify.ts` and its like stand in '.'. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'classify.ts': JOURNEY,
  'data-folder.ts': [],
  'end-signals.ts': [],
  'errors.ts': [],
  'exit-status.ts': [],
  'start.ts': ['main.ts', 'v8-flags.ts'],
  'v8-flags.ts': [],
  'worker-module.ts': [],
  'config.ts': [...JOURNEY, 'feeds'],
  'main.ts': [
    ...JOURNEY,
    'config.ts',
    'classify.ts',
    'data-folder.ts',
    'end-signals.ts',
    'exit-status.ts',
    'admission',
    'authentication',
    'reload.ts',
    'corrections',
    'feeds',
    'http',
    'learning',
    'storage',
  ],
  'reload.ts': [...JOURNEY, 'config.ts', 'admission', 'authentication', 'feeds', 'http', 'storage'],
  learning: JOURNEY,
  corrections: [...JOURNEY, 'learning', 'storage'],
  storage: JOURNEY,
  authentication: [...JOURNEY, 'admission'],
  feeds: JOURNEY,
  admission: [...JOURNEY, 'classify.ts', 'learning'],
  http: [
    ...JOURNEY,
    'classify.ts',
    'admission',
    'authentication',
    'corrections',
    'feeds',
    'storage',
  ],
  client: ['http'],
  integrations: ['admission', 'client', 'http'],
  // What crosses the network is JSON: of the service the console has types and names, no code that runs there.
  web: ['client', 'signals', 'models', 'verdict'],
  training: [...JOURNEY],
  evaluation: [...JOURNEY, 'classify.ts', 'learning', 'storage', 'training'],
  cli: [
    ...JOURNEY,
    'classify.ts',
    'client',
    'config.ts',
    'end-signals.ts',
    'exit-status.ts',
    'start.ts',
    'corrections',
    'feeds',
    'http',
    'integrations',
    'learning',
    'storage',
    'training',
    'evaluation',
  ],
}

/** Modules of Node that reach the world outside: none of them on the journey. */
const OUTSIDE = /^node:(fs|net|http|https|dns|tls|dgram|child_process|worker_threads|os|process)/

interface Import {
  readonly file: string
  readonly specifier: string
}

const imports = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .flatMap((file) => importsOf(file))

function importsOf(file: string): Import[] {
  const text = readFileSync(join(SRC, file), 'utf8')
  return [...text.matchAll(/^(?:import|export)\b[^'"]*?from '([^']+)'|^import '([^']+)'/gm)].map(
    (match) => ({ file, specifier: match[1] ?? match[2]! }),
  )
}

/** The folder under src/, or the file's own name for one that stands in src/ itself. */
function placeOf(path: string): string {
  return path.split('/')[0]!
}

function allowedFrom(place: string): readonly string[] {
  const stage = JOURNEY.indexOf(place)
  const others = stage >= 0 ? JOURNEY.slice(0, stage) : MAY_IMPORT[place]
  assert.ok(others !== undefined, `src/${place} has no row in the table`)
  return [place, 'errors.ts', 'worker-module.ts', ...others]
}

describe('architecture', () => {
  it('lets each stage import only earlier ones', () => {
    const wrong = imports.filter(({ file, specifier }) => {
      // '?raw' and '?url' are contents and addresses, not modules.
      if (!specifier.startsWith('.') || specifier.includes('?')) return false
      const target = placeOf(relative(SRC, join(SRC, dirname(file), specifier)))
      return !allowedFrom(placeOf(file)).includes(target)
    })
    assert.deepEqual(wrong, [])
  })

  it('keeps disk, network, clock and environment out of the journey', () => {
    const onJourney = (file: string) => JOURNEY.includes(placeOf(file)) || file === 'classify.ts'
    assert.deepEqual(
      imports.filter(({ file, specifier }) => onJourney(file) && OUTSIDE.test(specifier)),
      [],
    )
    const impure = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && onJourney(file))
      .filter((file) =>
        /\bDate\.now\(|new Date\(\)|\bperformance\.|process\.(env|cpuUsage|hrtime)|Math\.random/.test(
          readFileSync(join(SRC, file), 'utf8'),
        ),
      )
    assert.deepEqual(impure, [])
  })

  it('gives the client types of the service and none of its code', () => {
    const loaded = readdirSync(join(SRC, 'client'))
      .flatMap((file) => readFileSync(join(SRC, 'client', file), 'utf8').split('\n'))
      .filter(
        (line) => /^(import|export|\}).* from '/.test(line) && !/from '\.\/[\w-]+\.ts'/.test(line),
      )
      .filter((line) => !line.startsWith('import type'))
    assert.deepEqual(loaded, [])
  })

  it('reads the environment in config.ts, main.ts, start.ts and cli/ only', () => {
    const readers = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .filter((file) => readFileSync(join(SRC, file), 'utf8').includes('process.env'))
      .filter(
        (file) => !['config.ts', 'main.ts', 'start.ts'].includes(file) && placeOf(file) !== 'cli',
      )
    assert.deepEqual(readers, [])
  })

  it('exports by name only', () => {
    const defaults = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .filter((file) => /^export default/m.test(readFileSync(join(SRC, file), 'utf8')))
    assert.deepEqual(defaults, [])
  })
})
