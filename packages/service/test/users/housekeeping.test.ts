/** What is removed from the store by itself, and from when. */
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { Housekeeping, type Retention } from '../../users/housekeeping.ts'

const NOW = new Date('2026-11-23T12:00:00Z')

const RETENTION: Retention = {
  retentionDays: 400,
  historyDays: 30,
}

/** Housekeeping that tells what it asked the store for. */
function housekeeping(t: TestContext, retention: Partial<Retention> = {}, full?: Date) {
  const asked: unknown[][] = []
  /** Notes what it is asked, and has something to remove the first time. */
  const expire =
    (what: string) =>
    async (...before: Date[]) => {
      const isFirst = !asked.some(([other]) => other === what)
      asked.push([what, ...before.map((date) => date.toISOString())])
      return isFirst ? 1 : 0
    }
  const store = {
    expireCorrections: expire('corrections'),
    expireCorrespondents: expire('correspondents'),
    expireHistory: expire('history'),
    historyReaches: async () => full,
    prune: async () => void asked.push(['prune']),
  }
  const kept = { ...RETENTION, ...retention }
  const tidier = new Housekeeping(store, kept, (error) => assert.ifError(error))
  t.after(() => tidier.close())
  return { tidier, asked }
}

describe('Housekeeping', () => {
  it('removes corrections, correspondents and the history after their days until none is left, and what only absent replicas need', async (t) => {
    const { tidier, asked } = housekeeping(t)
    await tidier.tidy(NOW)
    const twice = (...call: string[]) => [call, call]
    assert.deepEqual(asked, [
      ...twice('corrections', '2025-10-19T12:00:00.000Z'),
      ...twice('correspondents', '2025-10-19T12:00:00.000Z', '2026-08-25T12:00:00.000Z'),
      ['prune'],
      ...twice('history', '2026-10-24T12:00:00.000Z'),
    ])
  })

  it('removes what is too much of the history', async (t) => {
    const { tidier, asked } = housekeeping(t, {}, new Date('2026-11-01T00:00:00Z'))
    await tidier.tidy(NOW)
    assert.deepEqual(asked.at(-1), ['history', '2026-11-01T00:00:00.000Z'])
  })

  it('removes all of a history that is off, also what a clock ahead of ours has written', async (t) => {
    const { tidier, asked } = housekeeping(t, { historyDays: 0 })
    await tidier.tidy(NOW)
    assert.deepEqual(asked.at(-1), ['history', '2026-11-24T12:00:00.000Z'])
  })
})
