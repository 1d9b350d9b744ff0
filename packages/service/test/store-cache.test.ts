/** What users.test.ts cannot show: sizes to the last one, and readings that a change has outdated. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreCache } from '../store-cache.ts'

/** A cache of numbers, each of which is its own size. */
const cacheOf = (sizeMax: number) => new StoreCache<number>(CURRENT, sizeMax, (value) => value, 0)

const CURRENT = { isCurrent: () => true, catchUp: async () => {} }

const failing = async () => assert.fail('It was read again')

describe('StoreCache', () => {
  it('shares the reading that follows a change, whatever becomes of the one before it', async () => {
    const cache = cacheOf(10)
    const before = Promise.withResolvers<number>()
    const after = Promise.withResolvers<number>()
    const early = cache.read('a', () => before.promise)
    cache.drop('a')
    const late = cache.read('a', () => after.promise)
    before.reject(new Error('The store is not available'))
    await assert.rejects(early)
    const shared = cache.read('a', failing)
    after.resolve(3)
    assert.deepEqual(await Promise.all([late, shared]), [3, 3])
  })
})
