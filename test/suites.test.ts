/**
 * `npm test` takes minutes at most and needs nothing but npm; what else a test may need stands in
 * files that are called `.system.test.ts`. Reads the imports of every test and of its helpers.
 */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'

const ROOT = join(import.meta.dirname, '..')

/** What only system tests import, and what it stands for. */
const OF_SYSTEM: readonly (readonly [imported: RegExp, what: string])[] = [
  [/^node:(child_process|cluster)$/, 'starts processes'],
  [/^playwright-core$/, 'opens a browser'],
  [/^packages\/service\/test\/helpers\/postgres\.ts$/, 'needs PostgreSQL'],
  [/^packages\/service\/test\/helpers\/onnxruntime\.ts$/, 'needs onnxruntime-node'],
  [/^packages\/mail\/test\/fuzz\/fuzz\.ts$/, 'fuzzes'],
  [/^packages\/lab\/benchmarks\/load\//, 'measures'],
]

/** Where the imports of a test are followed: what helps tests, and not what is tested. */
const HELPERS = /^test\/|^packages\/[^/]+\/test\//

const TESTS = ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts']
  .flatMap((glob) => globSync(glob, { cwd: ROOT }))
  .toSorted()

describe('npm test', () => {
  it('has tests, and npm run test:system has others', () => {
    assert.ok(TESTS.filter(isSystem).length > 40)
    assert.ok(TESTS.filter((test) => !isSystem(test)).length > 150)
  })

  it('has no test that starts processes, opens a browser, needs a server or runs for long: those are .system.test.ts', () => {
    const misnamed = TESTS.filter((test) => !isSystem(test)).flatMap((test) =>
      needsOf(test).map((what) => `${test} ${what}`),
    )
    assert.deepEqual(misnamed, [])
  })
})

function isSystem(test: string): boolean {
  return test.endsWith('.system.test.ts')
}

function needsOf(test: string): string[] {
  const imported = importedBy(test)
  return OF_SYSTEM.flatMap(([pattern, what]) =>
    imported.some((each) => pattern.test(each)) ? [what] : [],
  )
}

/** What `test` and its helpers import: paths from the root, and names of modules. */
function importedBy(test: string): string[] {
  const all = new Set([test])
  for (const file of all) {
    if (!HELPERS.test(file) || !existsSync(join(ROOT, file))) continue
    const text = readFileSync(join(ROOT, file), 'utf8')
    for (const [, name] of text.matchAll(/^(?:import|export|\} from) ?[^'\n]*'([^'\n]+)'$/gm)) {
      all.add(name!.startsWith('.') ? join(dirname(file), name!) : name!)
    }
  }
  return [...all]
}
