/** kill -9 of the supervisor, and of single server processes, under mixed load: what was acknowledged is there. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { makeSchema, postgresAbsent } from '../helpers/postgres.ts'
import { httpKillRounds, type Victim } from '../http/kill-rounds.ts'

const absent = (await postgresAbsent()) ?? false

const ROUNDS: Readonly<Record<Victim, number>> = { supervisor: 5, worker: 15 }

const VICTIMS: readonly Victim[] = ['supervisor', 'worker']

describe('two processes that are killed under load have all that they acknowledged, once', () => {
  for (const victim of VICTIMS) {
    for (const [store, skip] of [
      ['SQLite', false],
      ['PostgreSQL', absent],
    ] as const) {
      it(`the ${victim}, ${ROUNDS[victim]} times, on ${store}`, { skip }, async (t) => {
        const dataDir = temporaryFolder()
        const environment = {
          TAMIS_WORKERS: '2',
          ...(store === 'PostgreSQL' && {
            DATABASE_URL: await makeSchema((drop) => t.after(drop)),
          }),
        }
        const report = await httpKillRounds(dataDir, ROUNDS[victim], environment, victim)
        const { lost, duplicated, strange, ...counts } = report
        t.diagnostic(JSON.stringify(counts))
        assert.deepEqual({ lost, duplicated, strange }, { lost: [], duplicated: [], strange: [] })
        assert.ok(counts.corrections > 0 && counts.rules > 0)
      })
    }
  }
})
