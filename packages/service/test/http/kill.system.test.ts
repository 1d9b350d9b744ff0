/** kill -9 of the whole service under mixed load. */
import assert from 'node:assert/strict'
import { readdir, readlink, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { temporaryFolder } from '../../../../test/temporary-folder.ts'
import { filesOf } from '../helpers/open-files.ts'
import { makeSchema, postgresAbsent } from '../helpers/postgres.ts'
import { type ServiceProcess, startService } from '../helpers/service-process.ts'
import { httpKillRounds, type KillReport } from './kill-rounds.ts'

const skip = (await postgresAbsent()) ?? false

const MIB = 1024 * 1024

const ROUNDS = 5
const POSTGRES_ROUNDS = 2

describe('a service that is killed', () => {
  it('while a large message arrives leaves nothing of it on the disk', async (t) => {
    const dataDir = temporaryFolder()
    const service = await startService({ dataDir })
    const client = connect(service.port, '127.0.0.1').on('error', () => {})
    t.after(() => client.destroy())
    client.write(
      `POST /classify-stream HTTP/1.1\r\nHost: localhost\r\nContent-Type: message/rfc822\r\nContent-Length: ${20 * MIB}\r\n\r\nSubject: large\r\n\r\n`,
    )
    client.write(Buffer.alloc(12 * MIB, 'a line of text\r\n'))
    const file = await written(service, 8 * MIB)
    await service.end('SIGKILL')
    assert.match(file, / \(deleted\)$/)
    assert.deepEqual(await filesOf(join(dataDir, 'tmp')), [])
  })
})

describe('a service that is killed under load', () => {
  it(`${ROUNDS} times comes back by itself and has all that it acknowledged, once`, async (t) => {
    const dataDir = temporaryFolder()
    const report = await httpKillRounds(dataDir, ROUNDS)
    t.diagnostic(summary(report))
    isWhole(report)
    assert.deepEqual(await filesOf(join(dataDir, 'tmp')), [])
  })

  it(`${POSTGRES_ROUNDS} times over PostgreSQL as well`, { skip }, async (t) => {
    const dataDir = temporaryFolder()
    const url = await makeSchema((drop) => t.after(drop))
    const report = await httpKillRounds(dataDir, POSTGRES_ROUNDS, { DATABASE_URL: url })
    t.diagnostic(summary(report))
    isWhole(report)
  })
})

/** The name that the temporary file of `service` had, once it holds `bytes`. */
async function written(service: ServiceProcess, bytes: number): Promise<string> {
  return await eventually(async () => {
    const descriptors = `/proc/${service.pid}/fd`
    for (const descriptor of await readdir(descriptors)) {
      const path = join(descriptors, descriptor)
      const name = await readlink(path).catch(() => '')
      const isTemporary = name.startsWith(join(service.dataDir, 'tmp/'))
      if (isTemporary && (await stat(path)).size >= bytes) return name
    }
    return false
  })
}

function isWhole({ lost, duplicated, strange, corrections, rules }: KillReport): void {
  assert.deepEqual({ lost, duplicated, strange }, { lost: [], duplicated: [], strange: [] })
  assert.ok(corrections > 0 && rules > 0)
}

function summary({ verdicts, corrections, rules, backMs }: KillReport): string {
  return `${verdicts} verdicts, ${corrections} corrections and ${rules} rules acknowledged; back after at most ${Math.round(backMs)} ms`
}
