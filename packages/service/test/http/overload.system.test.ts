/** Five times as much as the service can do, for some seconds; `npm run bench overload` measures a minute. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { overload } from '../../../lab/benchmarks/overload.ts'

it('five times capacity: all are answered or refused, and verdicts go on', async (t) => {
  const { failed, latencies } = await overload({
    workers: 2,
    times: 5,
    warmUpSeconds: 2,
    capacitySeconds: 3,
    seconds: 6,
  })
  const counts = [...latencies].map(([status, { length }]) => `${status}: ${length}`)
  t.diagnostic(counts.join(', '))
  assert.equal(failed, 0)
  assert.deepEqual([...latencies.keys()].sort(), [200, 503])
})
