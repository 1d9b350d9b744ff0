/** What becomes of entries between the verdict and the store. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TamisError } from '../../errors/errors.ts'
import { BatchedWrites, WAITING_MAX } from '../batched-writes.ts'
import type { HistoryEntry } from '../history/history-entry.ts'
import { historyEntry } from './store/samples.ts'

/** A recorder whose store and log are at hand. */
function recorderWith({ addHistory = async (entries: readonly HistoryEntry[]) => entries.length }) {
  const writes: (string | undefined)[][] = []
  const warnings: object[] = []
  const counts = { kept: 0, dropped: 0 }
  const recorder = new BatchedWrites<HistoryEntry>({
    write: (entries) => {
      writes.push(entries.map(({ messageId }) => messageId))
      return addHistory(entries)
    },
    warning: 'Some were left out',
    log: { warn: (fields) => void warnings.push(fields) },
  })
  recorder.onCounted = (outcome, count) => {
    counts[outcome] += count
  }
  return { recorder, writes, warnings, counts }
}

function entries(...ids: readonly string[]): HistoryEntry[] {
  return ids.map((messageId) => historyEntry({ messageId }))
}

describe('BatchedWrites', () => {
  it('writes what comes together in one batch', async () => {
    const { recorder, writes, counts } = recorderWith({})
    recorder.record(entries('a', 'b'))
    recorder.record(entries('c'))
    recorder.record(entries('d'))
    assert.deepEqual(writes, [])
    await recorder.close()
    assert.deepEqual(writes, [['a', 'b', 'c', 'd']])
    assert.deepEqual(counts, { kept: 4, dropped: 0 })
  })

  it('drops what there is no room for, also while others are being written, and warns once a minute', async () => {
    const released = Promise.withResolvers<void>()
    const { recorder, warnings, counts } = recorderWith({
      addHistory: async ({ length }) => {
        await released.promise
        return length
      },
    })
    recorder.record(Array(WAITING_MAX).fill(historyEntry()))
    const closed = recorder.close()
    recorder.record(entries('c', 'd'))
    recorder.record(entries('e'))
    assert.deepEqual(counts, { kept: 0, dropped: 3 })
    assert.deepEqual(warnings, [{ dropped: 2, reason: 'Too many entries wait for the store' }])
    released.resolve()
    await closed
    recorder.record(entries('f', 'g'))
    await recorder.close()
    assert.deepEqual(counts, { kept: WAITING_MAX + 2, dropped: 3 })
  })

  it('drops what the store does not take, and goes on', async () => {
    const failure = new Error('The store is not available')
    let failing = true
    const { recorder, warnings, counts } = recorderWith({
      addHistory: async ({ length }) => {
        if (failing) throw failure
        return length
      },
    })
    recorder.record(entries('a', 'b'))
    await recorder.close()
    assert.deepEqual(warnings, [{ dropped: 2, err: failure }])
    failing = false
    recorder.record(entries('c'))
    await recorder.close()
    assert.deepEqual(counts, { kept: 1, dropped: 2 })
  })

  it('waits at its end but once for a store that is not available', async () => {
    const { recorder, writes, warnings, counts } = recorderWith({
      addHistory: async () => {
        throw new TamisError('STORE_UNAVAILABLE', 'The store is not available')
      },
    })
    recorder.record(entries(...Array.from({ length: 250 }, (_, i) => `${i}`)))
    recorder.record(entries('a'))
    await recorder.close()
    assert.equal(writes.length, 1)
    assert.equal(warnings.length, 1)
    assert.deepEqual(counts, { kept: 0, dropped: 251 })
  })
})
