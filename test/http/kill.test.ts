/** kill -9 of the whole service under mixed load (scripts/kill-test.ts kills what writes to the store alone, a thousand times). */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { makeSchema, postgresAbsent } from '../helpers/postgres.ts'
import { httpKillRounds, type KillReport } from './kill-rounds.ts'

const skip = (await postgresAbsent()) ?? false

const ROUNDS = 20
const POSTGRES_ROUNDS = 5

describe('a service that is killed under load', () => {
  it(`${ROUNDS} times comes back by itself and has all that it acknowledged, once`, async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tamis-kill-'))
    t.after(() => rm(dataDir, { recursive: true, force: true }))
    const report = await httpKillRounds(dataDir, ROUNDS)
    t.diagnostic(summary(report))
    isWhole(report)
    assert.deepEqual(await readdir(join(dataDir, 'tmp')), [])
  })

  it(`${POSTGRES_ROUNDS} times over PostgreSQL as well`, { skip }, async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tamis-kill-'))
    t.after(() => rm(dataDir, { recursive: true, force: true }))
    const url = await makeSchema((drop) => t.after(drop))
    const report = await httpKillRounds(dataDir, POSTGRES_ROUNDS, { DATABASE_URL: url })
    t.diagnostic(summary(report))
    isWhole(report)
  })
})

function isWhole({ lost, duplicated, strange, corrections, rules }: KillReport): void {
  assert.deepEqual({ lost, duplicated, strange }, { lost: [], duplicated: [], strange: [] })
  assert.ok(corrections > 0 && rules > 0)
}

function summary({ verdicts, corrections, rules, backMs }: KillReport): string {
  return `${verdicts} verdicts, ${corrections} corrections and ${rules} rules acknowledged; back after at most ${Math.round(backMs)} ms`
}
