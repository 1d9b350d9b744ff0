import assert from 'node:assert/strict'
import { it } from 'node:test'
import { freest } from '../../main/service-thread.ts'

it('the thread with the fewest connections gets the next, but none that seems to hang while another does not', () => {
  const [late, few, many] = [
    { isLate: true, connections: 0 },
    { isLate: false, connections: 3 },
    { isLate: false, connections: 4 },
  ] as const
  assert.equal(freest([late, many, few]), few)
  assert.equal(freest([late]), late)
})
