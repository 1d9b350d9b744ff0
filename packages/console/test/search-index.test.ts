/** Search in the reference: what matches, and what comes first. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Entry, found } from '../docs/search-index.ts'

const ENTRIES: readonly Entry[] = [
  { kind: 'Task', title: 'Forget a user', about: 'Deletes all of a user', id: 'forget-a-user' },
  {
    kind: 'Route',
    title: 'POST /feedback',
    about: 'A user corrects a verdict',
    id: 'feedbackPath',
  },
  { kind: 'Error', title: 'USER_UNKNOWN', about: '', id: 'USER_UNKNOWN' },
  { kind: 'Field', title: 'userId', about: 'GET /rules: whose', id: 'rules.parameter.userId' },
]

const titles = (query: string, entries = ENTRIES) => found(query, entries).map(({ title }) => title)

describe('found', () => {
  it('finds nothing for an empty query', () => {
    assert.deepEqual(titles(' '), [])
  })

  it('lists what has the query as its name, then at its beginning, within it, elsewhere', () => {
    assert.deepEqual(titles('userid'), ['userId'])
    assert.deepEqual(titles('user'), ['USER_UNKNOWN', 'userId', 'Forget a user', 'POST /feedback'])
  })

  it('finds a route by its operationId', () => {
    assert.deepEqual(titles('feedbackpath'), ['POST /feedback'])
  })

  it('wants every word, in any order', () => {
    assert.deepEqual(titles('user forget'), ['Forget a user'])
    assert.deepEqual(titles('user nowhere'), [])
  })

  it('takes a query for text and not for an expression', () => {
    assert.deepEqual(titles('(a+)+$'), [])
  })

  it('lists thirty at most', () => {
    const many = Array.from({ length: 100 }, (_, at) => ({ ...ENTRIES[0]!, id: `${at}` }))
    assert.equal(found('user', many).length, 30)
  })
})
