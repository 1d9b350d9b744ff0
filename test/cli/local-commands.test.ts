/** The commands that need no running service: migrate and bench. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { makeSchema, postgresAbsent } from '../helpers/postgres.ts'

const ROOT = join(import.meta.dirname, '../..')

function tamis(args: string[], env: Record<string, string> = {}) {
  const { DATABASE_URL: _, ...others } = process.env
  return spawnSync(process.execPath, [join(ROOT, 'src/cli/tamis.ts'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...others, ...env },
  })
}

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tamis-migrate-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'data')
}

describe('tamis migrate', () => {
  it('says that there is no store yet, and makes none', (t) => {
    const dataDir = makeFolder(t)
    const { stdout, status } = tamis(['migrate', '--status'], { TAMIS_DATA_DIR: dataDir })
    assert.equal(stdout, 'sqlite\tversion 0 of 2\tnot there yet\n')
    assert.equal(status, 75)
    assert.ok(!existsSync(dataDir))
  })

  it('makes a store, once', (t) => {
    const env = { TAMIS_DATA_DIR: makeFolder(t) }
    assert.equal(tamis(['migrate'], env).stdout, 'sqlite\tversion 0 -> 2\tup to date\n')
    assert.equal(tamis(['migrate'], env).stdout, 'sqlite\tversion 2\tup to date\n')
    const { stdout, status } = tamis(['migrate', '--status', '--json'], env)
    const state = { store: 'sqlite', from: 2, version: 2, latest: 2, outcome: 'up to date' }
    assert.deepEqual(JSON.parse(stdout), state)
    assert.equal(status, 0)
  })

  it('brings a store of an older version up to date', (t) => {
    const dataDir = makeFolder(t)
    const env = { TAMIS_DATA_DIR: dataDir }
    tamis(['migrate'], env)
    const database = new DatabaseSync(join(dataDir, 'tamis.sqlite'))
    database.exec(`
      drop index corrections_active;
      drop index corrections_with_rule;
      delete from schema_version where version = 2;
    `)
    database.close()
    const before = tamis(['migrate', '--status'], env)
    assert.equal(before.stdout, 'sqlite\tversion 1 of 2\tto be migrated\n')
    assert.equal(before.status, 75)
    assert.equal(tamis(['migrate'], env).stdout, 'sqlite\tversion 1 -> 2\tup to date\n')
  })

  it('leaves a store of a newer version alone', (t) => {
    const dataDir = makeFolder(t)
    const env = { TAMIS_DATA_DIR: dataDir }
    tamis(['migrate'], env)
    const database = new DatabaseSync(join(dataDir, 'tamis.sqlite'))
    database.exec('insert into schema_version (version, applied_at) values (99, 0)')
    database.close()
    const status = tamis(['migrate', '--status'], env)
    assert.equal(status.stdout, 'sqlite\tversion 99 of 2\tmade by a newer version\n')
    assert.equal(status.status, 78)
    assert.equal(tamis(['migrate'], env).status, 78)
  })

  it('says why a store cannot be read', (t) => {
    const env = {
      TAMIS_DATA_DIR: makeFolder(t),
      DATABASE_URL: 'postgres://tamis@127.0.0.1:9/tamis',
    }
    const { stderr, status } = tamis(['migrate', '--status'], env)
    assert.match(stderr, /^tamis: The store cannot be read: .*ECONNREFUSED.*\(STORE_UNAVAILABLE\)/)
    assert.equal(status, 75)
  })

  it('does the same on PostgreSQL', async (t) => {
    const absent = await postgresAbsent()
    if (absent !== undefined) return t.skip(absent)
    const env = {
      TAMIS_DATA_DIR: makeFolder(t),
      DATABASE_URL: await makeSchema((drop) => t.after(drop)),
    }
    const before = tamis(['migrate', '--status'], env)
    assert.equal(before.stdout, 'postgres\tversion 0 of 2\tnot there yet\n')
    assert.equal(tamis(['migrate'], env).stdout, 'postgres\tversion 0 -> 2\tup to date\n')
    assert.equal(tamis(['migrate', '--status'], env).status, 0)
  })
})

describe('tamis bench', () => {
  it('measures this machine on the written mail', () => {
    const { stdout, status } = tamis(['bench', '--rounds', '1', '--json'])
    const figures = JSON.parse(stdout)
    assert.deepEqual(Object.keys(figures), [
      'messages',
      'meanBytes',
      'cpuMsPerMessage',
      'messagesPerSecond',
      'parseMs',
      'signalsMs',
      'featuresMs',
      'modelsMs',
      'decideMs',
    ])
    assert.ok(figures.messages > 500)
    assert.ok(figures.cpuMsPerMessage > 0)
    assert.equal(status, 0)
  })
})
