/** What scripts/audit.ts checks in a lockfile, and that ours is in order. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { type LockedPackage, lockfileFaults } from '../scripts/lockfile-faults.ts'

const ROOT = join(import.meta.dirname, '..')

function read(name: string) {
  return JSON.parse(readFileSync(join(ROOT, name), 'utf8'))
}

const GOOD: LockedPackage = {
  version: '1.2.3',
  integrity: `sha512-${'a'.repeat(86)}==`,
  license: 'MIT',
}

function faultsOf(locked: LockedPackage, allowScripts: Record<string, boolean> = {}): string[] {
  const packages = { '': {}, 'node_modules/b/node_modules/@a/c': locked }
  return lockfileFaults({ packages }, { allowScripts })
}

describe('the dependencies', () => {
  it('of this project are in order', () => {
    assert.deepEqual(lockfileFaults(read('package-lock.json'), read('package.json')), [])
  })

  it('may be exact, hashed, from the registry, and free', () => {
    assert.deepEqual(faultsOf(GOOD), [])
    assert.deepEqual(faultsOf({ ...GOOD, license: '(GPL-3.0 OR MIT)' }), [])
    assert.deepEqual(faultsOf({ ...GOOD, license: 'MPL-2.0', dev: true }), [])
  })

  const bad: readonly (readonly [LockedPackage, string])[] = [
    [{ ...GOOD, version: '^1.2.3' }, 'has the version "^1.2.3"'],
    [{ ...GOOD, integrity: 'sha1-abc' }, 'has no SHA-512'],
    [
      { ...GOOD, resolved: 'git+ssh://git@example.com/c.git' },
      'is from git+ssh://git@example.com/c.git',
    ],
    [{ ...GOOD, license: 'GPL-3.0' }, 'has the licence "GPL-3.0"'],
    [{ ...GOOD, license: 'MIT AND GPL-3.0' }, 'has the licence "MIT AND GPL-3.0"'],
    [{ ...GOOD, license: 'MPL-2.0' }, 'has the licence "MPL-2.0"'],
    [{ ...GOOD, hasInstallScript: true }, 'runs a script as it is installed'],
    [{ ...GOOD, link: true }, 'is a link to a folder'],
  ]
  for (const [locked, fault] of bad) {
    it(`may be none that ${fault}`, () => assert.deepEqual(faultsOf(locked), [`@a/c: ${fault}`]))
  }

  it('may run scripts where package.json says so by name', () => {
    assert.deepEqual(faultsOf({ ...GOOD, hasInstallScript: true }, { '@a/c': true }), [])
  })

  it('may not have one that an older npm would run although it is refused', () => {
    assert.deepEqual(faultsOf({ ...GOOD, hasInstallScript: true }, { '@a/c': false }), [
      '@a/c: has a script that is not to run; delete hasInstallScript here',
    ])
  })

  it('of this project are installed without settings of npm, which newer versions warn of', () => {
    assert.equal(existsSync(join(ROOT, '.npmrc')), false)
  })

  it('ask npm for no newer Node than npm runs on, so that `npm ci` does not warn', () => {
    const packages = {
      '': { engines: { node: '>=18' } },
      'packages/mail': { engines: { node: '>=24' } },
      'node_modules/a': { ...GOOD, engines: { node: '>=22' } },
    }
    assert.deepEqual(
      lockfileFaults({ packages }, {}),
      ['packages/mail', 'node_modules/a'].map(
        (path) => `${path}: has other engines than >=18; delete them here`,
      ),
    )
  })

  it('are asked for by exact versions', () => {
    const own = { dependencies: { a: '^1.0.0', b: '1.0.0' } }
    const faults = lockfileFaults({ packages: { 'packages/mail': own } }, {})
    assert.deepEqual(faults, ['a: "^1.0.0" is no exact version'])
  })
})
