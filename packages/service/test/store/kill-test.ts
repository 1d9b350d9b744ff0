/**
 * Kills a process that writes corrections, many times, and counts what was lost.
 *
 *   node_modules/.bin/node packages/service/test/store/kill-test.ts --rounds 1000 [--database-url postgres://...]
 *
 * On SQLite in a folder of its own without --database-url; a PostgreSQL database must be one for
 * tests. Exit status 1 when anything was lost or duplicated.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type KillPlace, killRounds } from './kill-rounds.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    'database-url': { type: 'string' },
  },
})

const folder = await mkdtemp(join(tmpdir(), 'tamis-kill-'))
const url = values['database-url']
const place: KillPlace =
  url === undefined ? { kind: 'sqlite', place: folder } : { kind: 'postgres', place: url }

try {
  const started = performance.now()
  const figures = await killRounds(place, Number(values.rounds), (round) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${round}`)
  })
  const seconds = Math.round((performance.now() - started) / 1_000)
  process.stdout.write(`${JSON.stringify({ database: place.kind, ...figures, seconds })}\n`)
  process.exitCode = figures.lost + figures.duplicated > 0 ? 1 : 0
} finally {
  await rm(folder, { recursive: true, force: true })
}
