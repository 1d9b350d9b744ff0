/** What is removed from the store by itself, and from when. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Housekeeping, type Retention } from '../../users/housekeeping.ts'

const NOW = new Date('2026-11-23T12:00:00Z')

const RETENTION: Retention = {
  retentionDays: 400,
  historyDays: 30,
  memorySubjects: 'on',
}

/** Housekeeping that tells what it asked the store for. */
function housekeeping(t: TestContext, retention: Partial<Retention> = {}) {
  const asked: unknown[][] = []
  const errors: unknown[] = []
  const expiring = Promise.withResolvers<number>()
  const store = {
    expireCorrections: async (before: Date) => asked.push(['corrections', before.toISOString()]),
    expireCorrespondents: async (before: Date, heardBefore: Date) =>
      asked.push(['correspondents', before.toISOString(), heardBefore.toISOString()]),
    expireHistory: (before: Date, entriesMax: number) => {
      asked.push(['history', before.toISOString(), entriesMax])
      return expiring.promise
    },
    forgetSubjects: async () => asked.push(['subjects']),
    prune: async () => void asked.push(['prune']),
  }
  const kept = { ...RETENTION, ...retention }
  const tidier = new Housekeeping(store, kept, (error) => errors.push(error))
  t.after(() => tidier.close())
  return { tidier, asked, errors, expiring }
}

describe('Housekeeping', () => {
  it('removes corrections, correspondents and the history after their days, and what only absent replicas need', async (t) => {
    const { tidier, asked, expiring } = housekeeping(t)
    expiring.resolve(0)
    await tidier.tidy(NOW)
    assert.deepEqual(asked, [
      ['corrections', '2025-10-19T12:00:00.000Z'],
      ['correspondents', '2025-10-19T12:00:00.000Z', '2026-08-25T12:00:00.000Z'],
      ['prune'],
      ['history', '2026-10-24T12:00:00.000Z', 1_000_000],
    ])
  })

  it('removes all of a history that is off, also what a clock ahead of ours has written', async (t) => {
    const { tidier, asked, expiring } = housekeeping(t, { historyDays: 0 })
    expiring.resolve(0)
    await tidier.tidyHistory(NOW)
    assert.deepEqual(asked, [['history', '2026-11-24T12:00:00.000Z', 1_000_000]])
  })
})
